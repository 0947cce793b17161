#pragma once

#include "runtime/exchange/messages.hpp"

#include <string>

namespace hypermile::report {

/// "12 to 15 iterations": of the main loop, over the ranks; empty: some have none.
std::string iterations_text(const runtime::RunReport& run);

} // namespace hypermile::report
