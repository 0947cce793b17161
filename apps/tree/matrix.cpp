#include "tree/matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace apps::tree {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

void normalise(std::vector<double>& x) {
  const double length = std::sqrt(dot(x, x));
  for (double& value : x)
    value /= length;
}

} // namespace

Spectrum::Spectrum(std::uint32_t order) : reflection_(order), eigenvalues_(order) {
  for (std::uint32_t i = 0; i < order; ++i) {
    // Neither along an axis nor along the vector that the power method begins with.
    reflection_[i] = 1.0 + std::cos(1.0 * i);
    eigenvalues_[i] = 1.0 / (1.0 + 0.01 * i);
  }
  normalise(reflection_);
  for (std::uint32_t i = 0; i < order; ++i)
    coupling_ += eigenvalues_[i] * reflection_[i] * reflection_[i];
}

double Spectrum::entry(std::size_t row, std::size_t column) const {
  const double diagonal = row == column ? eigenvalues_[row] : 0.0;
  return diagonal + 2.0 * reflection_[row] * reflection_[column] *
                        (2.0 * coupling_ - eigenvalues_[row] - eigenvalues_[column]);
}

void Spectrum::reflect(std::vector<double>& x) const {
  const double twice = 2.0 * dot(reflection_, x);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] -= twice * reflection_[i];
}

std::vector<double> Spectrum::coefficients(int iterations) const {
  std::vector<double> c(order(), 1.0 / std::sqrt(static_cast<double>(order())));
  reflect(c);
  for (std::size_t i = 0; i < c.size(); ++i)
    c[i] *= std::pow(eigenvalues_[i], iterations);
  normalise(c);
  return c;
}

std::vector<double> Spectrum::power_vector(int iterations) const {
  std::vector<double> x = coefficients(iterations);
  reflect(x);
  return x;
}

double Spectrum::rayleigh_quotient(int iterations) const {
  const std::vector<double> c = coefficients(iterations);
  double quotient = 0.0;
  for (std::size_t i = 0; i < c.size(); ++i)
    quotient += eigenvalues_[i] * c[i] * c[i];
  return quotient;
}

double Spectrum::rounding_bound(int iterations) const {
  const double of_product =
      (static_cast<double>(order()) + 16.0) * std::numeric_limits<double>::epsilon() * 3.0 * 3.0;
  return of_product * (iterations + 1.0) / std::abs(coefficients(0)[0]);
}

Columns::Columns(const Spectrum& spectrum, Range range)
    : range_(range), order_(spectrum.order()), values_(range.size() * order_) {
  for (std::size_t column = 0; column < range.size(); ++column)
    for (std::size_t row = 0; row < order_; ++row)
      values_[column * order_ + row] = spectrum.entry(row, range.begin + column);
}

void Columns::multiply(std::span<const double> x, std::span<double> product) const {
  std::ranges::fill(product, 0.0);
  for (std::size_t column = 0; column < range_.size(); ++column) {
    const double factor = x[range_.begin + column];
    const double* values = values_.data() + column * order_;
    for (std::size_t row = 0; row < order_; ++row)
      product[row] += factor * values[row];
  }
}

} // namespace apps::tree
