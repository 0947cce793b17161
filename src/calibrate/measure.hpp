#pragma once

#include "calibrate/fit.hpp"
#include "calibrate/power_source.hpp"
#include "calibrate/workbench.hpp"
#include "control/ports.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::calibrate {

/// How long and in which gears.
struct Course {
  Seconds seconds; ///< each of computing, waiting, idling, in each gear
  std::vector<model::Gear> gears;
};

/// One gear, as it was measured.
struct MeasuredGear {
  model::Gear gear = 0;
  std::optional<model::GearPower> power; ///< none: nothing measures power
  double pairs_per_second = 0;           ///< of all cores together
};

struct Measurements {
  std::vector<MeasuredGear> gears;
  std::vector<std::string> remarks; ///< what a user should know of them
};

/// Told before each part of the course: the gear, what the node will do, and how much is done
/// (0 to 1).
using Observe = std::function<void(model::Gear, Load, double)>;

/// Measures power and speed in each gear, idle first. `actuator`: none where no gear can be set,
/// then `course.gears` has one gear, the present. `source`: none where nothing measures power. A
/// gear that the node does not take is left out with a remark. Throws Error if the counter fails
/// or the log does not cover the course, Interrupted.
Measurements measure(const Course& course, Workbench& bench, control::Actuator* actuator,
                     PowerSource* source, const Observe& observe);

/// How long each part is waited for before it is measured, until frequency, fans and power limits
/// have settled. `actuator`: null where no gear is set.
Seconds settling(const Course& course, const control::Actuator* actuator);

/// "computing".
const char* name_of(Load load);

} // namespace hypermile::calibrate
