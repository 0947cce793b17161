#pragma once

#include "simulate/experiment.hpp"

#include <string>

namespace hypermile::report {

/// What came of a simulation, as tables for a terminal of 80 columns.
std::string print_simulation(const simulate::Simulation& simulation);

} // namespace hypermile::report
