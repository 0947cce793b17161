#pragma once

#include "units/quantity.hpp"

#include <string_view>

namespace hypermile {

/// Reads a number and its unit as a user writes them: "90W", "2.5 GHz", "50us", "1Gbps",
/// "40Gf", "2h". SI prefixes are accepted before every unit (b = bit, B = byte). A number
/// without a unit is an error: nobody should have to guess. So is one that is neither 0 nor
/// between 1e-30 and 1e30 in size, in SI units.
/// Throws Error{config} naming the text and the units that are understood.
Seconds parse_seconds(std::string_view text);
Joules parse_joules(std::string_view text);
Watts parse_watts(std::string_view text);
Hertz parse_hertz(std::string_view text);
Speed parse_speed(std::string_view text);
Bandwidth parse_bandwidth(std::string_view text);
/// Items per time: "200/s", "5k/min", "3.5 M/h".
Rate parse_rate(std::string_view text);

/// Reads "5%" or "0.05" as 0.05. Throws Error{config} for anything that is not a finite number.
double parse_ratio(std::string_view text);

/// Reads by how much something may take longer, "5%" or "0.05" as 0.05. Throws Error{config} also
/// for less than 0, and for a plain number from 1 on: "5" is hardly ever meant as 500 %.
double parse_slowdown(std::string_view text);

} // namespace hypermile
