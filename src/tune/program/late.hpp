#pragma once

#include "collective/arrival.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

/// Processes that come late to operations, and what is told of them: the same in jobs and in
/// simulations.
namespace hypermile::tune {

/// By how much processes are late in one pass of a calibration. In each pass it is by other times,
/// which are the same for all its cells.
struct Lateness {
  collective::Arrival arrival{};
  std::uint64_t seed = 0;
  std::uint64_t pass = 0;

  [[nodiscard]] double of(std::size_t repetition, int rank) const;
};

/// How often a cell that is given so many seconds is repeated. Where processes are late, all cells
/// are to have the same repetitions, in which they are late by the same times: as many as there is
/// time for if the operation took none, or fewer once that has taken `patience` times as long.
struct Repetitions {
  Repetitions(const collective::Arrival& arrival, double cell_s);
  /// After `least`, and each multiple of that.
  [[nodiscard]] bool enough(std::size_t done, double passed_s) const;

  static constexpr std::size_t least = 3;
  std::size_t most;
  double longest_s;
};

/// One operation on a rank, in seconds since all have met before it.
struct Times {
  double begin_s;
  double end_s;
};

[[nodiscard]] double median(std::vector<double> values);

/// How long a rank is inside, from its arrival to its end, as the mean of ranks and repetitions:
/// waiting for the last one as drawn, and the median of what comes after that, which is negative
/// where ranks go before the last one has come. So a repetition that something else has disturbed
/// counts for little. `after_last_s`: by repetition, the mean of all ranks.
[[nodiscard]] double inside_s(const Lateness& lateness, int ranks,
                              std::vector<double> after_last_s);

} // namespace hypermile::tune
