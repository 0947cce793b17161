#include "multipartition/modes.hpp"

#include "common/sine_modes.hpp"
#include "multipartition/matrix.hpp"

#include <cmath>
#include <numbers>

namespace apps::multipartition {
namespace {

constexpr std::array<std::array<std::uint32_t, 3>, 3> waves = {{{1, 1, 1}, {2, 3, 1}, {1, 2, 4}}};
constexpr Values amplitude = {1.0, 0.5, -1.0, 0.25, 2.0};

} // namespace

Modes::Modes(const Problem& problem) : points_(problem.points) {
  for (const auto& of_mode : waves)
    modes_.push_back({of_mode, amplitude});
}

void Modes::step() {
  const Matrix a = Problem::half_step * coupling();
  for (Mode& mode : modes_) {
    Eigen::Map<Vector> v(mode.amplitude.data());
    double sum = 0;
    for (const std::uint32_t along : mode.waves)
      sum += second_difference(along, points_);
    Vector change = -2.0 * sum * a * v;
    for (const std::uint32_t along : mode.waves)
      change =
          (Matrix::Identity() + second_difference(along, points_) * a).lu().solve(change).eval();
    v += change;
  }
}

double Modes::sine(std::uint32_t half_waves, std::uint32_t point) const {
  return std::sin(std::numbers::pi * half_waves * (point + 1.0) / (points_ + 1.0));
}

Values Modes::at(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
  Values values{};
  for (const Mode& mode : modes_) {
    const double wave = sine(mode.waves[0], x) * sine(mode.waves[1], y) * sine(mode.waves[2], z);
    for (std::size_t c = 0; c < components; ++c)
      values[c] += wave * mode.amplitude[c];
  }
  return values;
}

double Modes::largest_value() {
  double largest = 0;
  for (const double a : amplitude)
    largest = std::max(largest, std::abs(a));
  return static_cast<double>(waves.size()) * largest;
}

} // namespace apps::multipartition
