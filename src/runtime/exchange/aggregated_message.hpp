#pragma once

#include "control/ports.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hypermile::runtime {

/// Messages of several ranks, or to several ranks, that travel as one.
struct AggregatedMessage {
  using Bytes = control::Exchange::Bytes;
  /// The same message of, or to, each of these ranks.
  struct Entry {
    std::vector<int> ranks; ///< at least one
    Bytes bytes;
  };
  /// What the message says of the ranks that it comes from: a sum of these.
  enum Mark : std::uint8_t {
    round = 1,  ///< each of them has sent something
    ending = 2, ///< all of them wait at the end of the program
    closed = 4  ///< none of them will send anything more
  };

  std::uint8_t marks = 0;
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
  AggregatedMessage take(std::uint8_t marks = 0);

private:
  std::vector<AggregatedMessage::Entry> entries_;
  std::unordered_map<std::size_t, std::size_t> newest_; ///< entry by the hash of its bytes
  std::unordered_map<int, std::size_t> latest_;         ///< entry by rank
};

} // namespace hypermile::runtime
