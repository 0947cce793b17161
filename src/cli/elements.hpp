#pragma once

#include <CLI/CLI.hpp>

#include <vector>

namespace hypermile::cli {

/// The commands below a command that help shows.
[[nodiscard]] std::vector<CLI::App*> commands_of(CLI::App& command);

/// The options and arguments of a command that help shows, those in groups, too.
[[nodiscard]] std::vector<CLI::Option*> options_of(CLI::App& command);

[[nodiscard]] inline bool takes_value(const CLI::Option& option) {
  return option.get_type_size() != 0;
}

} // namespace hypermile::cli
