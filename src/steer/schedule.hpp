#pragma once

#include "units/quantity.hpp"

#include <vector>

namespace hypermile::steer {

/// Bounds on power over the day, which repeat every day.
struct PowerSchedule {
  struct Entry {
    Seconds from; ///< since midnight, ascending
    Watts power;
    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> entries; ///< at least one
};

/// The bound at this time of the day. Before the first entry the last one's of the day before
/// holds.
Watts power_at(const PowerSchedule& schedule, Seconds since_midnight);

} // namespace hypermile::steer
