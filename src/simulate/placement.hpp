#pragma once

#include "simulate/experiment.hpp"
#include "simulate/fixed_gears.hpp"
#include "simulate/workspace.hpp"
#include "units/quantity.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::simulate {

/// Where the ranks run, in the form that SimGrid wants.
struct Placement {
  std::string platform_name;
  std::string platform_file; ///< XML
  std::string host_file;     ///< a line per rank
  std::size_t ranks = 0;
  std::vector<PlacedNode> nodes;    ///< in the order of the first rank on each
  std::optional<Work> ep_pair_work; ///< see model::Platform
  /// Of all switches together; none: the platform does not say it.
  std::optional<Watts> switch_power{};
  model::IdleNodes idle_nodes{};
};

/// Finds the platform, places the ranks on it and writes SimGrid's files into the workspace.
/// Throws Error{config} for a platform that does not exist (naming those that do), that cannot
/// be read, or that has not enough cores; Interrupted on SIGINT and the like.
Placement make_placement(const Experiment& experiment, const Installation& installation,
                         const Workspace& workspace);

/// Whether each rank gets a program of its own, with variables of its own. A program that has none
/// is loaded once.
enum class Copies : bool { one, each_rank };

/// The options of smpimain; its other files go to `folder`.
std::vector<std::string> simgrid_options(const Placement& placement, const std::string& folder,
                                         Copies copies);

/// What is wrong with KEY:VALUE as a further one, because it is none or hypermile's own business;
/// empty: nothing. SimGrid knows whether there is such a key.
std::string check_simgrid_option(const std::string& option);

} // namespace hypermile::simulate
