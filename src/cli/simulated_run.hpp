#pragma once

#include "simulate/experiment.hpp"

#include "io/temporary_folder.hpp"

#include <functional>
#include <string>

namespace hypermile::cli {

/// Simulates it, with progress on stderr.
[[nodiscard]] simulate::Simulation simulate_with_progress(const simulate::Experiment& experiment,
                                                          bool quiet);

/// Completes the folder of a report, which the simulation has begun, with its tables.
void write_report(const simulate::Simulation& simulation, const std::string& folder);

/// What came of a simulation, with a report that goes away with this object.
class SimulatedRun {
public:
  SimulatedRun(simulate::Experiment experiment, bool quiet);

  [[nodiscard]] const simulate::Simulation& simulation() const { return simulation_; }
  [[nodiscard]] std::string folder() const { return folder_.path().string(); }

private:
  io::TemporaryFolder folder_;
  simulate::Simulation simulation_;
};

/// What `work`, which simulates, returns as exit code; where that fails, says why and returns the
/// code that tells it.
int run_simulated(const std::function<int()>& work);

} // namespace hypermile::cli
