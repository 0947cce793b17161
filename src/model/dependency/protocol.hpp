#pragma once

#include "model/dependency/calls.hpp"

#include <cstdint>

namespace hypermile::model::dependency {

/// How the MPI library moves messages: what a send and a receive wait for.
struct Protocol {
  /// A send of at least so many bytes waits for its receiver (rendezvous).
  std::uint64_t synchronous_from = 65536;
  /// A smaller message travels only when its receive is posted; else as soon as it is sent.
  bool starts_at_receive = false;
  /// Whether the recording shows it; else it is assumed.
  bool synchronous_from_seen = false;
  bool start_seen = false;
  /// One of less than so many bytes travels as soon as it is sent even then.
  std::uint64_t eager_below = 0;
  /// A message between non-blocking calls moves, and its send ends, only while both sides are
  /// inside the calls that complete them: no thread of the library works meanwhile.
  bool moves_in_calls = false;
  /// The library's configuration says so: nothing is assumed, and a recording need not show it.
  bool known = false;

  /// Whether a message, if its sender need not wait, travels only when its receive is posted.
  [[nodiscard]] bool waits_for_receive(std::uint64_t bytes) const {
    return starts_at_receive && bytes >= eager_below;
  }
  /// Whether a message travels only when its receive is posted.
  [[nodiscard]] bool needs_both(std::uint64_t bytes) const {
    return bytes >= synchronous_from || waits_for_receive(bytes);
  }
};

/// Whether this operation of the timeline's is one that always, or never, waits for the receiver.
enum class SendMode : std::uint8_t { standard, synchronous, buffered };
[[nodiscard]] SendMode send_mode(const Timeline& timeline, const Operation& operation);

/// A wait that took longer than this waited for somebody: MPI needs some time even for a message
/// that is already there.
inline constexpr Seconds longest_overhead{2e-6};

/// What a recording in which nobody's gear changed shows. `assumed` holds where it shows nothing,
/// or is known.
[[nodiscard]] Protocol detect_protocol(const Matching& matching, const Calls& calls,
                                       Protocol assumed);

} // namespace hypermile::model::dependency
