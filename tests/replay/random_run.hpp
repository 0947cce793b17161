#pragma once

#include "replay/recorded_run.hpp"

#include <cstdint>

namespace hypermile::test {

/// A run of a few ranks that makes sense call by call, though not among ranks. The same seed gives
/// the same run.
replay::RecordedRun random_run(std::uint32_t seed);

} // namespace hypermile::test
