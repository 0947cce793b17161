#pragma once

#include "wavefront/ghosts.hpp"
#include "wavefront/layout.hpp"
#include "wavefront/problem.hpp"
#include "wavefront/sweep.hpp"

namespace apps::wavefront {

/// Symmetric successive over-relaxation from u = 0: u += M^-1 r, where r = f - A u. An
/// iteration is sweep() and update().
class Solver {
public:
  Solver(const Problem& problem, const Layout& layout);

  void restart();
  void sweep();  ///< the correction M^-1 r, by the lower and the upper sweep
  void update(); ///< adds it, and works out the new residual

  /// After sweep(), r in the norm sqrt(r . M^-1 r), over all ranks. In this norm I - A M^-1
  /// is symmetric, with eigenvalues in [0, 1): the residual falls at every iteration.
  [[nodiscard]] double residual_norm() const;
  /// What rounding leaves of it where the equation is solved.
  [[nodiscard]] double residual_floor() const;

  /// |solution - u| and what it may be, |r| / (least eigenvalue of A) and rounding, both in
  /// the 2-norm over all ranks.
  struct Error {
    double norm;
    double bound;
  };
  [[nodiscard]] Error error() const;

  /// After sweep(), whether it solved the triangular systems of the whole box, as one rank
  /// would: |M d - r| / (|M| |d|) in the largest norm over all ranks, where d is the
  /// correction, and M d is worked out from it without sweeps.
  double sweep_defect();
  /// What that may be by rounding: each sweep has five roundings per point, twice.
  static double sweep_defect_bound();

private:
  void compute_residual();
  [[nodiscard]] Field times_m(Field d);
  /// The sum of value(plane, row, i) over all points of all ranks.
  template <typename Value> [[nodiscard]] double sum_of(Value value) const;
  /// How far r may be off by rounding, in the 2-norm.
  [[nodiscard]] double residual_rounding() const;

  const Problem& problem_;
  const Layout& layout_;
  Ghosts ghosts_;
  Sweep sweep_;
  Field f_;
  Field u_;
  Field r_;
  Field correction_;
};

} // namespace apps::wavefront
