#include "mixed/turns.hpp"

#include "common/larger.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace apps::mixed {
namespace {

constexpr double angle = 2 * std::numbers::pi / Turns::steps_of_circle;

} // namespace

Turns::Turns(std::size_t first, std::size_t count) : first_(first), x_(count), y_(count) {
  restart();
}

double Turns::radius(std::size_t point) const {
  constexpr std::size_t different = 64;
  return 1.0 + static_cast<double>((first_ + point) % different) / static_cast<double>(different);
}

void Turns::restart() {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    x_[i] = radius(i);
    y_[i] = 0;
  }
}

/// Block by block, so that the compiler may keep several points in registers.
void Turns::turn(int steps) {
  constexpr std::size_t block = 16;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  for (std::size_t begin = 0; begin < x_.size(); begin += block) {
    const std::size_t end = std::min(begin + block, x_.size());
    for (int step = 0; step < steps; ++step)
      for (std::size_t i = begin; i < end; ++i) {
        const double x = x_[i];
        x_[i] = c * x - s * y_[i];
        y_[i] = s * x + c * y_[i];
      }
  }
}

double Turns::error(double steps) const {
  double largest = 0;
  const double turned = angle * std::fmod(steps, steps_of_circle);
  for (std::size_t i = 0; i < x_.size(); ++i)
    largest = larger(largest, std::hypot(x_[i] - radius(i) * std::cos(turned),
                                         y_[i] - radius(i) * std::sin(turned)));
  return largest;
}

double Turns::squares() const {
  double sum = 0;
  for (std::size_t i = 0; i < x_.size(); ++i)
    sum += x_[i] * x_[i] + y_[i] * y_[i];
  return sum;
}

double rounding_bound(double steps) {
  constexpr double largest_radius = 2;
  constexpr double roundings = 8; // a step's, and those of where it should be
  return roundings * (steps + 1) * std::numeric_limits<double>::epsilon() * largest_radius;
}

} // namespace apps::mixed
