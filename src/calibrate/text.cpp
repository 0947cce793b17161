#include "calibrate/calibration.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace hypermile::calibrate {
namespace {

using nlohmann::ordered_json;

const MeasuredGear* find(const Calibration& c, model::Gear gear) {
  const auto found = std::ranges::find(c.measured, gear, &MeasuredGear::gear);
  return found == c.measured.end() ? nullptr : &*found;
}

std::string row(const Calibration& c, model::Gear gear) {
  const MeasuredGear* const measured = find(c, gear);
  const model::GearPower& power = c.power[gear];
  const std::string speed =
      measured == nullptr ? "-"
                          : fmt::format("{:.3f}", measured->pairs_per_second /
                                                      static_cast<double>(c.node.cores) / 1e6);
  std::string knob;
  if (!c.node.power_limits.empty())
    knob = fmt::format("{:>9.4g}", c.node.power_limits[gear].value());
  else if (!c.node.uncore.empty())
    knob = fmt::format("{:>12.3g}", c.node.uncore[gear].value() / 1e9);
  return fmt::format("{:<5}{}{:>8}{:>14.2f}{:>12.2f}{:>10.2f}{:>14}  {}\n", gear, knob,
                     c.node.frequencies_known
                         ? fmt::format("{:.3g}", c.node.gears.frequency(gear).value() / 1e9)
                         : "?",
                     power.computing.value(), power.waiting.value(), power.idle.value(), speed,
                     is_measured(c, gear) ? "measured"
                     : c.meter.empty()    ? "assumed"
                                          : "by Eq. 3.15");
}

ordered_json gear_json(const Calibration& c, model::Gear gear) {
  const model::GearPower& power = c.power[gear];
  ordered_json json{{"gear", gear},
                    {"frequency_ghz", nullptr},
                    {"power_limit_w", nullptr},
                    {"uncore_ghz", nullptr},
                    {"power_is", is_measured(c, gear) ? "measured"
                                 : c.meter.empty()    ? "assumed"
                                                      : "fitted"},
                    {"computing_w", power.computing.value()},
                    {"waiting_w", power.waiting.value()},
                    {"idle_w", power.idle.value()},
                    {"pairs_per_second", nullptr}};
  if (!c.node.power_limits.empty())
    json["power_limit_w"] = c.node.power_limits[gear].value();
  if (!c.node.uncore.empty())
    json["uncore_ghz"] = c.node.uncore[gear].value() / 1e9;
  if (c.node.frequencies_known)
    json["frequency_ghz"] = c.node.gears.frequency(gear).value() / 1e9;
  if (const MeasuredGear* const measured = find(c, gear))
    json["pairs_per_second"] = measured->pairs_per_second / static_cast<double>(c.node.cores);
  return json;
}

} // namespace

std::string print_calibration(const Calibration& c) {
  std::string text = fmt::format("{} on {}: {} core{}, {:g} s each; {}\n\n", c.node.name, c.date,
                                 c.node.cores, c.node.cores == 1 ? "" : "s", c.seconds.value(),
                                 c.meter.empty() ? "power as assumed" : c.meter);
  text += fmt::format("{:<5}{}{:>8}{:>14}{:>12}{:>10}{:>14}\n", "gear",
                      !c.node.power_limits.empty() ? "  limit W"
                      : !c.node.uncore.empty()     ? "  uncore GHz"
                                                   : "",
                      "GHz", "computing W", "waiting W", "idle W", "Mpairs/s/core");
  for (model::Gear gear = 0; gear < c.node.gears.size(); ++gear)
    text += row(c, gear);
  return text;
}

std::string calibration_json(const Calibration& c) {
  ordered_json json{{"schema", "hypermile/calibration/1"},
                    {"node", c.node.name},
                    {"date", c.date},
                    {"meter", c.meter.empty() ? ordered_json() : ordered_json(c.meter)},
                    {"seconds", c.seconds.value()},
                    {"cores", c.node.cores},
                    {"gears", ordered_json::array()},
                    {"remarks", c.remarks}};
  for (model::Gear gear = 0; gear < c.node.gears.size(); ++gear)
    json["gears"].push_back(gear_json(c, gear));
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace hypermile::calibrate
