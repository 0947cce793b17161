#include "cli/steer_replay.hpp"

#include "cli/output.hpp"

#include "report/steer_replay.hpp"
#include "steer/replay.hpp"
#include "units/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace hypermile::cli {
namespace {

/// A table knows no time and no arrivals.
steer::Goal goal_of(const steer::Bounds& bounds) {
  if (bounds.utilisation)
    throw CLI::ValidationError("--replay", "nothing arrives in a table; try: --throughput");
  return steer::goal_of(bounds, {});
}

} // namespace

int replay_table(const SteerOptions& options) {
  const steer::Goal goal = goal_of(options.job.bounds);
  std::vector<std::string> files{options.replay};
  const steer::Table table = load_tables(files, options.tables).front();
  const report::ReplaySubject subject{
      .table = table, .method = options.job.method, .goal = goal, .noise = options.noise};
  const steer::Replay replay = steer::replay(table, options.job.method, goal, options.noise);
  const std::string text = options.output.json
                               ? report::replay_json(subject, replay)
                               : report::replay_text(subject, replay, options.verbose);
  print_result(text);
  return static_cast<int>(replay.settled.keeps_bounds ? ExitCode::success : ExitCode::infeasible);
}

} // namespace hypermile::cli
