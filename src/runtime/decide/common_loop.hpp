#pragma once

#include "runtime/exchange/messages.hpp"

#include <limits>
#include <optional>
#include <vector>

/// Ranks may have found different loops: an inner one here, the one around it there.
namespace hypermile::runtime {

/// Mean time of an iteration.
[[nodiscard]] inline Seconds length(const Measurement& m) {
  return m.computation + m.communication;
}

/// Of the rank that takes longest for one.
[[nodiscard]] Seconds longest_iteration(const std::vector<Measurement>& measurements);
/// When the iterations begin of which all is recorded; the last moment is the end of them.
/// `measurement`: with a timeline.
[[nodiscard]] std::vector<Seconds> boundaries(const Measurement& measurement);

/// Every measurement as if of one loop: of those that ranks found the longest that was repeated
/// while all recorded their events. Lengths that differ by 20 % or less are of the same loop. The
/// iterations of a rank that found another are what it did while that loop went through each of its
/// own.
[[nodiscard]] std::vector<Measurement> comparable(std::vector<Measurement> measurements);

/// Whether all ranks found the same one, as far as its length tells.
[[nodiscard]] bool are_of_one_loop(const std::vector<Measurement>& measurements);

/// What the events of all ranks have in common.
struct CommonWindow {
  Seconds from;
  Seconds to{std::numeric_limits<double>::infinity()};
  Seconds shortest{std::numeric_limits<double>::infinity()}; ///< of a single rank's
  Seconds latest;                                            ///< end of one
};

/// None where a rank has told no events.
[[nodiscard]] std::optional<CommonWindow>
common_window(const std::vector<Measurement>& measurements);

/// Ranks that told long before others did what they measured may have no events of the same time.
/// By rank, whether it is to tell again; empty: none is.
[[nodiscard]] std::vector<bool> outdated(const std::vector<Measurement>& measurements);

} // namespace hypermile::runtime
