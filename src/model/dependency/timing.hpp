#pragma once

#include "model/timeline.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace hypermile::model::dependency {

/// By index of Timeline::functions, whether the function only looks whether a request is complete
/// (MPI_Test and its kin). Sorted out by name, as timelines of any origin have these.
[[nodiscard]] std::vector<bool> tests_among(std::span<const std::string> functions);

/// Whether this rank uses messages or goes on without them, as time has it: a receive that a test
/// found incomplete in one iteration was left open, and another test completed it in a later one.
/// What the rank did in between rested on what had come by then. With other gears that would be
/// other messages, so no recording tells what the rank would do. A test that is repeated until the
/// message is there is not meant, and neither are tests of a receive that is waited for in the end.
/// `iterations`: numbers of the first events of iterations, ascending, as events_before() counts.
/// `tests`: of tests_among().
[[nodiscard]] bool depends_on_timing(const RankTimeline& rank,
                                     std::span<const std::uint64_t> iterations,
                                     const std::vector<bool>& tests);

} // namespace hypermile::model::dependency
