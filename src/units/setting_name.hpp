#pragma once

#include "units/quantity.hpp"

#include <optional>
#include <string>

namespace hypermile {

/// What a gear of a node sets.
struct StatedSetting {
  std::optional<Hertz> frequency{};   ///< of the cores; none: it is not known, or not set
  std::optional<Hertz> uncore{};      ///< most beside the cores; none: the gear leaves it alone
  std::optional<Watts> power_limit{}; ///< of each processor; none: the gear is another setting
};

/// "2.1 GHz", "2.1 GHz + uncore 1.6 GHz" or "85 W"; empty: nothing of it is known.
std::string name_of(const StatedSetting& setting);

} // namespace hypermile
