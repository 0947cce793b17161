#pragma once

#include "model/dependency/protocol.hpp"

#include <vector>

namespace hypermile::model::dependency {

/// Whom the completion of an event waits for.
enum class WaitsFor : std::uint8_t {
  nobody,
  message,      ///< its sender has sent, and the message has travelled
  both_sides,   ///< sender and receiver are there, and the message has travelled
  all_arrivals, ///< of a collective operation
  root,         ///< of a collective operation, or the rank that hands on what it gives
  lower_ranks   ///< of a collective operation
};

/// What each message and each collective operation takes of its own: the time beyond the moment
/// when all that it waits for was there. Found from a recording in which nobody's gear changed:
/// exact where somebody was seen to wait for it; where the wait was already over, what others of
/// the same size took, but not more than there was.
struct Costs {
  Protocol protocol;
  std::vector<WaitsFor> waits;    ///< by event: a complete or probe
  std::vector<EventIndex> relays; ///< by event, see find_relays()
  std::vector<bool> needs_both;   ///< by message: it travels when its receive is posted, too
  std::vector<bool> in_calls;     ///< by message: it moves while both sides complete it
  std::vector<double> of_message; ///< s, by message
  std::vector<double>
      of_leaving;              ///< s, by event: a probe, or the complete of a collective operation
  std::vector<double> of_call; ///< s, by event: its call, where that waited for nobody
};

/// `assumed`: the protocol where the recording does not show it.
[[nodiscard]] Costs find_costs(const Matching& matching, const Calls& calls,
                               const Protocol& assumed = {});

} // namespace hypermile::model::dependency
