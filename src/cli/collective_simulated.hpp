#pragma once

#include "collective/arrival.hpp"
#include "collective/registry.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// What `calibrate` is asked for where there is no launcher.
struct SimulatedCalibration {
  const collective::Collective* collective = nullptr;
  std::string command{};     ///< "hypermile bcast"
  std::size_t processes = 0; ///< 0: not given
  std::vector<std::size_t> nodes{};
  bool idle = false; ///< processes that wait do not spin
  std::vector<std::string> simgrid_options{};
  std::size_t jobs = 0; ///< 0: as many as this machine has CPUs
  // Also of a measured calibration:
  std::vector<std::size_t> processes_per_node{};
  std::string platform{};
  std::vector<std::size_t> sizes_b{};
  std::vector<std::size_t> segments_b{};
  collective::Arrival arrival{};
  // With an arrival only:
  double seconds_per_cell = 0; ///< simulated
  std::size_t passes = 1;
  std::uint64_t seed = 1;
  std::string output{}; ///< empty: stdout
  bool json = false;
  bool quiet = false;

  [[nodiscard]] bool is_asked_for() const { return processes > 0 || !nodes.empty(); }
};

/// Those that are of simulation alone.
void add_simulated_options(CLI::App& command, SimulatedCalibration& options);

/// Returns the exit code. Throws Error for bad input.
int calibrate_in_simulation(const SimulatedCalibration& options);

} // namespace hypermile::cli
