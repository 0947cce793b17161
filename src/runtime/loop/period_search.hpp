#pragma once

#include "runtime/loop/found_loop.hpp"

#include <array>
#include <optional>

namespace hypermile::runtime {

/// Follows some periods that the stream may be having. One comparison per call for each; a period
/// is dropped when it fails.
class PeriodSearch {
public:
  /// A call is new in the window. Returns what has been repeated once with it, or 2, 4, 8 times:
  /// what was too short to matter may have grown. The longest of these.
  std::optional<PeriodicRun> extend(const CallWindow& window);
  /// The token at the last call was there a period ago. Returns how much equals what was before,
  /// looking back so many calls at most; nothing where the period is known.
  PeriodicRun propose(const CallWindow& window, const Token& token, std::size_t period,
                      std::size_t most);

  /// The longest of those that the last calls have had three times at least; 0: there is none.
  [[nodiscard]] std::size_t steady_period() const;

private:
  struct Followed {
    PeriodicRun run;
    std::size_t next = 0; ///< it is returned when so many calls have matched
  };
  std::array<Followed, 4> followed_{};
};

} // namespace hypermile::runtime
