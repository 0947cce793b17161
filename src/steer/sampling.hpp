#pragma once

#include "units/quantity.hpp"

namespace hypermile::steer {

/// How long samples and visits are, and what ends them. The times are those of [N16] 4.
struct Sampling {
  Seconds calibration_sample{0.1};
  Seconds steady_sample{1};
  /// A visit of one configuration ends after this time, however noisy it is.
  Seconds longest_visit{2};
  /// Calibration ends after this time, with the best that was visited.
  Seconds longest_calibration{30};
  /// A capacity, or a power under full load, that changes by more than this share is another phase.
  double phase_change = 0.2;
};

} // namespace hypermile::steer
