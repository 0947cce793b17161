#include "runtime/loop/found_loop.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace hypermile::runtime {
namespace {

using Places = std::span<const Symbol>;

/// An iteration that is so many times as long as others, or as short, is none of the loop's.
constexpr double interruption = 4;
constexpr std::size_t recent_iterations = 8; ///< iterations
/// Calls between an anchor and the place that is preferred to it.
constexpr std::size_t most_moved = 16;

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

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

/// A token, and the calls that end with it.
struct Passed {
  Token token;
  std::vector<std::size_t> calls{};
};

/// The tokens of places that end with the last boundary or few calls before it; the nearest first.
/// With their calls, from as many before the first boundary on.
std::vector<Passed> place_tokens(const CallWindow& window, Places places,
                                 std::span<const std::size_t> boundaries,
                                 std::span<const Grain> of) {
  const std::size_t few =
      std::min(most_moved, (boundaries.back() - boundaries[boundaries.size() - 2]) / 4);
  std::vector<Passed> tokens;
  std::vector<bool> ends_one(places.size()); // by place, of which there are no more than calls
  const auto first =
      std::max(window.first(), boundaries.front() - std::min(boundaries.front(), few));
  const auto walk = [&](std::size_t from, std::size_t to, const auto& visit) {
    TokenStream stream;
    for (std::size_t call = std::max(window.first() + 1, from) - 1; call <= to; ++call) {
      const Symbol symbol = window.symbol(call);
      stream.add(symbol, places[symbol]);
      if (call >= from)
        visit(call, symbol, stream);
    }
  };
  const auto remember = [&](std::size_t, Symbol symbol, const TokenStream& stream) {
    for (const Grain grain : of)
      tokens.push_back({{grain, stream.value(grain)}});
    ends_one[places[symbol]] = true;
  };
  walk(boundaries.back() - few, boundaries.back(), remember);
  std::ranges::reverse(tokens);
  walk(first, boundaries.back(), [&](std::size_t call, Symbol symbol, const TokenStream& stream) {
    if (!ends_one[places[symbol]])
      return;
    for (Passed& each : tokens)
      if (stream.is_at(each.token))
        each.calls.push_back(call);
  });
  return tokens;
}

bool is_once_in_each(std::span<const std::size_t> calls, std::span<const std::size_t> boundaries) {
  auto call = std::ranges::upper_bound(calls, boundaries.front());
  if (call - calls.begin() > 1)
    return false;
  for (const std::size_t boundary : boundaries.subspan(1)) {
    if (call == calls.end() || *call > boundary)
      return false;
    ++call;
    if (call != calls.end() && *call <= boundary)
      return false;
  }
  return true;
}

} // namespace

void FoundLoop::add_boundary(const CallWindow& window) {
  boundaries.push_back(window.next() - 1);
  last = window.now();
  ++iterations;
}

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
double FoundLoop::usual_length(const CallWindow& window) const {
  constexpr std::size_t enough = 64;
  auto inside = boundaries_in(window);
  if (inside.size() < 2)
    return length();
  inside = inside.last(std::min(inside.size(), enough + 1));
  std::vector<double> lengths;
  for (std::size_t i = 1; i < inside.size(); ++i)
    lengths.push_back(window.end(inside[i]) - window.end(inside[i - 1]));
  return std::min(length(), 3 * median_of(lengths));
}

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
  for (std::size_t i = calls.size() - 1; i > 0 && lengths.size() < recent_iterations; --i)
    lengths.push_back(length(i));
  const double median = median_of(lengths);
  std::size_t first = calls.size() - 1;
  while (first > 0 && length(first) <= interruption * median &&
         length(first) * interruption >= median)
    --first;
  calls.erase(calls.begin(), calls.begin() + static_cast<std::ptrdiff_t>(first));
  loop.count_boundaries(window);
  return loop;
}

void prefer_place(FoundLoop& loop, const CallWindow& window, Places places,
                  std::span<const Grain> of) {
  const auto boundaries = loop.boundaries_in(window);
  if (is_of_places(loop.anchor.grain) || boundaries.size() < 3)
    return;
  std::vector<Passed> tokens = place_tokens(window, places, boundaries, of);
  const auto best = std::ranges::find_if(
      tokens, [&](const Passed& each) { return is_once_in_each(each.calls, boundaries); });
  if (best == tokens.end())
    return;
  loop.anchor = best->token;
  loop.boundaries = std::move(best->calls);
  loop.count_boundaries(window);
}

} // namespace hypermile::runtime
