#include "runtime/loop/period_search.hpp"

#include <algorithm>

namespace hypermile::runtime {

std::optional<PeriodicRun> PeriodSearch::extend(const CallWindow& window) {
  const auto& symbols = window.symbols();
  std::optional<PeriodicRun> longest;
  for (PeriodicRun& each : candidates_) {
    if (each.period == 0)
      continue;
    if (each.period >= symbols.size() ||
        symbols[symbols.size() - 1 - each.period] != symbols.back()) {
      each = {};
      continue;
    }
    ++each.matched;
    if ((each.matched == each.period || each.matched == 2 * each.period) &&
        (!longest || each.period > longest->period))
      longest = each;
  }
  return longest;
}

PeriodicRun PeriodSearch::propose(const CallWindow& window, const Token& token, std::size_t period,
                                  std::size_t most) {
  if (std::ranges::find(candidates_, period, &PeriodicRun::period) != candidates_.end())
    return {};
  const auto& symbols = window.symbols();
  PeriodicRun proposed{.period = period, .token = token, .at = window.next() - 1};
  most = std::min({most, period, symbols.size() - period});
  while (proposed.matched < most && symbols[symbols.size() - 1 - proposed.matched] ==
                                        symbols[symbols.size() - 1 - proposed.matched - period])
    ++proposed.matched;
  auto& worst = *std::ranges::min_element(candidates_, {}, &PeriodicRun::matched);
  if (worst.period == 0 || worst.matched < proposed.matched)
    worst = proposed;
  return proposed;
}

} // namespace hypermile::runtime
