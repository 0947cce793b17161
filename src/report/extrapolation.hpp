#pragma once

#include "simulate/experiment.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace hypermile::report {

/// What of a model was not run, and how far the figures can be trusted; empty where all was run.
[[nodiscard]] std::string extrapolation_text(const simulate::Simulation& simulation);

/// For what is about the part that was simulated: what the whole run takes; likewise.
[[nodiscard]] std::string part_text(const simulate::Simulation& simulation);

/// Loops that were not run to their end: the value of "extrapolated"; null where there are none.
[[nodiscard]] nlohmann::ordered_json
extrapolation_json(const std::optional<simulate::ModelSummary>& model);
/// What was simulated of a run: the value of "simulated_part"; null where that is all.
[[nodiscard]] nlohmann::ordered_json part_json(const simulate::SimulatedRun& run);

} // namespace hypermile::report
