#include "runtime/loop/found_loop.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace hypermile::runtime {
namespace {

using Places = std::span<const Symbol>;

/// An iteration that is so many times as long as others, or as short, is none of the loop's.
constexpr double interruption = 4;
constexpr std::size_t recent = 8; ///< iterations

struct Anchor {
  Token token;
  std::size_t call; ///< that ends with it
};

/// The last token from there on that is there once.
std::optional<Anchor> last_single(const CallWindow& window, Places places, Grain grain,
                                  std::size_t from) {
  const std::size_t context = std::min<std::size_t>(from - window.first(), 16);
  TokenStream stream;
  std::vector<std::pair<std::uint64_t, std::size_t>> all;
  for (std::size_t call = from - context; call < window.next(); ++call) {
    stream.add(window.symbol(call), places[window.symbol(call)]);
    if (call >= from)
      all.emplace_back(stream.value(grain), call);
  }
  std::ranges::sort(all);
  std::optional<Anchor> last;
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((i == 0 || all[i - 1].first != all[i].first) &&
        (i + 1 == all.size() || all[i + 1].first != all[i].first) &&
        (!last || all[i].second > last->call))
      last = {{grain, all[i].first}, all[i].second};
  return last;
}

/// A token that is once in the period, and the last call with it: places if there are such, for
/// they come back even where sizes or trip counts change.
Anchor choose_anchor(const CallWindow& window, Places places, const PeriodicRun& run) {
  const std::size_t from = window.next() - run.period;
  for (const Grain grain :
       {Grain::place, Grain::place_pair, Grain::call, Grain::pair, Grain::sixteen})
    if (const auto single = last_single(window, places, grain, from))
      return *single;
  Anchor proposed{run.token, run.at};
  while (proposed.call + run.period < window.next())
    proposed.call += run.period;
  return proposed;
}

std::vector<std::size_t> occurrences(const CallWindow& window, Places places, const Token& token) {
  std::vector<std::size_t> calls;
  const auto& symbols = window.symbols();
  TokenStream stream;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    stream.add(symbols[i], places[symbols[i]]);
    if (stream.is_at(token))
      calls.push_back(window.first() + i);
  }
  return calls;
}

} // namespace

void FoundLoop::count_boundaries(const CallWindow& window) {
  iterations = boundaries.size() - 1;
  first_call = boundaries.front();
  begin = window.end(boundaries.front());
  last = window.end(boundaries.back());
}

std::span<const std::size_t> FoundLoop::boundaries_in(const CallWindow& window) const {
  const auto first = std::ranges::lower_bound(boundaries, window.first() - 1);
  return {first, boundaries.end()};
}

/// All that has repeated exactly. Where few calls are missing for the first iteration, those before
/// it stand for them.
FoundLoop exact_loop(const CallWindow& window, Places places, const PeriodicRun& run) {
  const Anchor anchor = choose_anchor(window, places, run);
  std::size_t start = window.next() - run.period - run.matched;
  while (start > window.first() &&
         window.symbol(start - 1) == window.symbol(start - 1 + run.period))
    --start;
  const std::size_t missing = window.next() - 1 - anchor.call;
  start =
      std::max(window.first(), start - std::min(start, missing <= run.period / 4 ? missing : 0));
  FoundLoop loop{.anchor = anchor.token, .exact = true, .boundaries = {anchor.call}};
  while (loop.boundaries.back() + 1 >= start + run.period)
    loop.boundaries.push_back(loop.boundaries.back() - run.period);
  std::ranges::reverse(loop.boundaries);
  loop.count_boundaries(window);
  return loop;
}

FoundLoop loop_between(const CallWindow& window, Places places, const Token& anchor) {
  FoundLoop loop{.anchor = anchor, .boundaries = occurrences(window, places, anchor)};
  auto& calls = loop.boundaries;
  if (calls.size() < 2)
    return loop;
  const auto length = [&](std::size_t i) {
    return window.end(calls[i]) - window.end(calls[i - 1]);
  };
  std::vector<double> lengths;
  for (std::size_t i = calls.size() - 1; i > 0 && lengths.size() < recent; --i)
    lengths.push_back(length(i));
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::ranges::nth_element(lengths, middle);
  const double median = *middle;
  std::size_t first = calls.size() - 1;
  while (first > 0 && length(first) <= interruption * median &&
         length(first) * interruption >= median)
    --first;
  calls.erase(calls.begin(), calls.begin() + static_cast<std::ptrdiff_t>(first));
  loop.count_boundaries(window);
  return loop;
}

void prefer_place(FoundLoop& loop, const CallWindow& window, Places places) {
  if (loop.anchor.grain != Grain::call)
    return;
  const Symbol place = places[loop.anchor.value];
  std::size_t count = 0;
  for (std::size_t call = loop.first_call + 1; call < window.next(); ++call)
    count += places[window.symbol(call)] == place ? 1 : 0;
  if (count == loop.iterations)
    loop.anchor = {Grain::place, place};
}

} // namespace hypermile::runtime
