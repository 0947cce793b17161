#pragma once

#include "model/recording.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

namespace hypermile::model {

/// What a rank computed, on average, between two MPI calls of given operations that followed each
/// other. It stands in for a recording where a program does not do what was recorded, because its
/// course depends on timing.
class LikeCalls {
public:
  explicit LikeCalls(std::span<const RecordedCall> recorded);

  /// A whole number; none where the two never followed each other.
  [[nodiscard]] std::optional<Work> between(std::uint16_t previous, std::uint16_t operation) const;

private:
  struct Sum {
    Work work;
    double count = 0;
  };

  std::unordered_map<std::uint32_t, Sum> sums_;
};

} // namespace hypermile::model
