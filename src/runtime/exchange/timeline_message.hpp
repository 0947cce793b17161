#pragma once

#include "model/timeline.hpp"
#include "runtime/exchange/archive.hpp"

namespace hypermile::runtime {

/// Of a timeline in a message, about.
constexpr double bytes_per_event = 4;
/// By which the price of messages is reckoned: Ethernet of 1 Gbit/s.
constexpr Bandwidth slow_link{125e6};

/// A rank's timeline as a part of a message, times to the nanosecond.
void fields(Writer& writer, const model::RankTimeline& rank);

/// Throws Error{hardware} for what that did not write.
void fields(Reader& reader, model::RankTimeline& rank);

} // namespace hypermile::runtime
