#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace hypermile::cli {

/// "hypermile-collective-bcast": what the page of a command is called.
[[nodiscard]] std::string manual_name(const CLI::App& command);

/// The page of a command, for man(1): what its --help says. In the macros of man(7).
[[nodiscard]] std::string manual_page(CLI::App& command);

} // namespace hypermile::cli
