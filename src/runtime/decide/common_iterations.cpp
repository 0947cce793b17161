#include "runtime/decide/common_iterations.hpp"

#include "runtime/decide/common_loop.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace hypermile::runtime {
namespace {

/// What two ranks both count: messages from one to the other, or collective operations of a
/// communicator that they joined.
using Key = std::tuple<bool, std::uint64_t, std::int32_t, std::int32_t>;

Key of_collectives(std::uint64_t communicator) { return {true, communicator, -1, -1}; }
Key of_messages(std::uint64_t communicator, std::int32_t from, std::int32_t to) {
  return {false, communicator, from, to};
}

/// Those of which all events were recorded.
Iterations recorded(const Measurement& m) {
  const std::uint64_t begin = model::events_before(*m.timeline);
  const std::uint64_t end = begin + m.timeline->events.size();
  const auto from = std::ranges::lower_bound(m.iterations, begin);
  const auto to = std::ranges::upper_bound(m.iterations, end);
  const auto boundaries = to - from;
  return {static_cast<std::size_t>(from - m.iterations.begin()),
          boundaries > 1 ? static_cast<std::size_t>(boundaries - 1) : 0};
}

std::size_t event_at(const Measurement& m, std::size_t boundary) {
  return static_cast<std::size_t>(m.iterations[boundary] - model::events_before(*m.timeline));
}

/// How far a rank has come by its first recorded iteration, and how far it comes in each.
struct Progress {
  double before = 0;
  double in_iteration = 0;
};

std::map<Key, Progress> progress_of(const Measurement& m, const Iterations& iterations) {
  const auto before = model::occurrences_before(*m.timeline, event_at(m, iterations.first));
  const auto after =
      model::occurrences_before(*m.timeline, event_at(m, iterations.first + iterations.count));
  std::map<Key, Progress> all;
  for (std::size_t o = 0; o < m.timeline->operations.size(); ++o) {
    const model::Operation& operation = m.timeline->operations[o];
    const auto add = [&](const Key& key) {
      Progress& progress = all[key];
      progress.before += static_cast<double>(before[o]);
      progress.in_iteration +=
          static_cast<double>(after[o] - before[o]) / static_cast<double>(iterations.count);
    };
    if (operation.action == model::Action::arrive)
      add(of_collectives(operation.communicator));
    else if (operation.action == model::Action::send)
      add(of_messages(operation.communicator, m.rank, operation.partner));
    else if (operation.action == model::Action::receive)
      add(of_messages(operation.communicator, operation.partner, m.rank));
  }
  return all;
}

/// By how many iterations the second rank's first one is later in the program than the first
/// rank's; none where what they count does not tell.
std::optional<std::ptrdiff_t> distance(const std::map<Key, Progress>& a,
                                       const std::map<Key, Progress>& b) {
  constexpr double alike = 0.05;
  std::optional<std::ptrdiff_t> distance;
  double most = 0;
  for (const auto& [key, of_a] : a) {
    const auto found = b.find(key);
    if (found == b.end() || of_a.in_iteration <= most)
      continue;
    const Progress& of_b = found->second;
    if (std::abs(of_a.in_iteration - of_b.in_iteration) > alike * of_a.in_iteration)
      continue;
    most = of_a.in_iteration;
    distance = std::lround((of_b.before - of_a.before) / of_a.in_iteration);
  }
  return distance;
}

/// Of each rank's first iteration from that of the first rank, by whom they have to do with; none
/// where some have to do with no other.
std::optional<std::vector<std::ptrdiff_t>>
distances(const std::vector<std::map<Key, Progress>>& progress) {
  std::map<Key, std::vector<std::size_t>> who;
  for (std::size_t r = 0; r < progress.size(); ++r)
    for (const auto& [key, unused] : progress[r])
      who[key].push_back(r);
  std::vector<std::optional<std::ptrdiff_t>> found(progress.size());
  found[0] = 0;
  std::vector<std::size_t> known{0};
  for (std::size_t next = 0; next < known.size(); ++next)
    for (const auto& [key, unused] : progress[known[next]])
      for (const std::size_t other : std::exchange(who[key], {})) {
        if (found[other])
          continue;
        if (const auto more = distance(progress[known[next]], progress[other])) {
          found[other] = *found[known[next]] + *more;
          known.push_back(other);
        } else {
          who[key].push_back(other); // somebody else may know
        }
      }
  std::vector<std::ptrdiff_t> all;
  for (const auto& of_rank : found) {
    if (!of_rank)
      return std::nullopt;
    all.push_back(*of_rank);
  }
  return all;
}

} // namespace

std::vector<Iterations> common_iterations(const std::vector<Measurement>& measurements) {
  std::vector<Iterations> iterations;
  std::vector<std::map<Key, Progress>> progress;
  for (const Measurement& m : measurements) {
    iterations.push_back(recorded(m));
    if (!m.of_one_loop || iterations.back().count == 0)
      return {};
    progress.push_back(progress_of(m, iterations.back()));
  }
  const auto begins = distances(progress);
  if (!begins)
    return {};
  const std::ptrdiff_t from = std::ranges::max(*begins);
  std::ptrdiff_t to = std::numeric_limits<std::ptrdiff_t>::max();
  for (std::size_t r = 0; r < iterations.size(); ++r)
    to = std::min(to, (*begins)[r] + static_cast<std::ptrdiff_t>(iterations[r].count));
  if (to <= from)
    return {};
  for (std::size_t r = 0; r < iterations.size(); ++r)
    iterations[r] = {.first = iterations[r].first + static_cast<std::size_t>(from - (*begins)[r]),
                     .count = static_cast<std::size_t>(to - from)};
  return iterations;
}

std::pair<Seconds, Seconds> moments(const Measurement& measurement, const Iterations& iterations) {
  const std::vector<Seconds> all = boundaries(measurement);
  const std::size_t first = iterations.first - recorded(measurement).first;
  return {all[first], all[first + iterations.count]};
}

model::RankTimeline extract(const Measurement& measurement, const Iterations& iterations) {
  const model::RankTimeline& whole = *measurement.timeline;
  model::Part part{.first = event_at(measurement, iterations.first),
                   .end = event_at(measurement, iterations.first + iterations.count),
                   .begin = moments(measurement, iterations).first,
                   .entered = {}};
  part.entered = part.begin;
  if (part.first < part.end)
    part.entered += Seconds{static_cast<double>(whole.events[part.first].computation)};
  return model::extract(whole, part, model::occurrences_before(whole, part.first));
}

} // namespace hypermile::runtime
