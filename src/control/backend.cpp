#include "control/backend.hpp"

#include "units/setting_name.hpp"

namespace hypermile::control {
namespace {

/// Of all gears; empty where one has none.
template <class Value>
std::vector<Value> values_of(const std::vector<GearSetting>& gears,
                             std::optional<Value> GearSetting::*member) {
  std::vector<Value> values;
  for (const GearSetting& gear : gears) {
    if (!(gear.*member))
      return {};
    values.push_back(*(gear.*member));
  }
  return values;
}

} // namespace

GearSetting gear_at(Hertz frequency, std::optional<Hertz> uncore) {
  return {.name = name_of({.frequency = frequency, .uncore = uncore}),
          .frequency = frequency,
          .uncore = uncore};
}

GearSetting gear_below(Watts power_limit) {
  return {.name = name_of({.power_limit = power_limit}), .power_limit = power_limit};
}

std::vector<Watts> power_limits_of(const std::vector<GearSetting>& gears) {
  return values_of(gears, &GearSetting::power_limit);
}

std::vector<Hertz> uncore_of(const std::vector<GearSetting>& gears) {
  return values_of(gears, &GearSetting::uncore);
}

std::vector<Hertz> frequencies_of(const std::vector<GearSetting>& gears) {
  return values_of(gears, &GearSetting::frequency);
}

std::string why_no_frequencies(const std::vector<GearSetting>& gears) {
  return power_limits_of(gears).empty()
             ? ""
             : "the gears that the platform gives this node are power limits, not frequencies";
}

} // namespace hypermile::control
