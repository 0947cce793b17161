#pragma once

#include "model/recording.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

namespace hypermile::model {

/// What a rank computed, on average, before MPI calls of an operation that followed those of
/// another. It stands in for a recording where a program does not do what was recorded, because its
/// course depends on timing.
class LikeCalls {
public:
  explicit LikeCalls(std::span<const RecordedCall> recorded);

  /// A whole number. Where `operation` never followed `previous`, that of all calls of it; none
  /// where there is no such call.
  [[nodiscard]] std::optional<Work> between(std::uint16_t previous, std::uint16_t operation) const;

private:
  struct Sum {
    Work work;
    double count = 0;

    void add(Work more);
    [[nodiscard]] Work mean() const;
  };

  std::unordered_map<std::uint32_t, Sum> pairs_;
  std::unordered_map<std::uint16_t, Sum> operations_;
};

} // namespace hypermile::model
