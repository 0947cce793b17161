#pragma once

#include "simulate/experiment.hpp"

#include <string>

namespace hypermile::report {

/// The same as JSON, schema `hypermile/simulation/1`; docs/simulation.md describes every key.
std::string simulation_json(const simulate::Simulation& simulation);

} // namespace hypermile::report
