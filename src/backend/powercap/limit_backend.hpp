#pragma once

#include "control/backend.hpp"

#include <array>

/// Gears that are limits on the power of the processors.
namespace hypermile::backend::powercap {

/// "120W,100W": limits, the highest first. Throws Error{config}.
std::vector<Watts> parse_power_limits(const std::string& text);

/// What is wrong with such a list; empty: nothing.
std::string check_power_limits(const std::string& text);

inline constexpr std::array limit_options{control::BackendOption{
    "power-limits", "POWER,...",
    "the gears after the present limit, of each processor, e.g. 120W,100W. Default: steps of 10 % "
    "down to 40 %",
    check_power_limits}};

control::Finding probe_limits(const control::Access& access);

/// Throws as control::Lease::acquire().
control::OpenGears open_limits(const control::Access& access);

} // namespace hypermile::backend::powercap
