#pragma once

#include "simulate/experiment.hpp"
#include "simulate/placement.hpp"
#include "simulate/workspace.hpp"

#include "runtime/settings.hpp"

#include <span>
#include <string>
#include <vector>

namespace hypermile::simulate {

/// A run to be made.
struct Task {
  std::string method; ///< as in SimulatedRun
  std::string output; ///< file for what the program prints
  runtime::Settings settings;
};

/// Runs simulations, a few at a time.
class Runner {
public:
  /// Keeps references to all of them.
  Runner(const Experiment& experiment, const Installation& installation, const Placement& placement,
         const Workspace& workspace, const Listener& listener)
      : experiment_(experiment), installation_(installation), placement_(placement),
        workspace_(workspace), listener_(listener) {}

  /// Returns what came of the tasks, in their order. Throws ProgramFailed and Interrupted as run(),
  /// Error{config} where a program does not make the calls of the recording.
  [[nodiscard]] std::vector<SimulatedRun> run(std::span<const Task> tasks) const;

private:
  const Experiment& experiment_;
  const Installation& installation_;
  const Placement& placement_;
  const Workspace& workspace_;
  const Listener& listener_;
};

} // namespace hypermile::simulate
