#include "master_worker/integrand.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace apps::master_worker {
namespace {

constexpr int deepest = 50; // a double has no more binary places

/// An interval with the integrand at its ends.
struct Interval {
  double begin;
  double end;
  double at_begin;
  double at_end;

  [[nodiscard]] double area() const { return 0.5 * (end - begin) * (at_begin + at_end); }
};

class AdaptiveTrapezoids {
public:
  explicit AdaptiveTrapezoids(const Integrand& integrand) : integrand_(integrand) {}

  double at(double x) {
    ++evaluations_;
    return integrand_.at(x);
  }

  double integrate(const Interval& whole, double tolerance, int level) {
    const double middle = 0.5 * (whole.begin + whole.end);
    const double at_middle = at(middle);
    const Interval left{whole.begin, middle, whole.at_begin, at_middle};
    const Interval right{middle, whole.end, at_middle, whole.at_end};
    const double halved = left.area() + right.area();
    // Halving divides the error by 4, so the change is 3 times what is left of it.
    if (std::abs(halved - whole.area()) <= 3.0 * tolerance || level == deepest)
      return halved;
    return integrate(left, 0.5 * tolerance, level + 1) +
           integrate(right, 0.5 * tolerance, level + 1);
  }

  [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }

private:
  const Integrand& integrand_;
  std::uint64_t evaluations_ = 0;
};

} // namespace

Integrand::Integrand(double shift) {
  constexpr std::array<double, widths.size()> begin = {0.1, 0.35, 0.55, 0.85};
  for (std::size_t i = 0; i < centres_.size(); ++i)
    centres_[i] = begin[i] + shift - std::floor(begin[i] + shift);
}

double Integrand::at(double x) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const double distance = x - centres_[i];
    sum += widths[i] / (distance * distance + widths[i] * widths[i]);
  }
  return sum;
}

double Integrand::exact_integral(double begin, double end) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < widths.size(); ++i)
    sum +=
        std::atan((end - centres_[i]) / widths[i]) - std::atan((begin - centres_[i]) / widths[i]);
  return sum;
}

Quadrature Integrand::integrate(const Piece& piece) const {
  AdaptiveTrapezoids trapezoids(*this);
  const Interval whole{piece.begin, piece.end, trapezoids.at(piece.begin),
                       trapezoids.at(piece.end)};
  const double integral = trapezoids.integrate(whole, piece.tolerance, 0);
  return {integral, static_cast<double>(trapezoids.evaluations())};
}

double rounding_bound(std::uint32_t items) {
  constexpr double roundings_of_an_area = 16.0;
  const double area = std::numbers::pi * static_cast<double>(Integrand::widths.size());
  double heights = 0.0;
  for (const double width : Integrand::widths)
    heights += 1.0 / width;
  return std::numeric_limits<double>::epsilon() *
         ((items + deepest + roundings_of_an_area) * area + 2.0 * heights);
}

} // namespace apps::master_worker
