#pragma once

#include "collective/calibration.hpp"
#include "collective/choice.hpp"
#include "tune/broadcast_job.hpp"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hypermile::cli {

// The commands below `hypermile bcast`.

void add_bcast_calibrate_command(CLI::App& bcast, int& exit_code);
void add_bcast_estimate_command(CLI::App& bcast, int& exit_code);
void add_bcast_choose_command(CLI::App& bcast, int& exit_code);
void add_bcast_apply_command(CLI::App& bcast, int& exit_code);
void add_bcast_verify_command(CLI::App& bcast, int& exit_code);

/// --mpi; empty: the launcher tells.
void add_mpi_option(CLI::App& command, std::string& mpi);

/// How our program is started by this launcher, with algorithms that can be chosen. Throws
/// Error{config} where it cannot be told which MPI that is.
[[nodiscard]] tune::Launch launch_of(const std::string& mpi,
                                     const std::vector<std::string>& launcher);

/// What is asked of a calibration.
struct BcastQuestion {
  std::string file{};
  std::size_t nodes = 0;              ///< 0: as calibrated
  std::size_t processes_per_node = 0; ///< 0: as calibrated
  std::vector<std::size_t> sizes_b{}; ///< none: as calibrated
  std::size_t messages = 1;
  std::size_t switches = 0;
  Watts switch_power{};
  bool paper = false;
  bool json = false;
};
void add_question_options(CLI::App& command, BcastQuestion& question);

/// --least, --within and --confidence.
struct BcastAim {
  std::string least = "energy";
  std::optional<double> within{};
  double confidence = 0.95;
};
void add_aim_options(CLI::App& command, BcastAim& aim);
[[nodiscard]] collective::Aim aim_of(const BcastAim& aim);

/// Throws Error{config} for a file that cannot be read, or is none.
[[nodiscard]] collective::Calibration load_calibration(const std::string& file);

/// What the user has left open is as calibrated. Throws Error{config} where that is not one thing.
[[nodiscard]] collective::Question resolve(const BcastQuestion& question,
                                           const collective::Calibration& calibration);

/// All sizes of the calibration, ascending.
[[nodiscard]] std::vector<std::size_t> sizes_of(const collective::Calibration& calibration);

} // namespace hypermile::cli
