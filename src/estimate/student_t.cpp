#include "estimate/student_t.hpp"

#include <unsupported/Eigen/SpecialFunctions>

#include <cmath>
#include <numbers>

namespace hypermile::estimate {

/// M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 26.7.3 and 26.7.4.
double student_t_beyond(double t, std::size_t freedom) {
  const double angle = std::atan(t / std::sqrt(static_cast<double>(freedom)));
  const double square = std::cos(angle) * std::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? std::cos(angle) : 1;
  double sum = freedom == 1 ? 0 : term;
  for (std::size_t k = odd ? 3 : 2; k + 1 < freedom; k += 2) {
    term *= square * static_cast<double>(k - 1) / static_cast<double>(k);
    sum += term;
  }
  const double within =
      odd ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
  return (1 - within) / 2;
}

double student_t_95(std::size_t freedom) {
  double low = 1;
  double high = 20;
  while (high - low > 1e-9) {
    const double middle = (low + high) / 2;
    (student_t_beyond(middle, freedom) > 0.025 ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// The same handbook, 26.7.1 and 26.5.27: a variable exceeds t in size with a probability that is
/// the incomplete beta function of freedom / (freedom + t^2).
double student_t_within(double confidence, double freedom) {
  const auto within = [&](double t) {
    const double share = freedom / (freedom + t * t);
    return 1 - Eigen::numext::betainc(freedom / 2, 0.5, share);
  };
  double low = 0;
  double high = 1;
  while (within(high) < confidence)
    high *= 2;
  while (high - low > 1e-9 * high) {
    const double middle = (low + high) / 2;
    (within(middle) < confidence ? low : high) = middle;
  }
  return (low + high) / 2;
}

} // namespace hypermile::estimate
