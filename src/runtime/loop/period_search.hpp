#pragma once

#include "runtime/loop/found_loop.hpp"

#include <array>
#include <optional>

namespace hypermile::runtime {

/// Follows some periods that the stream may be having. One comparison per call for each; a period
/// is dropped when it fails.
class PeriodSearch {
public:
  /// A call is new in the window. Returns what has been repeated once or twice with it: the
  /// longest.
  std::optional<PeriodicRun> extend(const CallWindow& window);
  /// The token at the last call was there a period ago. Returns how much equals what was before,
  /// looking back so many calls at most; nothing where the period is known.
  PeriodicRun propose(const CallWindow& window, const Token& token, std::size_t period,
                      std::size_t most);

private:
  std::array<PeriodicRun, 4> candidates_{};
};

} // namespace hypermile::runtime
