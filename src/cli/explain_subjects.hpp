#pragma once

#include "cli/explain_options.hpp"

#include "units/error.hpp"

namespace hypermile::cli {

/// Asked for a run or gears that there are not.
class NotThere : public Error {
public:
  NotThere(const std::string& what, const std::string& advice)
      : Error(ErrorKind::config, what, advice) {}
};

// What `hypermile explain` prints. Both throw NotThere, and Error for what cannot be read or used.

/// Of a plan. Throws a CLI::Error where neither plan nor options name the problem.
[[nodiscard]] std::string explained_plan(const ExplainOptions& options);

#ifdef HYPERMILE_SIMGRID
/// Of the folder of a report. Throws GearsDoNotFit, too.
[[nodiscard]] std::string explained_run(const ExplainOptions& options);

/// Of a model or a recorded run, which is simulated for that. Throws as simulate::run(), too.
[[nodiscard]] std::string explained_simulation(const ExplainOptions& options);
#endif

} // namespace hypermile::cli
