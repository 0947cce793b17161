#include "estimate/normal.hpp"

#include <cmath>
#include <numbers>

namespace hypermile::estimate {

double normal_at_most(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double normal_quantile(double probability) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (normal_at_most(middle) < probability ? low : high) = middle;
  }
  return low;
}

} // namespace hypermile::estimate
