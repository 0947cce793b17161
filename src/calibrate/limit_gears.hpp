#pragma once

#include "calibrate/calibration.hpp"

namespace hypermile::calibrate {

/// Makes gears of the power limits that were measured: each gets the frequency at which the cores
/// would be as fast as they were, and remarks say which ones are left out, since another one is at
/// least as fast and draws no more. Gear 0 stays, as the node has it without hypermile.
/// `calibration.measured`: by gear, with power. Throws Error{model} where gear 0 is not among them.
void settle_limits(Calibration& calibration);

/// Likewise of gears that carry an uncore frequency, whose frequencies are known.
void settle_uncore(Calibration& calibration);

} // namespace hypermile::calibrate
