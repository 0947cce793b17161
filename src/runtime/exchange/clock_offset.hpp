#pragma once

#include "units/quantity.hpp"

#include <optional>
#include <span>

namespace hypermile::runtime {

/// A question to another rank, and the answer: what its clock shows.
struct RoundTrip {
  Seconds asked;    ///< on the own clock
  Seconds other;    ///< the answer
  Seconds answered; ///< on the own clock
};

/// By how much another rank's clock is ahead of the own one.
struct ClockOffset {
  Seconds offset; ///< negative: it is behind
  Seconds error;  ///< the offset is wrong by this at most, as long as both clocks run equally fast
};

/// From the round trip that took the least time: the other clock was read in it somewhere between
/// question and answer, and its middle is wrong by half its length at most. None where no trip has
/// finite times and an answer that follows the question.
[[nodiscard]] std::optional<ClockOffset> estimate_offset(std::span<const RoundTrip> trips);

/// The offset of a third clock: `to_next` is that of a neighbour's clock against the own one,
/// `beyond` that of the third against the neighbour's. So a rank that knows its parent's clock, and
/// is told what the parent knows of rank 0's, knows rank 0's.
[[nodiscard]] ClockOffset compose(const ClockOffset& to_next, const ClockOffset& beyond);

/// What the other clock shows when the own one shows this.
[[nodiscard]] Seconds on_other_clock(const ClockOffset& offset, Seconds own);

} // namespace hypermile::runtime
