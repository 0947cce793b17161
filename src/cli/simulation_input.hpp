#pragma once

#include "simulate/experiment.hpp"

namespace CLI {
class App;
}

namespace hypermile::cli {

/// What a command cannot do without.
enum class Needs : bool { nothing, platform };

/// Declares the options that say where a program is simulated, and what it computes.
void add_simulation_input(CLI::App& command, simulate::Experiment& experiment, Needs needs);

/// The same of a model or a recorded run, without --platform.
void add_run_input(CLI::App& command, simulate::Experiment& experiment);

} // namespace hypermile::cli
