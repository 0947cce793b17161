#pragma once

#include "collective/calibration.hpp"
#include "simulate/experiment.hpp"
#include "simulate/placement.hpp"
#include "simulate/process.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Collective operations on a machine that is not there, by SimGrid.
namespace hypermile::tune {

/// Where operations are simulated, and how.
struct SimulatedMachine {
  model::Platform platform{};
  std::string platform_name{}; ///< the same, as Experiment::platform has it
  simulate::Installation installation{};
  std::string program_folder{}; ///< where libexec/hypermile is
  /// Spinning: a process keeps its core busy from the begin of an operation until all have ended
  /// it.
  simulate::Waiting waiting = simulate::Waiting::spinning;
  std::vector<std::string> simgrid_options{}; ///< KEY:VALUE
  std::size_t jobs = 1;                       ///< simulations at a time
};

/// One simulation: these sizes, one after the other; the root is the first process of the first
/// node.
struct SimulatedOperations {
  const collective::Collective* collective = nullptr;
  collective::Variant variant{};
  std::size_t nodes = 1;
  std::size_t processes_per_node = 1; ///< of a hybrid: threads
  std::vector<std::size_t> sizes_b{};
  std::size_t messages = 1; ///< of each size; each begins when all have ended the one before
  /// Of no hybrid: how processes come, each time a message begins.
  collective::Arrival arrival{};
  /// If they come late, in place of `messages`: how long each size is repeated, in simulated time.
  double seconds_per_cell = 0;
  std::uint64_t seed = 1;
  std::size_t pass = 0;
};

/// Of one message: the mean of all of a size, or the median, if processes come late.
struct SimulatedCost {
  Seconds time{};   ///< from the last arrival on
  Seconds inside{}; ///< how long a process is in the operation, as the mean of all
  Watts power{};    ///< of the nodes with processes meanwhile; no switches
};

/// How much memory so many simulations take at a time: SMPI's own buffers, which all processes of
/// one share, two of what a process has. Broadcasts have none.
[[nodiscard]] double memory_needed_b(const SimulatedOperations& operations, std::size_t at_a_time);

/// Runs all of them, `machine.jobs` at a time: `take` gets what came of each simulation, in any
/// order, and `status` what is going on. Throws simulate::Interrupted where a signal is pending,
/// see simulate::Interruption; Error{config} for what does not fit on the platform, and with
/// SimGrid's reason where a simulation fails.
void simulate_operations(
    const SimulatedMachine& machine, const std::vector<SimulatedOperations>& all,
    const std::function<void(std::size_t, const std::vector<SimulatedCost>&)>& take,
    const std::function<void(const std::string&)>& status);

/// How the threads of a node of the first type copy a message: with its memory. None: the platform
/// has no memory.
[[nodiscard]] std::optional<collective::Copying> copying_on(const model::Platform& platform,
                                                            std::size_t threads);

/// Processes for which a calibration is to be there.
struct SimulatedSetup {
  std::size_t nodes = 1;
  std::size_t processes_per_node = 1;
  std::vector<std::size_t> sizes_b{};
};

struct SimulatedPlan {
  const collective::Collective* collective = nullptr;
  std::vector<SimulatedSetup> setups{};
  std::vector<collective::Variant> variants{};
  /// One after the other, of which a cell is the mean.
  std::size_t messages = 1;
  collective::Arrival arrival{};
  double seconds_per_cell = 0; ///< as in SimulatedOperations
  std::uint64_t seed = 1;
  std::size_t passes = 1; ///< each has other arrivals
  /// Cells are those of hybrids, with a thread for each process of a setup: such a calibration is
  /// no base for estimates.
  bool hybrid = false;
};

/// Begins a calibration, or goes on with one. Throws Error{config} where `earlier` was made under
/// other conditions, saying which.
[[nodiscard]] collective::Calibration
begin_simulated(const std::optional<collective::Calibration>& earlier,
                const SimulatedMachine& machine, const SimulatedPlan& plan);

/// Simulates what is missing, pass by pass. A variant is added with all its sizes at once; `keep`
/// is called after each. Throws as simulate_operations(); what is finished stays in the
/// calibration.
void calibrate_simulated(collective::Calibration& calibration, const SimulatedMachine& machine,
                         const SimulatedPlan& plan,
                         const std::function<void(const collective::Calibration&)>& keep,
                         const std::function<void(const std::string&)>& status);

} // namespace hypermile::tune
