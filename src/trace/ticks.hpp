#pragma once

#include "trace/traced_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace hypermile::trace {

/// Turns moments of a run into whole units of time of a trace, so that what ends when something
/// else begins still does: 0 is the begin of the run.
class Ticks {
public:
  /// `per_second`: such units.
  Ticks(const TracedRun& run, const Window& window, double per_second)
      : begin_(run.schedule.begin()), per_second_(per_second), from_(ticks(window.from)),
        to_(ticks(window.to ? std::min(*window.to, run.time()) : run.time())) {}

  /// Of a moment of the schedule, not outside of the window.
  [[nodiscard]] std::int64_t at(Seconds moment) const {
    return std::clamp(ticks(moment - begin_), from_, std::max(from_, to_));
  }
  [[nodiscard]] bool inside(Seconds begin, Seconds end) const {
    return ticks(begin - begin_) >= from_ && ticks(end - begin_) <= to_;
  }
  /// Whether this and the window have a moment in common.
  [[nodiscard]] bool touches(Seconds begin, Seconds end) const {
    return ticks(end - begin_) >= from_ && ticks(begin - begin_) <= to_;
  }
  [[nodiscard]] std::int64_t from() const { return from_; }
  [[nodiscard]] std::int64_t to() const { return std::max(from_, to_); }

private:
  [[nodiscard]] std::int64_t ticks(Seconds time) const {
    return static_cast<std::int64_t>(std::llround(time.value() * per_second_));
  }

  Seconds begin_;
  double per_second_;
  std::int64_t from_;
  std::int64_t to_;
};

} // namespace hypermile::trace
