#pragma once

#include "cli/report_output.hpp"
#include "cli/steer_tables.hpp"

#include "session/run.hpp"
#include "steer/replay.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// The options of `hypermile steer`, without those of its own commands.
struct SteerOptions {
  session::Job job;
  std::string platform;      ///< of an emulated node; empty: assumed
  std::string schedule_file; ///< empty: none
  std::string timeline_file; ///< empty: none
  std::string report_folder; ///< empty: none
  ReportOutput output;
  bool verbose = false;
  // Instead of a program:
  std::string replay; ///< a table
  TableOptions tables;
  steer::Noise noise;
  std::string set; ///< a request to whoever steers `process`
  pid_t process = 0;
};

void add_steer_options(CLI::App& command, SteerOptions& options);

/// Throws CLI::Error for options that do not go together.
void check_steer_options(const SteerOptions& options);

/// The gears of the backend of this name are limits on power.
bool is_limited(const std::string& name);

} // namespace hypermile::cli
