#include "runtime/decide/aligned_iterations.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace hypermile::runtime {
namespace {

/// What an event does, apart from when, with whom, and with how much exactly: that differs between
/// ranks which do the same.
struct EventKind {
  std::uint16_t function = 0;
  model::Action action = model::Action::other;
  bool ends_call = false;
  int magnitude = 0; ///< of the bytes, as a power of two
  auto operator<=>(const EventKind&) const = default;
};

using EventKinds = std::vector<EventKind>;

EventKinds kinds_of(const model::RankTimeline& rank, std::size_t first, std::size_t end) {
  EventKinds kinds;
  for (std::size_t e = first; e < end; ++e) {
    const model::Operation& operation = rank.operations[rank.events[e].operation];
    kinds.push_back({operation.function, operation.action, rank.events[e].ends_call != 0,
                     static_cast<int>(std::bit_width(operation.bytes))});
  }
  return kinds;
}

/// What most iterations of a rank are like, and the first event of one such.
struct Pattern {
  EventKinds kinds;
  std::size_t first = 0;
  bool of_all = true; ///< iterations
};

/// None where no whole iteration was recorded. The last one may have been told of before its last
/// messages were there.
std::optional<Pattern> pattern_of(const Measurement& m) {
  const std::uint64_t begin = model::events_before(*m.timeline);
  std::vector<Pattern> patterns;
  std::vector<std::size_t> counts;
  for (std::size_t i = 0; i + 2 < m.iterations.size(); ++i) {
    if (m.iterations[i] < begin)
      continue;
    const std::size_t first = m.iterations[i] - begin;
    EventKinds kinds = kinds_of(*m.timeline, first, m.iterations[i + 1] - begin);
    const auto known = std::ranges::find(patterns, kinds, &Pattern::kinds) - patterns.begin();
    if (known == std::ssize(patterns)) {
      patterns.push_back({std::move(kinds), first});
      counts.push_back(0);
    }
    ++counts[static_cast<std::size_t>(known)];
  }
  if (patterns.empty())
    return std::nullopt;
  Pattern most =
      patterns[static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin())];
  most.of_all = patterns.size() == 1;
  if (most.kinds.empty() || !most.kinds.back().ends_call)
    return std::nullopt;
  return most;
}

EventKinds rotated(EventKinds kinds, std::size_t by) {
  std::ranges::rotate(kinds, kinds.begin() + static_cast<std::ptrdiff_t>(by));
  return kinds;
}

/// Where it could begin, and be the same as `wanted`.
std::vector<std::size_t> places(const EventKinds& kinds, const EventKinds& wanted) {
  std::vector<std::size_t> found;
  if (kinds.size() != wanted.size())
    return found;
  for (std::size_t by = 0; by < kinds.size(); ++by)
    if (rotated(kinds, by) == wanted)
      found.push_back(by);
  return found;
}

/// Begins of events, and the end of the last.
std::vector<Seconds> moments_of(const model::RankTimeline& rank) {
  std::vector<Seconds> moments;
  model::RankClock clock(rank);
  Seconds over = rank.begin;
  for (std::size_t e = 0; e < rank.events.size(); ++e) {
    const model::RankClock::Moments now = clock.next();
    moments.push_back(now.begin);
    over = now.left;
  }
  moments.push_back(over);
  return moments;
}

/// How far a moment is from the nearest one at which an iteration may begin.
double distance(Seconds moment, Seconds begin, Seconds iteration) {
  const double iterations = (moment - begin) / iteration;
  return std::abs(iterations - std::round(iterations));
}

/// Iterations that are as wanted, one after the other, with the one that begins there.
void divide(Measurement& m, std::size_t there, const EventKinds& wanted) {
  const auto is_wanted = [&](std::size_t first) {
    return first + wanted.size() <= m.timeline->events.size() &&
           kinds_of(*m.timeline, first, first + wanted.size()) == wanted;
  };
  while (there >= wanted.size() && is_wanted(there - wanted.size()))
    there -= wanted.size();
  std::vector<std::uint64_t> iterations{there};
  for (; is_wanted(there); there += wanted.size())
    iterations.push_back(there + wanted.size());
  if (iterations.size() < 2)
    return;
  for (std::uint64_t& first : iterations)
    first += model::events_before(*m.timeline);
  m.iterations = std::move(iterations);
}

/// Of the places that look the same the one that is nearest in time.
void align(Measurement& m, const Pattern& pattern, const EventKinds& wanted, Seconds begin) {
  const std::vector<Seconds> moments = moments_of(*m.timeline);
  const Seconds iteration = moments[pattern.first + wanted.size()] - moments[pattern.first];
  std::optional<std::size_t> nearest;
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t place : places(pattern.kinds, wanted)) {
    const double off = distance(moments[pattern.first + place], begin, iteration);
    if (off < least) {
      least = off;
      nearest = place;
    }
  }
  if (nearest)
    divide(m, pattern.first + *nearest, wanted);
}

} // namespace

void align_iterations(std::vector<Measurement>& measurements) {
  std::vector<std::optional<Pattern>> of_ranks;
  std::map<EventKinds, std::size_t> counts;
  for (const Measurement& m : measurements) {
    of_ranks.push_back(m.timeline ? pattern_of(m) : std::nullopt);
    if (of_ranks.back())
      ++counts[of_ranks.back()->kinds];
  }
  if (counts.empty())
    return;
  const EventKinds& wanted =
      std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })->first;
  const auto is_model = [&](const std::optional<Pattern>& pattern) {
    return pattern && pattern->kinds == wanted;
  };
  const auto model_rank =
      static_cast<std::size_t>(std::ranges::find_if(of_ranks, is_model) - of_ranks.begin());
  const Seconds begin = moments_of(*measurements[model_rank].timeline)[of_ranks[model_rank]->first];
  for (std::size_t r = 0; r < measurements.size(); ++r)
    if (of_ranks[r] && of_ranks[r]->kinds.size() == wanted.size() &&
        !(is_model(of_ranks[r]) && of_ranks[r]->of_all))
      align(measurements[r], *of_ranks[r], wanted, begin);
}

} // namespace hypermile::runtime
