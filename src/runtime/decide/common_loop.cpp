#include "runtime/decide/common_loop.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace hypermile::runtime {
namespace {

constexpr double same_loop_tolerance = 0.2;

/// A rank for which no other has to wait runs ahead: its iterations are shorter than those of ranks
/// that are slower, until it has to wait for them; by as much as speeds and gears differ, and what
/// the ranks have to do. They make as many calls. One that holds two of a loop inside would make
/// twice as many.
bool runs_ahead(const Measurement& m, const Measurement& common) {
  constexpr double same_calls = 0.05;
  constexpr double most = 4;
  return std::abs(m.calls / common.calls - 1) <= same_calls && length(common) <= length(m) * most &&
         length(m) <= length(common) * most;
}

/// How many of its iterations one of the common loop holds.
double times(const Measurement& m, const Measurement& common) {
  const double factor = length(common) / length(m);
  const bool is_same = std::abs(factor - 1) <= same_loop_tolerance || !std::isfinite(factor) ||
                       runs_ahead(m, common);
  return is_same ? 1 : factor;
}

/// The iterations of the rank begin with the first events that are over after these moments.
void divide(Measurement& m, const std::vector<Seconds>& moments) {
  const model::RankTimeline& timeline = *m.timeline;
  m.iterations.clear();
  m.computations.clear();
  m.scales.clear();
  model::RankClock clock(timeline);
  auto next = std::ranges::lower_bound(moments, timeline.begin);
  const std::uint64_t first = model::events_before(timeline);
  Seconds computed;
  Seconds passed; // as it was
  for (std::size_t e = 0; e < timeline.events.size(); ++e) {
    const Seconds end = clock.next().left;
    if (next != moments.end() && *next < end) {
      if (!m.iterations.empty()) {
        m.computations.push_back(computed);
        m.scales.push_back(computed > Seconds{} ? passed / computed : 1);
      }
      m.iterations.push_back(first + e);
      computed = {};
      passed = {};
      next = std::ranges::lower_bound(next, moments.end(), end);
    }
    const Seconds before{static_cast<double>(timeline.events[e].computation)};
    computed += before / model::scale_before(timeline, e);
    passed += before;
  }
}

/// The rank of the longest loop that was repeated while all ranks recorded their events; of the
/// longest of all where none was.
const Measurement& common_loop(const std::vector<Measurement>& measurements) {
  std::vector<const Measurement*> by_length;
  for (const Measurement& m : measurements)
    by_length.push_back(&m);
  std::ranges::stable_sort(by_length, std::ranges::greater{},
                           [](const Measurement* m) { return length(*m); });
  const auto window = common_window(measurements);
  const auto was_repeated = [&](const Measurement* m) {
    return std::ranges::count_if(boundaries(*m), [&](Seconds begin) {
             return begin >= window->from && begin <= window->to;
           }) > 2;
  };
  const auto found = window ? std::ranges::find_if(by_length, was_repeated) : by_length.end();
  return found == by_length.end() ? *by_length.front() : **found;
}

} // namespace

Seconds longest_iteration(const std::vector<Measurement>& measurements) {
  Seconds longest;
  for (const Measurement& m : measurements)
    longest = std::max(longest, m.computation + m.communication);
  return longest;
}

std::vector<Seconds> boundaries(const Measurement& m) {
  std::vector<Seconds> moments;
  model::RankClock clock(*m.timeline);
  Seconds over = m.timeline->begin;
  std::uint64_t event = model::events_before(*m.timeline);
  auto next = std::ranges::lower_bound(m.iterations, event);
  const auto note = [&](Seconds moment) {
    for (; next != m.iterations.end() && *next == event; ++next)
      moments.push_back(moment);
  };
  for (std::size_t e = 0; e < m.timeline->events.size(); ++e) {
    const model::RankClock::Moments now = clock.next();
    note(now.begin);
    over = now.left;
    ++event;
  }
  note(over);
  return moments;
}

bool are_of_one_loop(const std::vector<Measurement>& measurements) {
  const Measurement& longest =
      *std::ranges::max_element(measurements, {}, [](const auto& m) { return length(m); });
  return std::ranges::all_of(measurements,
                             [&](const Measurement& m) { return times(m, longest) == 1; });
}

std::vector<Measurement> comparable(std::vector<Measurement> measurements) {
  if (are_of_one_loop(measurements)) // as nearly always: no need to look at the events
    return measurements;
  const Measurement& common = common_loop(measurements); // whose own factor is 1
  const std::vector<Seconds> moments =
      common.timeline ? boundaries(common) : std::vector<Seconds>{};
  const bool one_loop = std::ranges::all_of(
      measurements, [&](const Measurement& m) { return times(m, common) == 1; });
  for (Measurement& m : measurements) {
    m.of_one_loop = m.of_one_loop && one_loop;
    const double factor = times(m, common);
    if (factor == 1)
      continue;
    m.computation = m.computation * factor;
    m.computation_in_gear0 = m.computation_in_gear0 * factor;
    m.communication = m.communication * factor;
    m.deviation = m.deviation * factor;
    m.calls *= factor;
    if (m.timeline)
      divide(m, moments);
  }
  return measurements;
}

std::optional<CommonWindow> common_window(const std::vector<Measurement>& measurements) {
  CommonWindow window;
  for (const Measurement& m : measurements) {
    if (!m.timeline)
      return std::nullopt;
    const Seconds last = end(*m.timeline);
    window.from = std::max(window.from, m.timeline->begin);
    window.to = std::min(window.to, last);
    window.shortest = std::min(window.shortest, last - m.timeline->begin);
    window.latest = std::max(window.latest, last);
  }
  return window;
}

std::vector<bool> outdated(const std::vector<Measurement>& measurements) {
  constexpr double enough_of_window = 0.5;
  constexpr double enough_iterations = 1.5;
  constexpr double late = 0.1; // of a rank's events
  const auto window = common_window(measurements);
  const Seconds longest =
      length(*std::ranges::max_element(measurements, {}, [](const auto& m) { return length(m); }));
  std::vector<bool> ranks;
  if (!window || window->to - window->from >=
                     std::max(window->shortest * enough_of_window, longest * enough_iterations))
    return ranks;
  for (const Measurement& m : measurements)
    ranks.push_back(end(*m.timeline) < window->latest - window->shortest * late);
  if (std::ranges::find(ranks, true) == ranks.end())
    ranks.clear();
  return ranks;
}

} // namespace hypermile::runtime
