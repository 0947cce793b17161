#pragma once

#include "calibrate/measure.hpp"
#include "model/platform.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::calibrate {

/// What is known of a node beside what is measured.
struct NodeDescription {
  std::string name;
  std::size_t cores = 0; ///< that were loaded
  model::GearTable gears;
  /// False where the machine does not tell: `gears` then has one gear of any frequency.
  bool frequencies_known = true;
  /// Of each processor, by gear: then `gears` is the frequency in gear 0 alone, until the speeds of
  /// the others are known. Empty: gears are frequencies.
  std::vector<Watts> power_limits{};
  std::vector<Hertz> uncore{}; ///< by gear; empty: gears leave it alone
};

/// A node as a kind of node of a platform, and how each figure came about.
struct Calibration {
  NodeDescription node;
  std::string date;  ///< "2026-11-21 20:30 UTC"
  std::string meter; ///< "2 packages, 2 DRAM (powercap)"; empty: power is assumed
  Seconds seconds;   ///< of each part
  std::vector<MeasuredGear> measured;
  std::vector<model::GearPower> power; ///< in every gear
  double pairs_per_second = 0;         ///< of one core in gear 0
  std::vector<std::string> remarks;
};

/// `assumed`: the power in gear 0, where none was measured. Adds remarks where waiting drew more
/// than computing, which a platform cannot have (computing is then said to draw as much), and where
/// speed does not go with the frequency. Gears that are power limits get the frequency that would
/// compute as fast; those that were not measured, or that another one beats in speed and power, are
/// left out; so with gears that carry an uncore frequency. Throws Error{model} where nothing was
/// measured.
Calibration conclude(NodeDescription node, Measurements measurements, const Course& course,
                     const std::optional<model::GearPower>& assumed);

[[nodiscard]] bool is_measured(const Calibration& calibration, model::Gear gear);

/// As a platform (hypermile/platform/1) of one node; comments tell what was not measured.
std::string platform_yaml(const Calibration& calibration);

/// Schema hypermile/calibration/1; docs/calibration.md describes every key.
std::string calibration_json(const Calibration& calibration);

/// As a table for a terminal.
std::string print_calibration(const Calibration& calibration);

} // namespace hypermile::calibrate
