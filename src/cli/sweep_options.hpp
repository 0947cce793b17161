#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// What the command line of `hypermile sweep` says.
struct SweepOptions {
  std::string study;
  std::string results; ///< folder; empty: beside the study
  std::size_t jobs = 1;
  bool retry_failed = false;
  std::optional<std::size_t> cell; ///< only this one
  bool list = false;
  bool collect = false;
  std::string emit; ///< "slurm"; empty: nothing
  std::string csv;  ///< file; empty: none
  bool json = false;
  bool quiet = false;
};

/// Declares the options, which fill `options` when the command line is parsed.
void add_sweep_options(CLI::App& command, SweepOptions& options);

} // namespace hypermile::cli
