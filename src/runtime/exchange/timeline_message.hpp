#pragma once

#include "model/timeline.hpp"

#include <nlohmann/json.hpp>

namespace hypermile::runtime {

/// A rank's timeline as a part of a message: events as one binary value of about four bytes each,
/// times to the nanosecond.
nlohmann::json pack_timeline(const model::RankTimeline& rank);

/// Throws Error{hardware}, or what nlohmann::json throws, for what pack_timeline() did not make.
model::RankTimeline unpack_timeline(const nlohmann::json& j);

} // namespace hypermile::runtime
