#include "heat3d/modes.hpp"

#include "common/sine_modes.hpp"

#include <cmath>
#include <limits>

namespace apps::heat3d {

double Mode::factor(std::uint32_t side) const {
  double sum = 0.0;
  for (const std::uint32_t along : half_waves)
    sum += second_difference(along, side);
  return 1.0 - Problem::ratio * sum;
}

ExactField::ExactField(std::uint32_t side, int steps, const Block& block) {
  for (std::size_t m = 0; m < modes.size(); ++m) {
    amplitudes_[m] = modes[m].amplitude * std::pow(modes[m].factor(side), steps);
    for (std::size_t axis = 0; axis < axes; ++axis)
      sines_[m][axis] = sines(modes[m].half_waves[axis], block[axis], side);
  }
}

double rounding_bound(int steps) {
  return (3.0 * steps + 64.0) * largest_value * std::numeric_limits<double>::epsilon();
}

} // namespace apps::heat3d
