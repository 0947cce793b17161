#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hypermile::network {

/// The messages that a collective operation consists of, if the MPI library does it in this way.
struct Exchange {
  struct Message {
    std::uint32_t from; ///< member
    std::uint32_t to;
    std::uint64_t bytes;
  };
  /// Started at once, and waited for before the next round. Indices into `messages`.
  struct Round {
    std::vector<std::uint32_t> sends;
    std::vector<std::uint32_t> receives;
  };
  std::vector<Message> messages;
  std::vector<std::vector<Round>> rounds; ///< by member, in their order
};

/// What members bring into a collective operation.
struct Contribution {
  std::vector<std::uint64_t> bytes; ///< by member
  std::uint32_t root = 0;           ///< member; of operations with a root
};

/// One of the ways in which MPI libraries do a collective operation.
struct Algorithm {
  std::string_view name;
  /// No messages: not for so many members.
  Exchange (*exchange)(const Contribution& contribution);
};

/// Of an MPI function, named without "MPI_". Empty for operations that are not known; these are
/// the data-heavy ones, and those that all ranks leave together.
[[nodiscard]] std::span<const Algorithm> algorithms_of(std::string_view function);

} // namespace hypermile::network
