#pragma once

namespace hypermile::model {

/// How many times as long as in gear 0 computation takes in a gear with this scale S. Computation
/// that waits for memory half of the time does not take S times as long: c of gear 0 takes
/// c (b S + 1 - b). `sensitivity`: b, from 0 (the gear does not matter) to 1 (it takes S times as
/// long, to the last digit).
[[nodiscard]] constexpr double stretch(double scale, double sensitivity) {
  return sensitivity == 1 ? scale : 1 + sensitivity * (scale - 1);
}

} // namespace hypermile::model
