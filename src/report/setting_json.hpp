#pragma once

#include "model/setting.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace hypermile::report {

/// In GHz; null: not known.
inline nlohmann::ordered_json frequency_json(const model::NodeType& type, model::Gear gear) {
  return type.frequencies_known ? nlohmann::ordered_json(type.gears.frequency(gear).value() / 1e9)
                                : nlohmann::ordered_json();
}

/// "85 W", "2.1 GHz + uncore 1.6 GHz"; null: not known.
inline nlohmann::ordered_json setting_json(const model::NodeType& type, model::Gear gear) {
  const std::string stated = model::stated_setting(type, gear);
  return stated.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(stated);
}

} // namespace hypermile::report
