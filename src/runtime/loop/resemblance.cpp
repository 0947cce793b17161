#include "runtime/loop/resemblance.hpp"

#include <algorithm>
#include <utility>

namespace hypermile::runtime {

IterationComparison::Count IterationComparison::compare(std::span<const Symbol> iteration,
                                                        std::span<const Symbol> places,
                                                        std::uint32_t number) {
  Count count{.calls = static_cast<double>(iteration.size())};
  std::uint32_t rank = 0;
  std::uint32_t last_rank = 0; // in the iteration before, from 1 on
  for (const Symbol call : iteration) {
    const Symbol symbol = places.empty() ? call : places[call];
    if (symbol >= seen_.size())
      seen_.resize(std::max(seen_.size() * 2, std::size_t{symbol} + 1));
    Seen& seen = seen_[symbol];
    if (seen.iteration != number) {
      seen.before = seen.iteration + 1 == number;
      if (seen.before) {
        ++count.common;
        count.ascending += seen.rank > last_rank ? 1 : 0;
        last_rank = seen.rank;
      }
      seen.iteration = number;
      seen.rank = ++rank;
    }
    count.common_calls += seen.before ? 1 : 0;
  }
  count.different = rank;
  return count;
}

Resemblance IterationComparison::operator()(const CallWindow& window,
                                            std::span<const std::size_t> boundaries,
                                            std::span<const Symbol> places) {
  std::ranges::fill(seen_, Seen{});
  Count sum;
  double either = 0;
  double before = 0;
  for (std::size_t i = 1; i < boundaries.size(); ++i) {
    const auto calls =
        std::span(window.symbols())
            .subspan(boundaries[i - 1] + 1 - window.first(), boundaries[i] - boundaries[i - 1]);
    const Count count = compare(calls, places, static_cast<std::uint32_t>(i));
    if (i > 1) {
      sum.calls += count.calls;
      sum.common_calls += count.common_calls;
      sum.common += count.common;
      sum.ascending += count.ascending;
      either += before + count.different - count.common;
    }
    before = count.different;
  }
  if (sum.common == 0)
    return {};
  return {.presence = std::max(sum.common / either, sum.common_calls / sum.calls),
          .order = sum.ascending / sum.common,
          .disorder = (sum.common - sum.ascending) / static_cast<double>(boundaries.size() - 2)};
}

bool IterationComparison::has_own_calls(const CallWindow& window,
                                        std::span<const std::size_t> outer,
                                        std::span<const std::size_t> inner) {
  std::ranges::fill(presences_, Presence{});
  std::uint32_t in_outer = 1;
  std::uint32_t in_inner = 1;
  auto next = std::ranges::upper_bound(inner, std::max(inner.front(), outer.front()));
  for (std::size_t call = outer.front() + 1; call <= outer.back(); ++call) {
    const Symbol symbol = window.symbol(call);
    if (symbol >= presences_.size())
      presences_.resize(std::max(presences_.size() * 2, std::size_t{symbol} + 1));
    Presence& presence = presences_[symbol];
    presence.outer_count += std::exchange(presence.outer, in_outer) != in_outer ? 1 : 0;
    if (call == outer[in_outer])
      ++in_outer;
    if (call <= inner.front())
      continue;
    presence.inner_count += std::exchange(presence.inner, in_inner) != in_inner ? 1 : 0;
    if (next != inner.end() && call == *next) {
      ++in_inner;
      ++next;
    }
  }
  const auto iterations = static_cast<std::uint32_t>(outer.size() - 1);
  return std::ranges::any_of(presences_, [&](const Presence& presence) {
    return presence.outer_count >= iterations && presence.inner_count * 2 <= in_inner;
  });
}

} // namespace hypermile::runtime
