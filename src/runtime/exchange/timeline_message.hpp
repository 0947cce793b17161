#pragma once

#include "model/timeline.hpp"
#include "runtime/exchange/archive.hpp"

namespace hypermile::runtime {

/// Of a timeline in a message, about.
constexpr double bytes_per_event = 4;
/// By which the price of messages is reckoned: Ethernet of 1 Gbit/s.
constexpr Bandwidth slow_link{125e6};

/// A rank's timeline as a part of a message, times to the nanosecond, without its pauses.
/// Recordings of runs consist of these, too.
void fields(Writer& writer, const model::RankTimeline& rank);

/// Throws Error{hardware} for what that did not write.
void fields(Reader& reader, model::RankTimeline& rank);

/// Its pauses, after it.
void pauses_of(Writer& writer, const model::RankTimeline& rank);

/// Throws Error{hardware} where they are not those of this timeline.
void pauses_of(Reader& reader, model::RankTimeline& rank);

} // namespace hypermile::runtime
