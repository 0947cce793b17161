#pragma once

#include "simulate/experiment.hpp"

#include <string>

namespace hypermile::report {

/// What a user should know about a run beside its figures: a paragraph each, each with an empty
/// line before it. Empty where there is nothing to say.
std::string remarks_on(const simulate::SimulatedRun& run, const simulate::SimulatedRun& unscaled);

/// What can be seen of why the time that the cluster model predicts of a run is off by more than
/// 5 %: a sentence. Empty if it is not.
std::string misprediction(const simulate::SimulatedRun& run,
                          const simulate::SimulatedRun& unscaled);

} // namespace hypermile::report
