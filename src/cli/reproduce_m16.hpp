#pragma once

namespace hypermile::cli {

/// Tables III and IV of [M16]: their models in Lua are fitted to the published energies, and both
/// are printed beside the paper's own simulation. Returns the exit code.
int reproduce_m16(bool json, bool quiet);

} // namespace hypermile::cli
