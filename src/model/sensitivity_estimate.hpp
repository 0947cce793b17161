#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hypermile::model {

/// What a segment of a rank's iterations (the computation before calls of one place) took in one
/// gear, in a period in which no gear changed.
struct GearVisit {
  double scale = 1;           ///< S of the gear
  std::size_t period = 0;     ///< the same number on all ranks that visited at the same time
  std::size_t iterations = 0; ///< at least 1
  double log_mean = 0;        ///< of the logarithm of what one took
  double squares = 0;         ///< sum of squares about that
  double moment = 0;          ///< s since any moment: the mean of those at which iterations began

  /// One more iteration, which began at `at`.
  void add(double log_time, double at);
};

/// How much computation reacts to gears, as far as visits tell: the b of stretch().
struct SensitivityEstimate {
  double mean = 1;
  double low = 0; ///< with `high`: where it is with a probability of 95 %
  double high = 1;
  double careful = 1; ///< it is no more than this with a probability of 90 %
  bool known = false; ///< less than 1, with a probability of 95 %; else it is to be taken for 1
};

/// By how much levels change from one period to the next, for reasons that are not the gear:
/// standard deviations of logarithms.
struct LevelNoise {
  double common = 0.005; ///< what all ranks have in common
  double own = 0.003;    ///< what each rank has of its own
  double drift = 0;      ///< more in common, per second that has passed since the period before
};

/// Of one segment, on ranks that are taken to react alike until their own visits say otherwise.
/// `visits`: by rank; ranks without any are as the others.
///
/// A Bayesian regression of the logarithm of what an iteration takes on log(b S + 1 - b), with a
/// level of its own for each rank. That b is 1 has a probability of one half before anything is
/// known; everything between 0 and 1 shares the other half.
[[nodiscard]] std::vector<SensitivityEstimate>
estimate_sensitivity(std::span<const std::vector<GearVisit>> visits, const LevelNoise& level = {});

} // namespace hypermile::model
