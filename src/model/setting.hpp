#pragma once

#include "model/platform.hpp"

#include <string>

namespace hypermile::model {

/// What a gear of such a node sets: "85 W", "2.1 GHz + uncore 1.6 GHz" or "2.1 GHz". Empty: its
/// gears are known by their speed only.
std::string stated_setting(const NodeType& type, Gear gear);

/// The same; "gear 3" where nothing else is known of it.
std::string setting_name(const NodeType& type, Gear gear);

} // namespace hypermile::model
