#pragma once

#include <array>
#include <cstdint>

namespace apps::master_worker {

/// A piece of the interval 0 to 1, with its share of the tolerance.
struct Piece {
  double begin;
  double end;
  double tolerance;
};

struct Quadrature {
  double integral;
  double evaluations; ///< of the integrand: a whole number
};

/// Peaks w / ((x - c)^2 + w^2) of different widths w; the narrow ones make for uneven work.
class Integrand {
public:
  /// Moves the peaks by `shift`, from 0 to 1; those that leave the interval come in again.
  explicit Integrand(double shift);

  [[nodiscard]] double at(double x) const;
  /// Of a piece, by arc tangents.
  [[nodiscard]] double exact_integral(double begin, double end) const;
  /// By trapezoids, each halved until that changes little.
  [[nodiscard]] Quadrature integrate(const Piece& piece) const;

  static constexpr std::array<double, 4> widths = {0.2, 0.1, 0.05, 0.02};

private:
  std::array<double, widths.size()> centres_{};
};

/// How far an integral from `items` items may be off by rounding. No sum of areas is larger
/// than pi for each peak, and from a trapezoid to the whole there are fewer sums than items
/// and halvings. That a peak is off by an epsilon on either side changes the integral by less
/// than its height, 1 / w.
double rounding_bound(std::uint32_t items);

} // namespace apps::master_worker
