#pragma once

#include "simulate/placement.hpp"
#include "units/quantity.hpp"

namespace hypermile::simulate {

/// How fast a core of this machine is in the platform's unit of work: the rate at which it draws
/// the pairs of NAS EP, best of a few short runs, times the work of a pair on the platform.
/// Throws Error{config} if the platform does not say what a pair costs, Interrupted on SIGINT and
/// the like.
Speed measure_reference_speed(const Placement& placement);

} // namespace hypermile::simulate
