#pragma once

#include "runtime/decide/recorded_iterations.hpp"

#include <optional>
#include <span>

namespace hypermile::runtime {

/// How the length of an iteration goes with the work in it: a straight line through recorded
/// iterations, by least squares. Means of a few iterations differ because their work does; what
/// the line does not explain differs much less.
struct LengthByWork {
  double length = 0;       ///< mean, s
  double work = 0;         ///< mean, s in gear 0
  double slope = 0;        ///< from 0 to length / work
  double slope_error = 0;  ///< standard error
  double length_error = 0; ///< standard error of the length at the mean work, s
  double work_error = 0;   ///< standard error of the mean work, s
};

/// None of too few iterations, or where all have the same work.
[[nodiscard]] std::optional<LengthByWork>
length_by_work(std::span<const RecordedIteration> iterations);

/// An estimate with its standard error.
struct TimeRatio {
  double value = 1;
  double error = 0;
};

/// The time of an iteration of `now` against one of `then` with the same work. None where the work
/// differs by more than chance explains: then the program has changed, or what it computes does
/// not scale with the gear as was assumed.
[[nodiscard]] std::optional<TimeRatio> at_same_work(const LengthByWork& now,
                                                    const LengthByWork& then);

} // namespace hypermile::runtime
