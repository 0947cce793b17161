#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace hypermile::govern {

/// Which ranks of a node are in MPI.
class WaitingRanks {
public:
  /// All of them compute.
  explicit WaitingRanks(std::size_t ranks) : entered_(ranks) {}

  void enter(std::size_t rank, Seconds now) { entered_[rank] = now; }
  void leave(std::size_t rank) { entered_[rank].reset(); }
  [[nodiscard]] bool waits(std::size_t rank) const { return entered_[rank].has_value(); }
  /// Since when all of them are; none: some compute.
  [[nodiscard]] std::optional<Seconds> since() const;

private:
  std::vector<std::optional<Seconds>> entered_;
};

} // namespace hypermile::govern
