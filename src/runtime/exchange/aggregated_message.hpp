#pragma once

#include "control/ports.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hypermile::runtime {

/// The first byte of every message that has bytes. It changes whenever a message that ranks send
/// each other does, so that two versions of hypermile in one job notice each other.
inline constexpr std::uint8_t message_version = 5;

/// Messages of several ranks, or to several ranks, that travel as one.
struct AggregatedMessage {
  using Bytes = control::Exchange::Bytes;
  /// The same message of, or to, each of these ranks.
  struct Entry {
    std::vector<int> ranks; ///< at least one
    Bytes bytes;
  };
  enum class Kind : std::uint8_t {
    gathered, ///< what there was to pass on
    round,    ///< each of the ranks that it comes from has sent something
    at_once   ///< it is not held up on its way
  };

  Kind kind = Kind::gathered;
  std::vector<Entry> entries;
};

AggregatedMessage::Bytes pack(const AggregatedMessage& message);
/// Throws Error{hardware} for what pack() did not make, and for ranks that are not among so many.
AggregatedMessage unpack(const AggregatedMessage::Bytes& bytes, int ranks);

/// Collects the messages of a message. What many ranks say alike is kept once; messages of, or to,
/// one rank stay in their order.
class MessageBuffer {
public:
  void add(int rank, AggregatedMessage::Bytes bytes);
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// All that was added since the last call.
  AggregatedMessage take(AggregatedMessage::Kind kind = AggregatedMessage::Kind::gathered);

private:
  std::vector<AggregatedMessage::Entry> entries_;
  std::unordered_map<std::size_t, std::size_t> newest_; ///< entry by the hash of its bytes
  std::unordered_map<int, std::size_t> latest_;         ///< entry by rank
};

} // namespace hypermile::runtime
