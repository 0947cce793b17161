#pragma once

#include "machine/registry.hpp"
#include "model/platform.hpp"
#include "units/quantity.hpp"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// What the command line of `hypermile calibrate-power` says.
struct CalibrateOptions {
  Seconds seconds{10};
  bool all_gears = false;
  std::vector<model::Gear> gears; ///< empty: all, or a few that are spread over all
  std::string backend = "auto";   ///< as machine/registry.hpp names them
  std::string meter = "auto";     ///< likewise
  machine::Options own;           ///< of the backends
  std::optional<model::GearPower> assumed;
  std::string output; ///< a file; empty: stdout
  bool json = false;
  bool quiet = false;
};

/// Declares the options, which fill `options` when the command line is parsed.
void add_calibrate_options(CLI::App& command, CalibrateOptions& options);

} // namespace hypermile::cli
