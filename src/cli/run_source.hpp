#pragma once

#ifdef HYPERMILE_SIMGRID
#include "simulate/experiment.hpp"
#endif

#include <string>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// A run that is simulated because another command needs to know what its ranks do: that of a
/// model, or one that was recorded.
struct RunSource {
#ifdef HYPERMILE_SIMGRID
  simulate::Experiment experiment;
#endif
  bool quiet = false;

  /// Whether there is one: a model, or a recorded run.
  [[nodiscard]] bool named() const;
};

/// Declares --model and what else says what is run, but for --platform. Nothing without SimGrid.
void add_run_source(CLI::App& command, RunSource& source);

/// Takes the subject of a command as the recorded run if it is one, and the platform if there is a
/// run. Throws a CLI::Error for options that make no sense together, Error{unsupported} for a
/// recorded run without SimGrid.
void check_run_source(const CLI::App& command, const std::string& subject,
                      const std::string& platform, RunSource& source);

} // namespace hypermile::cli
