#include "model/setting.hpp"

#include "units/setting_name.hpp"

#include <fmt/format.h>

namespace hypermile::model {

std::string stated_setting(const NodeType& type, Gear gear) {
  StatedSetting setting;
  if (type.frequencies_known)
    setting.frequency = type.gears.frequency(gear);
  if (gear < type.uncore.size())
    setting.uncore = type.uncore[gear];
  if (gear < type.power_limits.size())
    setting.power_limit = type.power_limits[gear];
  return name_of(setting);
}

std::string setting_name(const NodeType& type, Gear gear) {
  const std::string stated = stated_setting(type, gear);
  return stated.empty() ? fmt::format("gear {}", gear) : stated;
}

} // namespace hypermile::model
