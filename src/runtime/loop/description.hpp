#pragma once

#include "runtime/loop/symbol_table.hpp"

#include <span>
#include <string>

namespace hypermile::runtime {

/// E.g. "12 MPI calls + loop of (3 MPI calls)": what an iteration consists of. Loops in which calls
/// repeat exactly are named, unless that makes it long.
[[nodiscard]] std::string describe_iteration(std::span<const Symbol> calls);

} // namespace hypermile::runtime
