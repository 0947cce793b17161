#pragma once

#include "runtime/exchange/messages.hpp"

#include <optional>
#include <vector>

namespace hypermile::runtime {

/// In s: of the iterations of which the rank's events have the first, and that ran in its last
/// gear.
[[nodiscard]] std::vector<double> recorded_lengths(const Measurement& measurement);

/// An iteration like most others.
struct UsualIteration {
  Seconds time;
  Seconds computation; ///< of the rank with most, in gear 0
};

/// Medians of the iterations that were recorded in the present gears: an inner loop that is left
/// and entered again has some that are much longer than others. None where a rank has not enough.
[[nodiscard]] std::optional<UsualIteration>
usual_iteration(const std::vector<Measurement>& measurements);

} // namespace hypermile::runtime
