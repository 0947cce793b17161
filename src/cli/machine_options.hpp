#pragma once

#include "cli/checks.hpp"

#include "machine/registry.hpp"

#include <string>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// --backend, which `check` refuses or takes, and the options of the backends themselves. These
/// fill `own`; what their variables say is there before.
void add_backend_options(CLI::App& command, std::string& backend, const Check& check,
                         machine::Options& own);

} // namespace hypermile::cli
