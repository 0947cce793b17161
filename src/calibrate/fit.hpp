#pragma once

#include "model/gear.hpp"
#include "model/platform.hpp"

#include <vector>

namespace hypermile::calibrate {

/// What a node drew in one gear.
struct MeasuredPower {
  model::Gear gear;
  model::GearPower power;
};

/// The power in every gear from that in some. What was measured stays. Between two gears that
/// were, power is a line over 1/S^3, which is how dynamic power goes with the frequency ([F16] Eq.
/// 1.14); below the slowest the line goes on to the idle power, which is what is left at 1/S^3 = 0;
/// above the fastest it is that line or the one between the two fastest. Of one measured gear this
/// is [F16] Eq. 3.15: dynamic power is what computing draws beyond idling, and the rest is static;
/// with means where the thesis takes the largest and the smallest sample, which drift apart with
/// the noise. Idle power is that of the nearest measured gear.
/// Throws Error{model} where nothing was measured.
std::vector<model::GearPower> power_in_all_gears(const model::GearTable& gears,
                                                 const std::vector<MeasuredPower>& measured);

} // namespace hypermile::calibrate
