#pragma once

#include "report/job_ratios.hpp"
#include "report/power_over_time.hpp"
#include "runtime/exchange/run_report.hpp"
#include "runtime/settings.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::report {

/// A job on a real machine, as its ranks and its launcher tell of it.
struct Job {
  std::string command; ///< as the user gave it; empty where the launcher was not hypermile
  std::optional<int> exit_code{};
  runtime::Settings settings{};
  runtime::RunReport run;
  /// Of the same command, run before in gear 0.
  std::optional<runtime::RunReport> baseline{};
  /// By an external meter, and how much of the job its samples cover.
  struct External {
    Joules energy;
    double coverage; ///< 0 to 1
    std::string source;
    /// Of all nodes together, in the course of the command; not where samples are missing.
    std::vector<PowerStep> power{};
  };
  std::optional<External> external{};
  std::optional<External> baseline_external{};
  std::string collective_rules{};     ///< file by which the MPI library chose; empty: by its own
  std::vector<std::string> remarks{}; ///< what the launcher could not do
};

/// An external meter whose samples cover so much of a job did not miss anything worth telling.
inline constexpr double enough_coverage = 0.99;

/// What a figure of energy rests on.
enum class EnergyBasis {
  none,     ///< there is no figure
  meters,   ///< of the nodes
  external, ///< an external meter
  tables    ///< the nodes' power tables and the measured times
};

struct JobSummary {
  Seconds time; ///< of the slowest rank, MPI_Init to MPI_Finalize
  std::size_t nodes = 0;
  bool emulated = false;
  /// Every node's gears; false: nothing can be chosen, or said of what other gears would do.
  bool gears_known = true;
  /// By the meters of the nodes; none where not every node has one.
  std::optional<Joules> measured_energy;
  std::vector<std::string> meters; ///< what these measure, each once
  /// By the nodes' power tables and the measured times; none where a node's power is unknown.
  std::optional<Joules> table_energy;
  bool power_assumed = false; ///< some table is nobody's measurement
  bool power_learnt = false;  ///< some table is what meters taught in the run
  /// What nodes were taken for: types of the platform, or NodeAccess::generic; each once.
  std::vector<std::string> assumed{};
  bool gears_in_effect = false; ///< some node was in another gear than 0
  std::optional<Ratio> planned; ///< of the whole run, where it began in planned gears
  /// Of the last choice of gears other than 0, per iteration.
  std::optional<Ratio> predicted;
  bool all_in_effect = true; ///< all nodes were in the gears of that choice
  /// The same as it came: the iterations after it against those in gear 0. Energy by the power
  /// tables, if known.
  std::optional<Ratio> measured;
  /// What the gears made of the whole run: estimated from what was predicted of each choice.
  std::optional<Ratio> whole_run;
  /// Of the whole run against the baseline, both as they were. None where there is no baseline.
  std::optional<Ratio> against_baseline;
  EnergyBasis baseline_basis = EnergyBasis::none; ///< of the energy of both
  std::optional<Joules> baseline_energy;
  Seconds baseline_time;
  std::optional<TakenByOthers> taken_by_others;
  bool contended = false; ///< others took much of the run, or of the baseline
  // Hypermile's own time, measured:
  Seconds overhead;     ///< RankReport::overhead, of the rank that had most of it
  Seconds watching;     ///< RankReport::watching, likewise
  Seconds at_ends;      ///< in MPI_Init and MPI_Finalize
  double own_ratio = 1; ///< of the whole run to what it would have been without all that
  /// What could not be done, and why, each once, with the nodes concerned.
  std::vector<std::string> remarks;
};

/// "; energy by ...", or "; energy assumed: ...", where the ratio's energy is not measured; else
/// empty.
std::string energy_by(const Ratio& ratio, EnergyBasis basis, const JobSummary& summary);

/// "2.3 s", "45 ms", "0.4 ms".
std::string duration(Seconds time);

/// "assumed: generic"; empty where no node was taken for another one.
std::string assumed_text(const JobSummary& summary);

/// Whether a node is taken for a generic one, whose joules mean nothing.
bool is_generic(const JobSummary& summary);

/// With --meter none without any energy but the one that is predicted.
JobSummary summarize(const Job& job);

} // namespace hypermile::report
