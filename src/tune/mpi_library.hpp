#pragma once

#include "collective/registry.hpp"
#include "control/spawn.hpp"

#include <string>
#include <vector>

namespace hypermile::tune {

/// Whose mpirun this is, which its --version tells. Throws Error{config} where that does not tell.
[[nodiscard]] collective::Library library_of(const std::vector<std::string>& launcher);

/// What makes the library listen: variables under which algorithms of these collectives can be
/// chosen at all.
[[nodiscard]] control::Variables
settings_for_choice(collective::Library library,
                    const std::vector<const collective::Collective*>& collectives);

} // namespace hypermile::tune
