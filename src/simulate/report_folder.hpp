#pragma once

#include "model/timeline.hpp"
#include "runtime/exchange/run_report.hpp"
#include "simulate/experiment.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::simulate {

/// Names of files in the folder that `hypermile simulate --report` leaves (docs/simulation.md).
inline constexpr const char* simulation_name = "simulation.json";
inline constexpr const char* timeline_name = "unscaled.timeline.txt";
/// `run`: "none", the name of a method, or "gears-K" for the K-th choice of gears that was given.
[[nodiscard]] std::string run_report_of(const std::string& run);
/// Likewise; that of "none" is `timeline_name`.
[[nodiscard]] std::string timeline_of(const std::string& run);

/// Reads such a folder. Everything throws Error{config} naming the file for what is not there,
/// cannot be read or understood.
class ReportFolder {
public:
  struct Run {
    std::string name;   ///< "unscaled", "exact", "gears-1"
    std::string method; ///< as in SimulatedRun
    Seconds time;       ///< likewise, of what was simulated
    Joules energy;      ///< likewise
    /// Of the whole run, where only a part of a model's steps was simulated.
    std::optional<Expectation> whole{};
  };
  explicit ReportFolder(std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& platform() const { return platform_; }
  [[nodiscard]] const std::vector<std::string>& program() const { return program_; }
  [[nodiscard]] const std::string& objective() const { return objective_; }
  [[nodiscard]] std::optional<double> max_slowdown() const { return max_slowdown_; }
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; } ///< the unscaled one first

  [[nodiscard]] runtime::RunReport report(const Run& run) const;
  [[nodiscard]] model::Timeline timeline() const; ///< of the unscaled run
  /// Of a file in this folder.
  [[nodiscard]] model::Timeline timeline(const std::string& name) const;

private:
  [[nodiscard]] std::string file(const std::string& name) const;
  [[nodiscard]] std::string read(const std::string& name) const;

  std::string path_;
  std::string platform_;
  std::vector<std::string> program_;
  std::string objective_;
  std::optional<double> max_slowdown_;
  std::vector<Run> runs_;
};

} // namespace hypermile::simulate
