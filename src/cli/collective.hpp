#pragma once

#include "collective/calibration.hpp"
#include "collective/choice.hpp"
#include "tune/collective_job.hpp"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// `hypermile collective NAME`, `hypermile bcast`, or `hypermile collective`, which is for all of
/// them.
struct CollectiveCommand {
  const collective::Collective* collective = nullptr; ///< none: all
  std::string name{};                                 ///< "hypermile bcast"
};

/// The text with {command}, {hybrids}, {plural}, {function}, {first} and {last} replaced: the name
/// of the command, and what the collective is called and which sizes it is calibrated with.
[[nodiscard]] std::string with_names(std::string text, const CollectiveCommand& of);

// The commands below. Those for estimates are for one collective.

void add_collective_calibrate_command(CLI::App& parent, const CollectiveCommand& of,
                                      int& exit_code);
void add_collective_estimate_command(CLI::App& parent, const CollectiveCommand& of, int& exit_code);
void add_collective_choose_command(CLI::App& parent, const CollectiveCommand& of, int& exit_code);
void add_collective_apply_command(CLI::App& parent, const CollectiveCommand& of, int& exit_code);
void add_collective_verify_command(CLI::App& parent, const CollectiveCommand& of, int& exit_code);

/// --mpi; empty: the launcher tells.
void add_mpi_option(CLI::App& command, std::string& mpi);

/// How our program is started by this launcher. Throws Error{config} where it cannot be told which
/// MPI that is.
[[nodiscard]] tune::Launch launch_of(const std::string& mpi,
                                     const std::vector<std::string>& launcher);

/// What is asked of a calibration.
struct CollectiveQuestion {
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
void add_question_options(CLI::App& command, const CollectiveCommand& of,
                          CollectiveQuestion& question);

/// --least, --within and --confidence.
struct CollectiveAim {
  std::string least = "energy";
  std::optional<double> within{};
  double confidence = 0.95;
};
void add_aim_options(CLI::App& command, CollectiveAim& aim);
[[nodiscard]] collective::Aim aim_of(const CollectiveAim& aim);

/// Throws Error{config} for a file that cannot be read, is none, or is of another collective.
[[nodiscard]] collective::Calibration load_calibration(const std::string& file,
                                                       const collective::Collective* collective);

/// What the user has left open is as calibrated. Throws Error{config} where that is not one thing.
[[nodiscard]] collective::Question resolve(const CollectiveQuestion& question,
                                           const collective::Calibration& calibration);

/// All sizes of the calibration, ascending.
[[nodiscard]] std::vector<std::size_t> sizes_of(const collective::Calibration& calibration);

} // namespace hypermile::cli
