#pragma once

#include "units/quantity.hpp"

#include <string_view>

namespace hypermile::backend::wattmeter {

/// Reads a moment as seconds since 1970-01-01 00:00 UTC: either such a number ("1714564800.25") or
/// ISO 8601 with date, time and zone ("2024-05-01T12:00:00.25Z", "2024-05-01 14:00:00+02:00").
/// Throws Error{config} naming the text; also where the zone is missing, since nobody should have
/// to guess, and for what is not from 1970 to 9999.
Seconds parse_timestamp(std::string_view text);

} // namespace hypermile::backend::wattmeter
