#pragma once

#include "cli/collective.hpp"
#ifdef HYPERMILE_SIMGRID
#include "cli/collective_simulated.hpp"
#endif

#include "tune/measure.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// What `hypermile collective ... calibrate` is asked for.
struct CollectiveCalibration {
  std::string command{}; ///< "hypermile bcast"
  tune::Plan plan{};
  std::size_t first_b = 0;
  std::size_t last_b = 0;
  std::vector<std::size_t> processes_per_node{};
  std::string output{};
  std::string mpi{};
  std::string meter = "auto";
  std::string platform{};
  bool json = false;
  bool quiet = false;
  std::vector<std::string> launcher{};
#ifdef HYPERMILE_SIMGRID
  SimulatedCalibration simulated{};
#endif
};

/// `options` has the collective's own defaults.
void add_collective_calibration_options(CLI::App& command, const CollectiveCommand& of,
                                        CollectiveCalibration& options);

[[nodiscard]] std::string collective_calibration_footer(const CollectiveCommand& of);

} // namespace hypermile::cli
