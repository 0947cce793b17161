#include "runtime/decide/bootstrap_blocks.hpp"

#include <algorithm>
#include <limits>

namespace hypermile::runtime {
namespace {

using Firsts = std::vector<std::vector<std::uint32_t>>;

constexpr std::size_t enough = 4;
constexpr std::size_t most_parts = 16;

/// An iteration of which the timeline lacks no more than this part of the computation is in it.
constexpr double most_missing = 0.05;

/// Of a rank: as iterations_in().
std::vector<std::uint32_t> iterations_in(const Measurement& m, const model::RankTimeline& rank) {
  const std::uint64_t begin = model::events_before(rank);
  const std::uint64_t end = begin + rank.events.size();
  std::vector<std::uint32_t> firsts;
  for (std::size_t i = 0; i + 1 < m.iterations.size(); ++i) {
    const auto first = static_cast<std::uint32_t>(std::clamp(m.iterations[i], begin, end) - begin);
    const auto last =
        static_cast<std::uint32_t>(std::clamp(m.iterations[i + 1], begin, end) - begin);
    if (m.iterations[i] < begin || m.iterations[i + 1] > end) { // a part, by what was told of all
      const std::size_t from_end = m.iterations.size() - 1 - i;
      if (first >= last || from_end > m.computations.size() ||
          computed_in_gear0(rank, first, last) <
              m.computations[m.computations.size() - from_end] * (1 - most_missing))
        continue;
    }
    if (firsts.empty())
      firsts.push_back(first);
    firsts.push_back(last);
  }
  return firsts;
}

} // namespace

std::vector<std::vector<std::uint32_t>> iterations_in(const std::vector<Measurement>& measurements,
                                                      const model::Timeline& timeline) {
  Firsts iterations;
  for (std::size_t r = 0; r < measurements.size(); ++r) {
    iterations.push_back(iterations_in(measurements[r], timeline.ranks[r]));
    if (iterations.back().empty() || !std::ranges::is_sorted(iterations.back()))
      return {};
  }
  return iterations;
}

namespace {

/// The first events after moments that are equally far from each other, and the end; none where
/// the rank computes nothing between two of them.
std::vector<std::uint32_t> parts_of(const model::RankTimeline& rank, Seconds from, Seconds length,
                                    std::size_t count) {
  std::vector<std::uint32_t> firsts{0};
  model::RankClock clock(rank);
  Seconds computed;
  for (std::uint32_t e = 0; e < rank.events.size(); ++e) {
    const Seconds now = clock.next().begin;
    if (firsts.size() < count && now >= from + length * static_cast<double>(firsts.size())) {
      if (computed <= Seconds{})
        return {};
      firsts.push_back(e);
      computed = {};
    }
    computed += Seconds{static_cast<double>(rank.events[e].computation)};
  }
  if (firsts.size() < count || computed <= Seconds{})
    return {};
  firsts.push_back(static_cast<std::uint32_t>(rank.events.size()));
  return firsts;
}

Firsts parts_of(const model::Timeline& timeline, std::size_t count) {
  Seconds from;
  Seconds to{std::numeric_limits<double>::infinity()};
  for (const model::RankTimeline& rank : timeline.ranks) {
    from = std::max(from, rank.begin);
    to = std::min(to, model::end(rank));
  }
  const Seconds length = (to - from) / static_cast<double>(count);
  Firsts parts;
  for (const model::RankTimeline& rank : timeline.ranks) {
    parts.push_back(parts_of(rank, from, length, count));
    if (parts.back().empty())
      return {};
  }
  return parts;
}

} // namespace

std::vector<std::vector<std::uint32_t>>
bootstrap_blocks_of(const std::vector<Measurement>& measurements, const model::Timeline& timeline) {
  Firsts blocks = iterations_in(measurements, timeline);
  if (!std::ranges::all_of(blocks, [](const auto& firsts) { return firsts.size() > enough; }))
    blocks.clear();
  for (std::size_t count = most_parts; blocks.empty() && count >= enough; count /= 2)
    blocks = parts_of(timeline, count);
  return blocks;
}

} // namespace hypermile::runtime
