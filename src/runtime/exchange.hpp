#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace hypermile::runtime {

using Bytes = std::vector<std::uint8_t>;

/// Messages between hypermile's ranks, apart from the program's own. Rank 0 talks with every
/// other rank, the others with rank 0 only.
class Exchange {
public:
  struct Message {
    int from;
    Bytes bytes;
  };

  virtual ~Exchange() = default;
  /// Returns at once.
  virtual void send(int to, Bytes bytes) = 0;
  /// A message that has arrived, if there is one. Returns at once.
  virtual std::optional<Message> poll() = 0;
  /// The next message of that rank. Only at the end of the program, when nothing is held up by it.
  virtual Message wait_from(int rank) = 0;
};

} // namespace hypermile::runtime
