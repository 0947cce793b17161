#pragma once

#include "model/dependency/matching.hpp"

#include <otf2/otf2.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace hypermile::trace {

/// What OTF2 says of a rank's part in a collective operation.
struct Otf2Collective {
  OTF2_CollectiveOp operation = OTF2_COLLECTIVE_OP_BARRIER;
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

/// Finds the bytes that ranks send and receive in collective operations, in all: what is sent to
/// several ranks counts for each.
class Otf2Sizes {
public:
  /// Keeps a reference to it.
  explicit Otf2Sizes(const model::dependency::Matching& matching);
  /// Of an event that arrives.
  [[nodiscard]] Otf2Collective of(model::dependency::EventIndex arrival) const;

private:
  struct Sum {
    std::uint64_t all = 0;
    std::uint64_t root = 0;
  };
  const model::dependency::Matching& matching_;
  std::vector<Sum> sums_; ///< by collective operation: what members contribute
};

} // namespace hypermile::trace
