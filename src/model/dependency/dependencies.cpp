#include "model/dependency/dependencies.hpp"

#include "model/dependency/compiler.hpp"
#include "model/dependency/stages.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace hypermile::model::dependency {
namespace {

struct Nothing {};

} // namespace

Dependencies::Dependencies(const Timeline& timeline, const Protocol& assumed) {
  const Matching matching(timeline);
  const Calls calls(matching);
  *this = Dependencies(matching, calls, find_costs(matching, calls, assumed));
}

Dependencies::Dependencies(const Matching& matching, const Calls& calls, const Costs& costs)
    : protocol_(costs.protocol) {
  Compiler(matching, calls, costs).compile(*this);
  for (std::size_t r = 0; r < matching.timeline().ranks.size(); ++r)
    first_.push_back(matching.first_event(r));
  for (const RankTimeline& rank : matching.timeline().ranks) {
    begins_.push_back(rank.begin.value());
    const Seconds after = rank.computation_after / scale_after(rank);
    after_.push_back(after.value() * rank.sensitivity_otherwise);
    after_fixed_.push_back(after.value() * (1 - rank.sensitivity_otherwise));
    Seconds computation = after;
    Seconds scaled{after_.back()};
    for (std::size_t e = 0; e < rank.events.size(); ++e) {
      const Seconds before =
          Seconds{static_cast<double>(rank.events[e].computation)} / scale_before(rank, e);
      computation += before;
      scaled += before * sensitivity_before(rank, e);
    }
    computation_.push_back(computation);
    scaled_.push_back(scaled);
  }
}

void Dependencies::start(Workspace& workspace) const {
  workspace.clocks_.assign(begins_.begin(), begins_.end());
  workspace.slots_.resize(slots_);
}

/// `fixed`: of a step, s that it computes whatever the gear; Nothing where no step has any.
template <class Fixed>
void Dependencies::run(std::size_t from, std::size_t to, Workspace& workspace,
                       const Fixed& fixed) const {
  double* const clocks = workspace.clocks_.data();
  double* const slots = workspace.slots_.data();
  const double* const scales = workspace.scales_.data();
  for (std::size_t s = from; s < to; ++s) {
    const Step& step = steps_[s];
    const double cost = static_cast<double>(step.cost);
    double computing = static_cast<double>(step.computation) * scales[step.rank];
    if constexpr (!std::is_same_v<Fixed, Nothing>)
      computing += fixed(s);
    double clock = clocks[step.rank] + computing;
    switch (step.kind) {
    case Step::Kind::pass:
      clock += cost;
      break;
    case Step::Kind::store:
      slots[step.a] = clock;
      break;
    case Step::Kind::store_max:
      slots[step.a] = std::max(slots[step.a], clock);
      break;
    case Step::Kind::wait:
      clock = std::max(clock, std::max(slots[step.a], slots[step.b]) + cost);
      break;
    case Step::Kind::join:
      clock = std::max(clock, slots[step.a]) + cost;
      break;
    }
    clocks[step.rank] = clock;
  }
}

void Dependencies::run(std::size_t from, std::size_t to, Workspace& workspace) const {
  if (fixed_.empty())
    return run(from, to, workspace, Nothing{});
  run(from, to, workspace,
      [fixed = fixed_.data()](std::size_t s) { return static_cast<double>(fixed[s]); });
}

Seconds Dependencies::begin() const { return Seconds{*std::ranges::min_element(begins_)}; }

Seconds Dependencies::time(std::span<const double> scales, Workspace& workspace) const {
  start(workspace);
  workspace.scales_.assign(scales.begin(), scales.end());
  run(0, steps_.size(), workspace);
  double last = 0;
  for (std::size_t r = 0; r < ranks(); ++r)
    last = std::max(last, workspace.clocks_[r] + after(r, scales[r]).value());
  const Seconds time = Seconds{last} - begin();
  return lasting_.empty() ? time : std::max(time, lasting_time(scales));
}

Seconds Dependencies::lasting(std::size_t rank, double scale) const {
  if (scaled_[rank] == computation_[rank])
    return lasting_[rank] * scale;
  return lasting_[rank] * (computing(rank, scale) / computation_[rank]);
}

/// What the rank takes that has most to compute in the long run.
Seconds Dependencies::lasting_time(std::span<const double> scales) const {
  Seconds longest;
  for (std::size_t r = 0; r < lasting_.size(); ++r)
    longest = std::max(longest, lasting(r, scales[r]));
  return longest;
}

Outcome Dependencies::outcome(std::span<const double> scales) const {
  Workspace workspace;
  Outcome outcome{.time = time(scales, workspace), .begin = begin(), .ends = {}, .computing = {}};
  for (std::size_t r = 0; r < ranks(); ++r) {
    outcome.ends.emplace_back(Seconds{workspace.clocks_[r]} + after(r, scales[r]));
    outcome.computing.push_back(computing(r, scales[r]));
  }
  return outcome;
}

StagedOutcome Dependencies::staged(std::span<const std::vector<ScaleChange>> changes) const {
  Workspace workspace;
  start(workspace);
  workspace.scales_.assign(ranks(), 1);
  Stages stages(changes);
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const std::uint32_t rank = steps_[s].rank;
    const Stages::Now& now =
        stages.reach(rank, event_of_[s] - first_[rank], workspace.clocks_[rank]);
    workspace.scales_[rank] = now.scale * now.work;
    const double fixed_here = fixed(s) * now.work;
    stages.compute(rank, static_cast<double>(steps_[s].computation) * workspace.scales_[rank] +
                             fixed_here);
    run(s, s + 1, workspace, [fixed_here](std::size_t) { return fixed_here; });
  }
  for (std::size_t r = 0; r < ranks(); ++r) {
    const Stages::Now& now = stages.now(r);
    const double after = after_[r] * (now.scale * now.work) + after_fixed_[r] * now.work;
    stages.compute(r, after);
    stages.end_stage(r, workspace.clocks_[r] + after);
  }
  StagedOutcome outcome = std::move(stages).outcome(begin());
  if (!lasting_.empty())
    outcome.time = std::max(outcome.time, lasting_time(outcome));
  return outcome;
}

/// The same where each rank computes so many times as long as in gear 0 as it did then.
Seconds Dependencies::lasting_time(const StagedOutcome& outcome) const {
  Seconds longest;
  for (std::size_t r = 0; r < lasting_.size(); ++r) {
    Seconds computing;
    for (const Stage& stage : outcome.stages[r])
      computing += stage.computing;
    const double times = computation_[r] > Seconds{} ? computing / computation_[r] : 1;
    longest = std::max(longest, lasting_[r] * times);
  }
  return longest;
}

} // namespace hypermile::model::dependency
