#pragma once

#include "runtime/exchange/messages.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace hypermile::runtime {

struct RecordedIteration {
  std::uint64_t first_event = 0; ///< counted from MPI_Init
  double begin = 0;              ///< s since MPI_Init
  double length = 0;             ///< s
  double work = 0;               ///< s of computation, had it been run in gear 0
  double paused =
      0; ///< s that hypermile itself took since the one before began, until this one did
};

/// The iterations of which the rank's events have the first, and that ran in its last gear.
[[nodiscard]] std::vector<RecordedIteration> recorded_iterations(const Measurement& measurement);
/// Their lengths in s.
[[nodiscard]] std::vector<double> recorded_lengths(const Measurement& measurement);
/// The latest iterations that all ranks have recorded so, with the work of the rank that has most
/// of it. One lasts from the moment at which the last rank begins it to that at which the last rank
/// ends it. A rank that loses its lead over others after a change of gears, or gains one, has
/// longer or shorter iterations for a while than the program has.
[[nodiscard]] std::vector<RecordedIteration>
recorded_iterations(const std::vector<Measurement>& measurements);

/// Mean time of an iteration of the program without pauses: of the recorded ones, where these are
/// half of what was measured at least; else that of the rank that takes longest for its own.
[[nodiscard]] Seconds mean_iteration(const std::vector<Measurement>& measurements);

/// An iteration like most others.
struct UsualIteration {
  Seconds time;
  Seconds computation; ///< of the rank with most, in gear 0
};

/// Medians of the iterations that were recorded in the present gears: an inner loop that is left
/// and entered again has some that are much longer than others. None where a rank has not enough.
[[nodiscard]] std::optional<UsualIteration>
usual_iteration(const std::vector<Measurement>& measurements);

} // namespace hypermile::runtime
