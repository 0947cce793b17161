#pragma once

#include "simulate/experiment.hpp"
#include "simulate/repetition.hpp"
#include "simulate/workspace.hpp"

#include "application/schedule.hpp"

namespace hypermile::simulate {

/// Runs `experiment.model` for its ranks. Throws Error{config} for a model that there is not, or
/// that run_model() refuses.
[[nodiscard]] application::ModelRun run_model_of(const Experiment& experiment,
                                                 const Installation& installation,
                                                 const Listener& listener);

/// What came of the model, for reports. `name`: as its user calls it.
[[nodiscard]] ModelSummary summary_of(const application::ModelRun& run, const std::string& name);
/// The model and its parameters, as somebody would type them.
[[nodiscard]] std::string title_of(const application::ModelRun& run);

/// As run_model_of(), and the ranks can meet. Throws also where they cannot.
[[nodiscard]] application::ModelRun checked_model_of(const Experiment& experiment,
                                                     const Installation& installation,
                                                     const Listener& listener);
/// The model as a recorded run in the workspace, which SimGrid repeats.
[[nodiscard]] Repetition repetition_of_model(const Experiment& experiment,
                                             application::ModelRun&& run,
                                             const Installation& installation,
                                             const Workspace& workspace);

} // namespace hypermile::simulate
