#include "steer/schedule.hpp"

namespace hypermile::steer {

Watts power_at(const PowerSchedule& schedule, Seconds since_midnight) {
  Watts power = schedule.entries.back().power;
  for (const auto& entry : schedule.entries)
    if (entry.from <= since_midnight)
      power = entry.power;
  return power;
}

} // namespace hypermile::steer
