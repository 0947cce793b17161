#pragma once

#include "simulate/experiment.hpp"

namespace CLI {
class App;
}

namespace hypermile::cli {

/// --model, --fast and what belongs to them.
void add_model_options(CLI::App& command, simulate::Experiment& experiment);
/// --set, of the model's parameters.
void add_set_option(CLI::App& command, simulate::Experiment& experiment);
/// --map-by and --oversubscribe: which node each rank is on.
void add_layout_options(CLI::App& command, simulate::Experiment& experiment);

/// Throws a CLI::Error for options that make no sense together.
void check_model_options(const simulate::Experiment& experiment);

} // namespace hypermile::cli
