#include "calibrate/limit_gears.hpp"

#include "control/backend.hpp"
#include "model/beaten.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hypermile::calibrate {
namespace {

/// Gear 0 is the fastest by definition, so what is no slower is written as slower by this.
constexpr double hardly_slower = 0.9999;

Watts power_of(const MeasuredGear& gear) { return gear.power->computing; }

std::string described(const MeasuredGear& gear, const std::string& setting) {
  return fmt::format("{} ({:.4g} Mpairs/s, {:.4g} W)", setting, gear.pairs_per_second / 1e6,
                     power_of(gear).value());
}

/// "100 W (12.3 Mpairs/s, 95.1 W)".
std::string described(const MeasuredGear& gear, Watts limit) {
  return described(gear, control::gear_below(limit).name);
}

std::vector<std::optional<std::size_t>> beaten(const std::vector<MeasuredGear>& measured) {
  std::vector<model::SettingCost> costs;
  for (const MeasuredGear& gear : measured)
    costs.push_back({Seconds{1 / gear.pairs_per_second}, power_of(gear)});
  return model::beaten_by(costs);
}

void check(const std::vector<MeasuredGear>& measured) {
  if (measured.front().gear != 0)
    throw Error(ErrorKind::model,
                "gear 0 was not measured, with which the speed under a limit is compared",
                "--gears with 0");
  for (const MeasuredGear& gear : measured)
    if (!(gear.pairs_per_second > 0))
      throw Error(ErrorKind::model, "the cores computed nothing in the time that they had",
                  "more --seconds");
}

/// What is kept, the fastest first.
class Kept {
public:
  explicit Kept(Calibration& calibration) : calibration_(calibration) {}

  void add(MeasuredGear gear) {
    const Watts limit = calibration_.node.power_limits[gear.gear];
    double speed = gear.pairs_per_second;
    if (!gears_.empty() && speed >= slowest_) {
      if (power_of(gear) >= power_of(gears_.back()))
        return calibration_.remarks.push_back(fmt::format(
            "the power limit {} is left out: with the higher limit {} the node was no faster, so "
            "that the limits made no difference",
            described(gear, limit), described(gears_.back(), limits_.back())));
      calibration_.remarks.push_back(
          fmt::format("the power limit {} is written as a little slower than {}, since gears go "
                      "from fast to slow",
                      described(gear, limit), described(gears_.back(), limits_.back())));
      speed = slowest_ * hardly_slower;
    }
    slowest_ = speed;
    speeds_.push_back(speed);
    limits_.push_back(limit);
    gear.gear = gears_.size();
    gears_.push_back(std::move(gear));
  }

  void leave_out(const MeasuredGear& gear, const MeasuredGear& better, Watts better_limit) {
    calibration_.remarks.push_back(
        fmt::format("the power limit {} is left out: {} was at least as fast and drew no more",
                    described(gear, calibration_.node.power_limits[gear.gear]),
                    described(better, better_limit)));
  }

  void end() {
    NodeDescription& node = calibration_.node;
    std::vector<Hertz> frequencies;
    for (const double speed : speeds_)
      frequencies.push_back(node.gears.frequency(0) * (speed / speeds_.front()));
    node.gears = model::GearTable(std::move(frequencies));
    node.power_limits = std::move(limits_);
    calibration_.measured = std::move(gears_);
  }

private:
  Calibration& calibration_;
  std::vector<MeasuredGear> gears_;
  std::vector<Watts> limits_;
  std::vector<double> speeds_;
  double slowest_ = 0;
};

} // namespace

void settle_limits(Calibration& calibration) {
  const std::vector<MeasuredGear> measured = calibration.measured;
  check(measured);
  const auto better = beaten(measured);
  Kept kept(calibration);
  for (std::size_t i = 0; i < measured.size(); ++i)
    if (i > 0 && better[i])
      kept.leave_out(measured[i], measured[*better[i]],
                     calibration.node.power_limits[measured[*better[i]].gear]);
    else
      kept.add(measured[i]);
  kept.end();
}

void settle_uncore(Calibration& calibration) {
  const std::vector<MeasuredGear> measured = std::move(calibration.measured);
  check(measured);
  const auto better = beaten(measured);
  NodeDescription& node = calibration.node;
  const auto name = [&](const MeasuredGear& gear) {
    return described(
        gear, control::gear_at(node.gears.frequency(gear.gear), node.uncore[gear.gear]).name);
  };
  std::vector<MeasuredGear> kept;
  std::vector<Hertz> frequencies;
  std::vector<Hertz> uncore;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const model::Gear gear = measured[i].gear;
    if (i > 0 && better[i]) {
      calibration.remarks.push_back(
          fmt::format("the gear {} is left out: {} was at least as fast and drew no more",
                      name(measured[i]), name(measured[*better[i]])));
      continue;
    }
    frequencies.push_back(node.gears.frequency(gear));
    uncore.push_back(node.uncore[gear]);
    kept.push_back(measured[i]);
    kept.back().gear = kept.size() - 1;
  }
  node.gears = model::GearTable(std::move(frequencies));
  node.uncore = std::move(uncore);
  calibration.measured = std::move(kept);
}

} // namespace hypermile::calibrate
