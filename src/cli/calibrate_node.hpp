#pragma once

#include "cli/calibrate_options.hpp"

#include "calibrate/calibration.hpp"
#include "units/error.hpp"

namespace hypermile::cli {

/// The energy counters are there but closed to this user.
class NotPermitted : public Error {
public:
  using Error::Error;
};

/// Measures this node, with progress on stderr; its gears are restored whatever happens. Throws
/// NotPermitted; Error for whatever else keeps it from being measured; calibrate::Interrupted.
calibrate::Calibration calibrate_node(const CalibrateOptions& options);

} // namespace hypermile::cli
