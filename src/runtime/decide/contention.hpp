#pragma once

#include "runtime/exchange/messages.hpp"

#include <algorithm>
#include <vector>

namespace hypermile::runtime {

/// Other programs took so much of some rank's time while this was measured that clocks tell little
/// of the gears.
///
/// Such a measurement is left out wherever times are compared. What was stolen could be subtracted
/// from the rank it was stolen from, but nobody knows by how much the others waited longer for that
/// one: not at all where it would have waited itself, as long where they waited for it, and for the
/// sum of what several lost at different times. A wrong guess would break the bound, or leave it
/// unused. Gears are chosen as ever, for what the ranks compute besides that, and a bound is kept
/// by what the model makes of the recorded events, until clocks can be trusted.
[[nodiscard]] inline bool is_contended(const std::vector<Measurement>& measurements) {
  constexpr double much = 0.03; // what daemons take is far less
  return std::ranges::any_of(measurements, [](const Measurement& m) { return m.stolen > much; });
}

} // namespace hypermile::runtime
