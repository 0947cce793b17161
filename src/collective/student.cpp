#include "collective/student.hpp"

#include <cmath>
#include <numbers>

namespace hypermile::collective {

double student_cdf(double t, std::size_t freedom) {
  if (std::isinf(t))
    return t > 0 ? 1 : 0;
  const double angle = std::atan(t / std::sqrt(static_cast<double>(freedom)));
  const double cosine2 = std::cos(angle) * std::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? std::cos(angle) : 1;
  double sum = freedom > 1 ? term : 0;
  for (std::size_t k = odd ? 3 : 2; k + 1 < freedom; k += 2) {
    const auto even_part = static_cast<double>(k);
    term *= cosine2 * (even_part - 1) / even_part;
    sum += term;
  }
  const double within =
      odd ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
  return (1 + within) / 2;
}

double student_95(std::size_t freedom) {
  double low = 1.9;
  double high = 13;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (student_cdf(middle, freedom) < 0.975 ? low : high) = middle;
  }
  return high;
}

} // namespace hypermile::collective
