#pragma once

#include <functional>
#include <span>
#include <vector>

namespace apps::multisplitting {

/// When an inner solve ends.
struct GmresLimits {
  int cycles = 1;                 ///< restarts and the first start, at least 1
  double relative_residual = 0.0; ///< of the residual that it began with
  double residual = 0.0;          ///< absolute
};

/// The restarted GMRES of Saad and Schultz (1986) for A x = b, over vectors of which this process
/// has a part. Each step makes a vector orthogonal to those before by classical Gram-Schmidt,
/// twice: that is as good as the modified one, and needs two sums over all processes and not one
/// for each vector.
class Gmres {
public:
  /// result = A vector, for the parts here. May send messages: all processes call it together.
  using Apply = std::function<void(std::span<const double> vector, std::span<double> result)>;
  /// Adds up each number over all processes.
  using Sum = std::function<void(std::span<double> numbers)>;

  struct Outcome {
    int steps;       ///< vectors that A was applied to, without those for a new residual
    double residual; ///< its norm, as the recurrence has it
  };

  /// `size`: numbers in a part; `restart`: steps of a cycle, at least 1.
  Gmres(std::size_t size, int restart, Apply apply, Sum sum);

  /// Improves x, whose residual b - A x is `residual`; that is overwritten.
  Outcome improve(std::span<double> x, std::span<double> residual, const GmresLimits& limits);

private:
  using Vector = std::vector<double>;

  /// One cycle: from `residual` of norm `norm` to a correction of x; returns the new norm.
  double cycle(std::span<const double> residual, double norm, double enough);
  /// Makes the next basis vector; false: there is none, because the space is exhausted.
  bool step();
  void orthogonalise(std::span<double> vector, std::span<const double> shares) const;
  /// Turns the new column so that below its diagonal is nothing.
  void rotate_column();
  [[nodiscard]] Vector coefficients() const;

  std::size_t restart_;
  Apply apply_;
  Sum sum_;
  std::vector<Vector> basis_;
  std::vector<Vector> columns_; ///< of the triangle that the Hessenberg matrix becomes
  std::vector<double> cosines_;
  std::vector<double> sines_;
  std::vector<double> right_; ///< the right-hand side of the triangle
  std::size_t steps_ = 0;     ///< of this cycle
  Vector correction_;
};

/// The sum over the parts here alone.
double dot(std::span<const double> a, std::span<const double> b);

} // namespace apps::multisplitting
