#pragma once

#include "common/range.hpp"
#include "transpose/plane_transform.hpp"
#include "transpose/problem.hpp"

#include <array>
#include <vector>

namespace apps::transpose {

/// A wave function and its motion, i d(psi)/dt = -laplace(psi), exactly: each wave of the
/// spectrum turns by its own angle in a step. This rank has a band of it.
class Wave {
public:
  Wave(const Problem& problem, Range rows);

  /// Random numbers; a point is the same whoever has it.
  void restart();
  /// Transforms, evolves, and transforms back.
  void step();

  /// What the last step saw, over all ranks: sum |psi|^2 of the field after it, and that of
  /// the spectrum, divided by the number of points. Parseval: they are the same.
  struct Norms {
    double field;
    double spectrum;
  };
  [[nodiscard]] Norms norms() const { return norms_; }

  /// |psi|^2 in the first point that this rank has.
  [[nodiscard]] double corner_density() const { return std::norm(psi_.front()); }

  // Checks; 2-norms over all ranks.

  /// Turns everything back by `steps` steps at once, and compares with the field of the
  /// beginning: |difference| / |field|.
  double distance_from_start(int steps);
  /// The transform of a single wave has a single peak: |rest| / |peak|.
  double plane_wave_error();

private:
  void turn(double steps);

  Problem problem_;
  Range rows_;
  PlaneTransform transform_;
  std::vector<Complex> psi_;
  std::vector<Complex> factors_; ///< of one step, in the spectrum's order
  Norms norms_{};
};

/// What one transform may err by rounding, in the 2-norm: 8 epsilon in each of its passes.
double rounding_of_transform(const Problem& problem);

} // namespace apps::transpose
