#include "common/sine_modes.hpp"

#include <cmath>
#include <numbers>

namespace apps {

double second_difference(std::uint32_t half_waves, std::uint32_t side) {
  const double sine = std::sin(std::numbers::pi * half_waves / (2.0 * (side + 1.0)));
  return 4.0 * sine * sine;
}

std::vector<double> sines(std::uint32_t half_waves, Range range, std::uint32_t side) {
  const std::uint64_t turn = 2 * (std::uint64_t{side} + 1);
  std::vector<double> values;
  for (std::uint64_t i = range.begin; i < range.end; ++i) {
    const auto part = static_cast<double>(half_waves * (i + 1) % turn) / static_cast<double>(turn);
    values.push_back(std::sin(2.0 * std::numbers::pi * part));
  }
  return values;
}

} // namespace apps
