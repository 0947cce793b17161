#pragma once

#include "io/components.hpp"
#include "model/platform.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// Where the components of platforms are, and these swaps.
io::ComponentSource component_source(std::vector<io::Swap> swaps = {});

/// The platform in a file, or the bundled one of this name. Throws Error{config}.
model::Platform load_named_platform(const std::string& name, std::vector<io::Swap> swaps = {});

/// Declares --swap.
void add_swap_option(CLI::App& command, std::vector<io::Swap>& swaps);

} // namespace hypermile::cli
