#pragma once

#include "cli/reproduce_options.hpp"

#include <string>

namespace hypermile::cli {

/// Whether a table is one of [F16] chapter 4, about the multisplitting program.
[[nodiscard]] bool is_of_multisplitting(const std::string& table);
[[nodiscard]] std::vector<std::string> multisplitting_table_names();

/// These tables, all of them such. Returns the exit code. Throws simulate::Interrupted.
int reproduce_multisplitting(const ReproduceOptions& options);

} // namespace hypermile::cli
