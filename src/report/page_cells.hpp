#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace hypermile::report {

inline constexpr const char* sweep_cell_schema = "hypermile/sweep-cell/1";

/// True for a folder with a cell of `hypermile sweep`, which is a file of JSON. Throws
/// Error{config} naming the file for JSON that cannot be read.
[[nodiscard]] bool has_cells(const std::string& folder);

/// What the page shows of the results of `hypermile sweep`: `cells`, each with its `file` and,
/// where it is done, its `runs`; and how many are `superseded`: those that a newer file repeats, as
/// the study has changed. Throws Error{config} naming the file for what cannot be understood.
[[nodiscard]] nlohmann::json read_cells(const std::string& folder);

} // namespace hypermile::report
