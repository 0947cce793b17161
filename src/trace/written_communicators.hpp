#pragma once

#include "model/timeline.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace hypermile::trace {

/// The communicators of a run, as numbers of a trace: 0 is the world, 1 a rank by itself.
class WrittenCommunicators {
public:
  explicit WrittenCommunicators(const model::Timeline& timeline);

  [[nodiscard]] std::uint32_t number(std::uint64_t communicator) const;
  /// A rank of the world as one of the communicator.
  [[nodiscard]] std::uint32_t rank_in(std::uint64_t communicator, std::int32_t rank) const;
  /// Members by number, from 2 on.
  [[nodiscard]] std::map<std::uint32_t, std::vector<std::uint64_t>> made() const;

private:
  std::map<std::uint64_t, std::set<std::uint32_t>> members_; ///< those that use it
  std::set<std::uint64_t> selves_;
  std::map<std::uint64_t, std::uint32_t> numbers_;
};

} // namespace hypermile::trace
