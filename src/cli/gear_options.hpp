#pragma once

#include "simulate/fixed_gears.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// Where the gears of runs with given gears come from.
struct GearOptions {
  std::vector<std::string> gears; ///< each as io::parse_gear_choice() reads it
  std::vector<std::string> plans; ///< files
  std::vector<std::string> lists; ///< files
};

void add_gear_options(CLI::App& command, GearOptions& options);

/// A run for each. Throws Error{config} with file and place for what cannot be read.
std::vector<simulate::FixedGears> read_gears(const GearOptions& options);

} // namespace hypermile::cli
