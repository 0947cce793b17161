#include "control/backend.hpp"

#include <fmt/format.h>

namespace hypermile::control {

GearSetting gear_at(Hertz frequency) {
  return {fmt::format("{:.4g} GHz", frequency.value() / 1e9), frequency};
}

std::vector<Hertz> frequencies_of(const std::vector<GearSetting>& gears) {
  std::vector<Hertz> frequencies;
  for (const GearSetting& gear : gears) {
    if (!gear.frequency)
      return {};
    frequencies.push_back(*gear.frequency);
  }
  return frequencies;
}

} // namespace hypermile::control
