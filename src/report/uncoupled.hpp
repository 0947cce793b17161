#pragma once

#include "runtime/exchange/messages.hpp"

#include <string>

namespace hypermile::report {

/// Whether gears were chosen for nodes or clusters that do not wait for each other. How many
/// iterations such a program needs depends on the gears.
bool is_uncoupled(const runtime::RunReport& run);

/// "12 to 15 iterations": of the main loop, over the ranks; empty: some have none.
std::string iterations_text(const runtime::RunReport& run);

} // namespace hypermile::report
