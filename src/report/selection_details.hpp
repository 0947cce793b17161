#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace hypermile::report {

/// Of plans of `hypermile select --json` in a file, one or an array of them: `front`, which is
/// front_details() of their problem, or null, and then `missing` says why. The problem is looked
/// for where the plan says, and beside the plan. Throws Error{config} for a plan that is not
/// understood.
[[nodiscard]] nlohmann::ordered_json selection_details(const std::string& file,
                                                       const std::string& platform_folder);

/// Of `hypermile select --pareto --json`: its `front` in the form of front_details(), without
/// methods; of each point, `index` is its position in the JSON. Takes the points out of the JSON.
[[nodiscard]] nlohmann::ordered_json front_file_details(nlohmann::json& front);

} // namespace hypermile::report
