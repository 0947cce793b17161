#pragma once

#include "simulate/forecast.hpp"
#include "simulate/report_folder.hpp"
#include "trace/traced_run.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace hypermile::cli {

/// Which runs of a report's folder are written as a trace.
struct TracedRunsOptions {
  std::string run;            ///< a forecast in the gears that this run had at its end
  std::string gears;          ///< a forecast in these
  std::string plan;           ///< a forecast in those of this file
  bool with_recorded = false; ///< the recorded run beside a forecast, too
  [[nodiscard]] bool forecast() const { return !run.empty() || !gears.empty() || !plan.empty(); }
};

/// Iterations of a loop, the first of which is 1.
struct LoopPart {
  std::size_t first = 1;
  std::size_t last = 1;
};

/// The runs of a folder in the form of a trace; they refer to this object.
class TracedRuns {
public:
  /// Throws NotThere and Error{config} for what is not there, Error{model} for a timeline that is
  /// not complete, GearsDoNotFit.
  TracedRuns(const std::string& folder, const TracedRunsOptions& options);
  TracedRuns(const TracedRuns&) = delete;
  TracedRuns& operator=(const TracedRuns&) = delete;

  [[nodiscard]] const std::vector<trace::TracedRun>& runs() const { return runs_; }
  [[nodiscard]] const std::string& program() const { return program_; }
  [[nodiscard]] const std::string& platform() const { return platform_; }
  /// Only a part of a model's steps was simulated, and is in the trace.
  [[nodiscard]] bool is_part() const { return is_part_; }
  /// The time of the first run in which rank 0 does these iterations of the loop that it was in
  /// last, each with as many MPI calls. Throws NotThere where there are none such.
  [[nodiscard]] trace::Window window_of(const LoopPart& iterations) const;

private:
  void add(std::string label, bool is_forecast, const std::vector<model::Gear>& gears,
           const runtime::RunReport& unscaled, const simulate::Forecast& forecast);

  model::Timeline timeline_;
  std::vector<trace::TracedRun> runs_;
  std::string program_;
  std::string platform_;
  bool is_part_ = false;
  runtime::LoopReport loop_; ///< of rank 0
};

} // namespace hypermile::cli
