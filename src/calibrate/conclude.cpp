#include "calibrate/calibration.hpp"

#include "calibrate/limit_gears.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::calibrate {
namespace {

std::vector<MeasuredPower> known_power(const std::vector<MeasuredGear>& measured,
                                       const std::optional<model::GearPower>& assumed) {
  std::vector<MeasuredPower> known;
  if (assumed)
    known.push_back({0, *assumed});
  else
    for (const MeasuredGear& gear : measured)
      if (gear.power)
        known.push_back({gear.gear, *gear.power});
  return known;
}

/// A platform's nodes never draw more while they wait.
void order_power(Calibration& calibration) {
  for (model::Gear gear = 0; gear < calibration.power.size(); ++gear) {
    model::GearPower& power = calibration.power[gear];
    if (power.computing >= power.waiting)
      continue;
    if (is_measured(calibration, gear))
      calibration.remarks.push_back(fmt::format(
          "in gear {} waiting drew {:.2f} W and computing {:.2f} W: written as {:.2f} W both", gear,
          power.waiting.value(), power.computing.value(), power.waiting.value()));
    power.computing = power.waiting;
  }
}

/// What computes the same at any frequency (memory, turbo, a limit that is not ours) shows here.
void check_speeds(Calibration& calibration) {
  constexpr double tolerance = 0.05;
  const auto& gears = calibration.node.gears;
  const MeasuredGear& first = calibration.measured.front();
  for (const MeasuredGear& gear : calibration.measured) {
    const double expected = gears.frequency(gear.gear) / gears.frequency(first.gear);
    const double found = gear.pairs_per_second / first.pairs_per_second;
    if (std::abs(found / expected - 1) > tolerance)
      calibration.remarks.push_back(
          fmt::format("gear {} computed {:.2f} times as fast as gear {}, but its frequency says "
                      "{:.2f}: turbo, a power limit, or a gear that was not kept",
                      gear.gear, found, first.gear, expected));
  }
}

void find_speed(Calibration& calibration) {
  const MeasuredGear& fastest = calibration.measured.front();
  calibration.pairs_per_second = fastest.pairs_per_second *
                                 calibration.node.gears.scale(fastest.gear) /
                                 static_cast<double>(calibration.node.cores);
  if (!(calibration.pairs_per_second > 0))
    throw Error(ErrorKind::model, "the cores computed nothing in the time that they had",
                "more --seconds");
  if (fastest.gear != 0)
    calibration.remarks.push_back(fmt::format(
        "the speed in gear 0 is not measured but follows from gear {} by frequency", fastest.gear));
}

} // namespace

bool is_measured(const Calibration& calibration, model::Gear gear) {
  const auto found = std::ranges::find(calibration.measured, gear, &MeasuredGear::gear);
  return found != calibration.measured.end() && found->power.has_value();
}

Calibration conclude(NodeDescription node, Measurements measurements, const Course& course,
                     const std::optional<model::GearPower>& assumed) {
  if (measurements.gears.empty())
    throw Error(ErrorKind::model, "no gear was measured");
  Calibration calibration{.node = std::move(node),
                          .date = "",
                          .meter = "",
                          .seconds = course.seconds,
                          .measured = std::move(measurements.gears),
                          .power = {},
                          .remarks = std::move(measurements.remarks)};
  std::ranges::sort(calibration.measured, {}, &MeasuredGear::gear);
  const bool limits = !calibration.node.power_limits.empty();
  if (limits)
    settle_limits(calibration);
  else if (!calibration.node.uncore.empty())
    settle_uncore(calibration);
  calibration.power =
      power_in_all_gears(calibration.node.gears, known_power(calibration.measured, assumed));
  find_speed(calibration);
  order_power(calibration);
  if (!limits) // else the frequencies follow from the speeds
    check_speeds(calibration);
  return calibration;
}

} // namespace hypermile::calibrate
