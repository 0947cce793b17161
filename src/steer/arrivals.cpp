#include "steer/arrivals.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::steer {
namespace {

/// Standard deviations that are no chance any more, where two samples in a row deviate by them.
constexpr double surprising = 4;
constexpr int surprises_in_a_row = 2;

} // namespace

/// Standard deviation of the count of a sample in which so many items are expected.
double Arrivals::chance(double expected) const {
  const double dispersion = dispersion_.empty() ? 1 : std::max(dispersion_.mean(), 1.0);
  return std::sqrt(std::max(expected, 1.0) * dispersion);
}

double Arrivals::relative_error() const {
  const double expected = std::max(rate_.mean() * rate_.span(), 1.0);
  return std::min(chance(expected) / expected, 1.0);
}

void Arrivals::add(double items, Seconds length) {
  const double seconds = length.value();
  if (known()) {
    const double expected = rate_.mean() * seconds;
    const double deviation = items - expected;
    const int side = deviation > 0 ? 1 : -1;
    const bool by_chance = std::abs(deviation) <= surprising * chance(expected);
    if (by_chance) // else it tells of a change, not of the dispersion
      dispersion_.add(deviation * deviation / std::max(expected, 1.0), seconds);
    unlike_ = by_chance ? 0 : (unlike_ * side > 0 ? unlike_ + side : side);
    // A server that nothing reaches for a while will be needed again: that is only smoothed.
    if (std::abs(unlike_) >= surprises_in_a_row && items > 0) {
      rate_.reset();
      unlike_ = 0;
    }
  }
  rate_.add(items / seconds, seconds);
}

} // namespace hypermile::steer
