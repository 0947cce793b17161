#pragma once

#include "model/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hypermile::runtime {

/// Finds an operation among those of a timeline, and adds it where it is not there: events that
/// repeat share theirs.
class OperationTable {
public:
  OperationTable() : slots_(64) {}

  /// `operations`: the same at every call, which nobody else changes.
  std::uint32_t index_of(const model::Operation& operation,
                         std::vector<model::Operation>& operations);

private:
  [[nodiscard]] std::size_t slot_of(const model::Operation& operation,
                                    const std::vector<model::Operation>& operations) const;
  void grow(const std::vector<model::Operation>& operations);

  /// A hash table: index + 1, 0 where it is free; at most half full.
  std::vector<std::uint32_t> slots_;
};

} // namespace hypermile::runtime
