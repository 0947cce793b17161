#include "runtime/decide/recorded_window.hpp"

#include "model/common_part.hpp"
#include "runtime/decide/common_iterations.hpp"
#include "runtime/decide/common_loop.hpp"
#include "units/error.hpp"

#include <algorithm>
#include <limits>

namespace hypermile::runtime {
namespace {

/// Ranks of which one began to measure when another had nearly ended tell little about each other.
constexpr double least_overlap = 0.5;

/// What fewer iterations say about a loop is worse than what the means of all say; of the first
/// iteration there may be no more than that.
constexpr double least_of_all = 1.5;
constexpr double least_of_first = 0.9;

/// Throws Error{model} where a rank means other functions than this one.
void check_functions(const model::RankTimeline& rank, std::size_t functions) {
  for (const model::Operation& operation : rank.operations)
    if (operation.function >= functions)
      throw Error(ErrorKind::model, "a recorded MPI function is unknown");
}

/// The part of the timelines from one moment to another. Of ranks of one loop, those that get there
/// later have all that the first one waits for in it, too.
model::Timeline part(const std::vector<Measurement>& measurements, Seconds from, Seconds to,
                     const std::vector<std::string>& functions) {
  std::vector<const model::RankTimeline*> ranks;
  for (const Measurement& m : measurements)
    ranks.push_back(&*m.timeline);
  constexpr Seconds whenever{std::numeric_limits<double>::infinity()};
  const bool one_loop = measurements.front().of_one_loop;
  return {.functions = functions,
          .ranks = model::common_part(ranks, from, to, one_loop ? whenever : to)};
}

/// Of what ranks of one loop have in common, the end of the iteration that is over first.
Seconds end_of(const CommonWindow& window, const std::vector<Measurement>& measurements) {
  Seconds to = window.to;
  if (measurements.front().of_one_loop)
    for (const Measurement& m : measurements)
      to = std::min(to, end(*m.timeline) - m.timeline->computation_after);
  return to;
}

/// About, of all ranks, per second of the window.
double events_per_second(const std::vector<Measurement>& measurements) {
  double events = 0;
  for (const Measurement& m : measurements)
    if (const Seconds length = end(*m.timeline) - m.timeline->begin; length > Seconds{})
      events += static_cast<double>(m.timeline->events.size()) / length.value();
  return events;
}

/// Time that a choice can afford the events of; without end where nobody waits for it.
Seconds affordable(const std::vector<Measurement>& measurements,
                   const DecisionBudget& decision_budget) {
  constexpr double few = 2; // iterations
  if (!decision_budget.limited())
    return Seconds{std::numeric_limits<double>::infinity()};
  const double per_second = events_per_second(measurements);
  return std::clamp(longest_iteration(measurements) * few,
                    Seconds{static_cast<double>(decision_budget.good_events()) / per_second},
                    Seconds{static_cast<double>(decision_budget.most_events()) / per_second});
}

/// The latest of the iterations that all ranks have in common, as many as a choice can afford;
/// empty where these are too few.
std::vector<Iterations> enough_iterations(const std::vector<Measurement>& measurements,
                                          const DecisionBudget& decision_budget) {
  std::vector<Iterations> common = common_iterations(measurements);
  if (common.empty())
    return common;
  const double most = affordable(measurements, decision_budget) / longest_iteration(measurements);
  const bool is_first = std::ranges::all_of(
      measurements, [](const Measurement& m) { return m.iterations.size() < 3; });
  const std::size_t count = most < static_cast<double>(common.front().count)
                                ? static_cast<std::size_t>(most)
                                : common.front().count;
  if (count < (is_first ? 1 : 2))
    return {};
  for (Iterations& iterations : common)
    iterations = {.first = iterations.first + iterations.count - count, .count = count};
  return common;
}

/// Whether ranks begin these iterations, or end them, so long before others that between two
/// moments they do more of them, or fewer.
bool are_apart(const std::vector<Measurement>& measurements,
               const std::vector<Iterations>& iterations) {
  constexpr double far = 0.5; // of an iteration
  std::vector<Seconds> begins;
  std::vector<Seconds> ends;
  for (std::size_t r = 0; r < iterations.size(); ++r) {
    const auto [begin, end] = moments(measurements[r], iterations[r]);
    begins.push_back(begin);
    ends.push_back(end);
  }
  const Seconds most = longest_iteration(measurements) * far;
  return !iterations.empty() && (std::ranges::max(begins) - std::ranges::min(begins) > most ||
                                 std::ranges::max(ends) - std::ranges::min(ends) > most);
}

/// The last rank that begins them is the one that others wait for, and so the one that takes as
/// long for them as the program does.
std::optional<RecordedWindow> window_of(const std::vector<Measurement>& measurements,
                                        const std::vector<Iterations>& iterations,
                                        const std::vector<std::string>& functions) {
  if (iterations.empty())
    return std::nullopt;
  RecordedWindow window{.timeline = {.functions = functions, .ranks = {}}};
  for (std::size_t r = 0; r < measurements.size(); ++r) {
    window.timeline.ranks.push_back(extract(measurements[r], iterations[r]));
    const Seconds begin = window.timeline.ranks.back().begin;
    window.begin = std::max(window.begin.value_or(begin), begin);
  }
  return window;
}

/// What all ranks did in the time of which they all have told; the end of it, where
/// `decision_budget` says so. None is copied before it is known to be enough: that takes longer
/// than some choices.
std::optional<RecordedWindow> common_time(const CommonWindow& window,
                                          const std::vector<Measurement>& measurements,
                                          const std::vector<std::string>& functions,
                                          const DecisionBudget& decision_budget) {
  const bool is_first = std::ranges::all_of(
      measurements, [](const Measurement& m) { return m.iterations.size() < 3; });
  const Seconds iteration = longest_iteration(measurements);
  if (window.to - window.from <= least_overlap * window.shortest ||
      window.to - window.from < iteration * (is_first ? least_of_first : least_of_all))
    return std::nullopt;
  const Seconds to = end_of(window, measurements);
  Seconds from = window.from;
  if (decision_budget.limited()) {
    const Seconds most = affordable(measurements, decision_budget);
    if (most < std::min(to - from, iteration * least_of_all))
      return std::nullopt;
    from = std::max(from, to - most);
  }
  return RecordedWindow{part(measurements, from, to, functions)};
}

} // namespace

std::optional<RecordedWindow> recorded_window(const std::vector<Measurement>& measurements,
                                              const std::vector<std::string>& functions,
                                              const DecisionBudget& decision_budget) {
  const auto window = common_window(measurements);
  if (!window)
    return std::nullopt;
  for (const Measurement& m : measurements) {
    if (!m.timeline->incomplete.empty())
      return std::nullopt;
    check_functions(*m.timeline, functions.size());
  }
  const std::vector<Iterations> iterations = enough_iterations(measurements, decision_budget);
  if (!are_apart(measurements, iterations))
    if (auto time = common_time(*window, measurements, functions, decision_budget))
      return time;
  return window_of(measurements, iterations, functions);
}

} // namespace hypermile::runtime
