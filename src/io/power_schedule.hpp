#pragma once

#include "steer/schedule.hpp"

#include <string>
#include <string_view>

namespace hypermile::io {

/// Reads CSV with the columns time (of the day, local: 06:00 or 06:00:30, ascending) and power_w.
/// Throws Error{config} with file and line for what is not understood.
steer::PowerSchedule parse_power_schedule(std::string_view text, const std::string& file);

} // namespace hypermile::io
