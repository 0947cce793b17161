#pragma once

#include "model/timeline.hpp"
#include "runtime/exchange/archive.hpp"

namespace hypermile::runtime {

/// A rank's timeline as a part of a message: about four bytes per event, times to the nanosecond.
void fields(Writer& writer, const model::RankTimeline& rank);

/// Throws Error{hardware} for what that did not write.
void fields(Reader& reader, model::RankTimeline& rank);

} // namespace hypermile::runtime
