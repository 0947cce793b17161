#include "runtime/loop/period_search.hpp"

#include <algorithm>
#include <limits>

namespace hypermile::runtime {
namespace {

/// Calls; whoever looks at what has been repeated walks through all of it.
constexpr std::size_t far_enough = 1 << 16;

} // namespace

std::optional<PeriodicRun> PeriodSearch::extend(const CallWindow& window) {
  const auto& symbols = window.symbols();
  std::optional<PeriodicRun> longest;
  for (Followed& each : followed_) {
    PeriodicRun& run = each.run;
    if (run.period == 0)
      continue;
    if (run.period >= symbols.size() ||
        symbols[symbols.size() - 1 - run.period] != symbols.back()) {
      each = {};
      continue;
    }
    if (++run.matched < each.next)
      continue;
    each.next = each.next < far_enough ? 2 * each.next : std::numeric_limits<std::size_t>::max();
    if (!longest || run.period > longest->period)
      longest = run;
  }
  return longest;
}

std::size_t PeriodSearch::steady_period() const {
  std::size_t longest = 0;
  for (const auto& [run, next] : followed_)
    if (run.matched >= 2 * run.period + longest_token)
      longest = std::max(longest, run.period);
  return longest;
}

PeriodicRun PeriodSearch::propose(const CallWindow& window, const Token& token, std::size_t period,
                                  std::size_t most) {
  const auto is_known = [period](const Followed& each) { return each.run.period == period; };
  if (std::ranges::any_of(followed_, is_known))
    return {};
  const auto& symbols = window.symbols();
  PeriodicRun proposed{.period = period, .token = token, .at = window.next() - 1};
  most = std::min({most, period, symbols.size() - period});
  while (proposed.matched < most && symbols[symbols.size() - 1 - proposed.matched] ==
                                        symbols[symbols.size() - 1 - proposed.matched - period])
    ++proposed.matched;
  auto& worst = *std::ranges::min_element(followed_, {},
                                          [](const Followed& each) { return each.run.matched; });
  if (worst.run.period == 0 || worst.run.matched < proposed.matched)
    worst = {proposed, proposed.matched < period ? period : 2 * period};
  return proposed;
}

} // namespace hypermile::runtime
