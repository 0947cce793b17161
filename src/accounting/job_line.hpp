#pragma once

#include "accounting/step.hpp"
#include "units/quantity.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::accounting {

/// What a figure of energy rests on.
enum class EnergyBy {
  meters,       ///< measured
  power_tables, ///< estimated from the tables of a platform and measured times
  assumption    ///< power that nobody has measured: ratios are a rough guide, joules mean nothing
};

/// One job, or one step of a Slurm job, that ran under hypermile: a line of JSON, schema
/// `hypermile/job-line/1` (docs/slurm.md).
struct JobLine {
  Step step{};
  double ended_unix_s = 0; ///< when rank 0 wrote the line, since 1970
  std::string program{};   ///< of rank 0, without its folder; empty: not known
  std::size_t ranks = 0;
  std::vector<std::string> nodes{};          ///< in the order of the first rank on each
  bool emulated = false;                     ///< no time or energy is that of a real node
  Seconds time{};                            ///< MPI_Init to MPI_Finalize, of the slowest rank
  std::optional<Seconds> gear0_time{};       ///< the same in gear 0, estimated
  std::optional<Joules> energy{};            ///< none: not known, or assumed power
  std::optional<Joules> gear0_energy{};      ///< the same in gear 0, estimated
  std::optional<EnergyBy> energy_by{};       ///< none: nothing is known
  bool gears_set = false;                    ///< some node was in another gear than 0
  std::optional<double> saving{};            ///< 0.1: the gears saved 10 % of the energy
  std::optional<double> slowdown{};          ///< 0.02: the job took 2 % longer
  std::optional<double> possible_saving{};   ///< predicted of an iteration, had gears been set
  std::optional<double> possible_slowdown{}; ///< likewise
  std::string method{};
  std::string objective{};
  std::optional<double> max_slowdown{}; ///< the bound; none: there was none
  std::string verdict{};                ///< in words; empty: no gears were to be chosen

  [[nodiscard]] std::optional<Joules> saved() const {
    return energy && gear0_energy ? std::optional(*gear0_energy - *energy) : std::nullopt;
  }
};

/// As it is spelt in JSON.
std::string_view name_of(EnergyBy by);

/// With a newline at its end. Bytes that are no UTF-8 are replaced.
std::string print_job_line(const JobLine& job);

/// Reads a line, without its end, strictly: every key, no other one, each in its range. `file`
/// is used in messages only. Throws Error{config}.
JobLine parse_job_line(std::string_view line, const std::string& file);

/// Reads the lines of a file, in its order. An empty file has no jobs. Throws Error{config} with
/// file and line, also where the last line has no end: a job that is just being written, or a full
/// disk.
std::vector<JobLine> parse_job_lines(std::string_view text, const std::string& file);

} // namespace hypermile::accounting
