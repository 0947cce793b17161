#pragma once

#include "units/quantity.hpp"

#include <algorithm>
#include <cstdint>

namespace hypermile::runtime {

/// The time of a clock that is exact but takes long to read, by a counter that is read quickly and
/// counts evenly: every now and then the clock is read, and in between the counter. It never goes
/// back. While both run evenly it is wrong by a fraction of the time that it takes to read them.
///
/// `Source` has the static functions `Seconds exact()` and `std::uint64_t ticks()`. For one thread.
template <class Source> class InterpolatedClock {
public:
  Seconds now() {
    const std::uint64_t since = Source::ticks() - anchor_.ticks; // huge where it went back
    if (since >= valid_for_)
      set_anchor();
    else
      last_ = std::max(last_, anchor_.time + period_ * static_cast<double>(since));
    return last_;
  }

private:
  struct Reading {
    std::uint64_t ticks = 0;
    Seconds time;
  };

  /// The longest that the counter is relied on.
  static constexpr Seconds longest{0.01};
  /// As a share of how long the counter has been compared with the clock.
  static constexpr double share = 1.0 / 16;
  /// The counter's period is that of the last one to two of these.
  static constexpr Seconds compared{1};

  /// The clock was read somewhere between two readings of the counter: in the middle, where nothing
  /// came in between.
  static Reading read() {
    const std::uint64_t before = Source::ticks();
    const Seconds time = Source::exact();
    const std::uint64_t after = Source::ticks();
    return {before + (after - before) / 2, time};
  }

  void set_anchor() {
    const Reading before = anchor_;
    anchor_ = read();
    last_ = std::max(last_, anchor_.time);
    valid_for_ = 0;
    if (!begun_ || anchor_.ticks <= before.ticks || anchor_.time <= before.time) {
      first_ = next_ = anchor_;
      begun_ = true;
      return;
    }
    const Seconds known = anchor_.time - first_.time;
    period_ = known / static_cast<double>(anchor_.ticks - first_.ticks);
    valid_for_ = static_cast<std::uint64_t>(std::min(known * share, longest) / period_);
    if (anchor_.time - next_.time >= compared) {
      first_ = next_;
      next_ = anchor_;
    }
  }

  Reading first_;  ///< what the period is measured from
  Reading next_;   ///< what it will be measured from
  Reading anchor_; ///< what the time is counted from
  bool begun_ = false;
  Seconds period_;
  std::uint64_t valid_for_ = 0; ///< ticks since the anchor; 0: as long as the period is not known
  Seconds last_;
};

} // namespace hypermile::runtime
