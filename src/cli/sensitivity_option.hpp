#pragma once

#include "model/call_sensitivities.hpp"

namespace CLI {
class App;
}

namespace hypermile::cli {

/// --sensitivity: of simulations, and of emulated nodes.
void add_sensitivity_option(CLI::App& command, model::CallSensitivities& sensitivities);

} // namespace hypermile::cli
