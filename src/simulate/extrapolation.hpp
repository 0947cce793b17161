#pragma once

#include "simulate/experiment.hpp"

#include <functional>

namespace hypermile::simulate {

/// Simulates an experiment with fewer steps.
using RunShorter = std::function<Simulation(const Experiment&)>;

/// Makes the figures of the whole run from those of a model whose loops were not run to their end;
/// leaves others alone. Each run is simulated twice more with fewer steps of a loop. What the last
/// steps take, by the difference, is taken for each of those that were not run: exact from where on
/// all steps take the same, whatever comes before and after them.
void extrapolate(Simulation& simulation, const Experiment& experiment, const Listener& listener,
                 const RunShorter& run_shorter);

} // namespace hypermile::simulate
