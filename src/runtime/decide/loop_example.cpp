#include "runtime/decide/loop_example.hpp"

#include "model/common_part.hpp"
#include "runtime/decide/common_loop.hpp"
#include "runtime/decide/recorded_window.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace hypermile::runtime {
namespace {

constexpr double most_iterations = 2;
/// Of all ranks: some four bytes each in the report.
constexpr std::size_t most_events_of_example = 500'000;
/// In MPI_Finalize, for which the program waits.
constexpr Seconds time_for_example{0.02};

/// When the last rank begins what it recorded, and when the first one ends it.
std::pair<Seconds, Seconds> common_ends(const model::Timeline& timeline) {
  Seconds from{-std::numeric_limits<double>::infinity()};
  Seconds to{std::numeric_limits<double>::infinity()};
  for (const model::RankTimeline& rank : timeline.ranks) {
    from = std::max(from, rank.begin);
    to = std::min(to, end(rank) - rank.computation_after);
  }
  return {from, to};
}

/// Ranks that keep step have their last iterations at the same time.
void keep_last(RecordedWindow& window, Seconds length) {
  const auto [from, to] = common_ends(window.timeline);
  if (window.begin || to - from <= length)
    return;
  std::vector<const model::RankTimeline*> ranks;
  for (const model::RankTimeline& rank : window.timeline.ranks)
    ranks.push_back(&rank);
  constexpr Seconds whenever{std::numeric_limits<double>::infinity()};
  window.timeline.ranks = model::common_part(ranks, to - length, to, whenever);
}

/// Of ranks that do not keep step, each has as many iterations as the others.
Seconds length_of(const RecordedWindow& window) {
  const model::RankTimeline& first = window.timeline.ranks.front();
  if (window.begin)
    return end(first) - first.computation_after - first.begin;
  const auto [from, to] = common_ends(window.timeline);
  return to - from;
}

/// S of each rank's node; of a node that the decision does not know, that of gear 0.
std::vector<double> scales_of(const std::vector<Measurement>& measurements,
                              const Decision& decision) {
  std::vector<double> scales;
  for (const Measurement& m : measurements) {
    const auto node = std::ranges::find(decision.nodes, m.node.name);
    const auto at = static_cast<std::size_t>(node - decision.nodes.begin());
    const model::Gear gear = node == decision.nodes.end() ? 0 : decision.gears[at];
    scales.push_back(m.node.type.gears.scale(gear));
  }
  return scales;
}

} // namespace

std::optional<LoopExample> loop_example(const ChoiceBasis& basis, const Decision& in_force,
                                        const TimeModel& model) {
  const auto& measurements = basis.measurements;
  if (basis.decision.time_model != TimeModelKind::dependency ||
      !std::ranges::all_of(measurements, [](const auto& m) { return m.timeline.has_value(); }))
    return std::nullopt;
  auto window = recorded_window(measurements, model.functions,
                                DecisionBudget::all_of(model.stopwatch, time_for_example));
  if (!window)
    return std::nullopt;
  const Seconds iteration = longest_iteration(measurements);
  keep_last(*window, iteration * most_iterations);
  if (event_count(window->timeline) > most_events_of_example)
    return std::nullopt;
  const Seconds length = length_of(*window);
  return LoopExample{.timeline = std::move(window->timeline),
                     .begin = window->begin,
                     .iterations = std::max(length / iteration, 0.0),
                     .scales = scales_of(measurements, in_force)};
}

} // namespace hypermile::runtime
