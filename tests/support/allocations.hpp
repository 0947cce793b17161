#pragma once

#include <cstddef>

namespace hypermile::test {

/// How often this program has called `new`. Link allocations.cpp, which replaces it.
std::size_t allocations();

} // namespace hypermile::test
