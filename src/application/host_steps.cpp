// Loops of which only some steps are run.
#include "application/arguments.hpp"
#include "application/host.hpp"
#include "application/sandbox.hpp"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>

namespace hypermile::application {
namespace {

std::string described(const ExtrapolatedSteps& steps) {
  return fmt::format("steps({}, {}) in line {}", steps.count, steps.simulated, steps.line);
}

} // namespace

/// Throws where the rank has other steps than the first that had any.
void Host::check_agreement(lua_State* state, const ExtrapolatedSteps& steps) const {
  const std::size_t index = own_steps_.size();
  if (steps_.empty())
    return;
  const std::string first =
      fmt::format("rank {}, role '{}'", rank_of_steps_, role_of_rank_[rank_of_steps_]);
  if (index >= steps_.size())
    raise(state, fmt::format("{}, but {} has no more steps; ranks that have steps have the same",
                             described(steps), first));
  if (!steps_[index].is_like(steps.count, steps.simulated))
    raise(state, fmt::format("{}, but {} has {}; ranks that have steps have the same",
                             described(steps), first, described(steps_[index])));
}

void Host::check_all_steps(lua_State* state) const {
  if (!own_steps_.empty() && own_steps_.size() < steps_.size())
    raise(state,
          fmt::format("it has no {}, as rank {}, role '{}', has; ranks that have steps have the "
                      "same",
                      described(steps_[own_steps_.size()]), rank_of_steps_,
                      role_of_rank_[rank_of_steps_]));
}

/// count, simulated. Returns how many to run.
int Host::begin_steps(lua_State* state) {
  (void)calls(state, "steps");
  ExtrapolatedSteps steps{.count = static_cast<std::uint64_t>(lua_tointeger(state, 1)),
                          .simulated = static_cast<std::uint64_t>(lua_tointeger(state, 2)),
                          .line = Sandbox::line_of(state)};
  if (in_steps_)
    raise(state, "steps in a step of others cannot be scaled; loop(), or for, inside steps can");
  if (steps.simulated < std::min(steps.count, fewest_steps))
    raise(state, fmt::format("{} of {} steps are to be simulated, but at least {} show what a step "
                             "takes",
                             steps.simulated, steps.count, fewest_steps));
  if (steps.simulated > steps.count || request_.all_steps)
    steps.simulated = steps.count;
  check_agreement(state, steps);
  own_steps_.push_back(steps);
  in_steps_ = true;
  const auto& fewer = request_.fewer;
  const std::uint64_t left_out =
      fewer && steps.is_like(fewer->count, fewer->simulated) ? fewer->by : 0;
  lua_pushinteger(state, static_cast<lua_Integer>(steps.simulated - left_out));
  return 1;
}

int Host::step(lua_State* state) {
  calls(state, "steps").begin_step(Sandbox::line_of(state));
  return 0;
}

int Host::end_steps(lua_State* state) {
  const auto unlike = calls(state, "steps").end_steps();
  in_steps_ = false;
  const ExtrapolatedSteps& steps = own_steps_.back();
  if (unlike && steps.simulated < steps.count)
    raise(state, fmt::format("step {} is not like step 1, so that the other steps cannot be taken "
                             "to be like them; try: several iterations as one step, or loop()",
                             *unlike));
  return 0;
}

std::vector<ExtrapolatedSteps> Host::extrapolated() const {
  std::vector<ExtrapolatedSteps> kinds;
  for (const ExtrapolatedSteps& steps : steps_) {
    if (steps.simulated == steps.count)
      continue;
    const auto known = std::ranges::find_if(
        kinds, [&](const auto& kind) { return kind.is_like(steps.count, steps.simulated); });
    if (known == kinds.end())
      kinds.push_back(steps);
    else
      ++known->loops;
  }
  return kinds;
}

} // namespace hypermile::application
