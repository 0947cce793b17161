#pragma once

#include "simulate/fixed_gears.hpp"
#include "simulate/report_folder.hpp"

#include <string>
#include <vector>

namespace hypermile::cli {

// Which gears are meant of those that the runs in a report's folder had, or of others.

[[nodiscard]] std::vector<std::string> names_of(const simulate::ReportFolder& folder);

/// The run of this name or method. Throws NotThere.
[[nodiscard]] const simulate::ReportFolder::Run& named_run(const simulate::ReportFolder& folder,
                                                           const std::string& name);

/// `exact`, else the first run with gears, else the unscaled one.
[[nodiscard]] const simulate::ReportFolder::Run& usual_run(const simulate::ReportFolder& folder);

/// In the order of their first ranks.
[[nodiscard]] std::vector<simulate::PlacedNode> placed_nodes_of(const runtime::RunReport& run);

/// Throws Error{config} for a run on other nodes.
[[nodiscard]] std::vector<model::Gear>
gears_at_the_end(const runtime::RunReport& run, const std::vector<simulate::PlacedNode>& nodes);

/// As --gears writes them, or of a file with one plan where there are none. Throws NotThere,
/// GearsDoNotFit.
[[nodiscard]] std::vector<model::Gear> given_gears(const std::string& gears,
                                                   const std::string& plan,
                                                   const std::vector<simulate::PlacedNode>& nodes);

} // namespace hypermile::cli
