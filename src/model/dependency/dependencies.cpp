#include "model/dependency/dependencies.hpp"

#include "model/dependency/compiler.hpp"
#include "model/dependency/stages.hpp"

#include <algorithm>
#include <utility>

namespace hypermile::model::dependency {

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
    after_.push_back(rank.computation_after.value() / rank.scale);
    Seconds computation = rank.computation_after / rank.scale;
    for (std::size_t e = 0; e < rank.events.size(); ++e)
      computation +=
          Seconds{static_cast<double>(rank.events[e].computation)} / scale_before(rank, e);
    computation_.push_back(computation);
  }
}

void Dependencies::start(Workspace& workspace) const {
  workspace.clocks_.assign(begins_.begin(), begins_.end());
  workspace.slots_.resize(slots_);
}

void Dependencies::run(std::size_t from, std::size_t to, Workspace& workspace) const {
  double* const clocks = workspace.clocks_.data();
  double* const slots = workspace.slots_.data();
  const double* const scales = workspace.scales_.data();
  for (std::size_t s = from; s < to; ++s) {
    const Step& step = steps_[s];
    const double cost = static_cast<double>(step.cost);
    double clock = clocks[step.rank] + static_cast<double>(step.computation) * scales[step.rank];
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

Seconds Dependencies::begin() const { return Seconds{*std::ranges::min_element(begins_)}; }

Seconds Dependencies::time(std::span<const double> scales, Workspace& workspace) const {
  start(workspace);
  workspace.scales_.assign(scales.begin(), scales.end());
  run(0, steps_.size(), workspace);
  double last = 0;
  for (std::size_t r = 0; r < ranks(); ++r)
    last = std::max(last, workspace.clocks_[r] + after_[r] * scales[r]);
  const Seconds time = Seconds{last} - begin();
  return lasting_.empty() ? time : std::max(time, lasting_time(scales));
}

/// What the rank takes that has most to compute in the long run.
Seconds Dependencies::lasting_time(std::span<const double> scales) const {
  Seconds longest;
  for (std::size_t r = 0; r < lasting_.size(); ++r)
    longest = std::max(longest, lasting_[r] * scales[r]);
  return longest;
}

Outcome Dependencies::outcome(std::span<const double> scales) const {
  Workspace workspace;
  Outcome outcome{.time = time(scales, workspace), .begin = begin(), .ends = {}, .computing = {}};
  for (std::size_t r = 0; r < ranks(); ++r) {
    outcome.ends.emplace_back(workspace.clocks_[r] + after_[r] * scales[r]);
    outcome.computing.push_back(computation_[r] * scales[r]);
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
    double& scale = workspace.scales_[rank];
    scale = stages.reach(rank, event_of_[s] - first_[rank], workspace.clocks_[rank], scale);
    stages.compute(rank, static_cast<double>(steps_[s].computation));
    run(s, s + 1, workspace);
  }
  for (std::size_t r = 0; r < ranks(); ++r) {
    const double scale = workspace.scales_[r];
    stages.compute(r, after_[r]);
    stages.end_stage(r, workspace.clocks_[r] + after_[r] * scale, scale);
  }
  StagedOutcome outcome = std::move(stages).outcome(begin());
  if (!lasting_.empty())
    outcome.time = std::max(outcome.time, lasting_time(mean_scales(outcome)));
  return outcome;
}

/// By rank: how many times as long as in gear 0 it computed.
std::vector<double> Dependencies::mean_scales(const StagedOutcome& outcome) const {
  std::vector<double> scales;
  for (std::size_t r = 0; r < ranks(); ++r) {
    Seconds computing;
    for (const Stage& stage : outcome.stages[r])
      computing += stage.computing;
    scales.push_back(computation_[r] > Seconds{} ? computing / computation_[r] : 1);
  }
  return scales;
}

} // namespace hypermile::model::dependency
