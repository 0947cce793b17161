#pragma once

#include "simulate/experiment.hpp"

#include <string>

namespace hypermile::report {

/// The method of a run in 25 characters: "gears:0,0,0,0,3,3,2,9,9,9" becomes "gears:4x0,2x3,2,3x9",
/// and what is longer yet ends with "...".
std::string short_method(const std::string& method);

/// What was run, and how: the first lines of print_simulation().
[[nodiscard]] std::string run_text(const simulate::Simulation& simulation);

/// What came of a simulation, as tables for a terminal of 80 columns.
std::string print_simulation(const simulate::Simulation& simulation);

} // namespace hypermile::report
