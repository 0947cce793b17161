#pragma once

#include "units/quantity.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::model {

/// What one rank of a program did before and in one MPI call.
struct RecordedCall {
  std::uint16_t operation; ///< index into Recording::operations
  Work computation;        ///< since the previous call; a whole number
};

/// The computation of one run of an MPI program, in the platform's unit of work, so that
/// another run can be given the same computation wherever it takes place.
struct Recording {
  std::vector<std::string> operations; ///< names of the MPI functions, e.g. "Send"
  std::vector<std::vector<RecordedCall>> ranks;

  /// The index of a name, added if it is new.
  std::uint16_t operation(std::string_view name) {
    const auto found = std::ranges::find(operations, name);
    const auto index = static_cast<std::uint16_t>(found - operations.begin());
    if (found == operations.end())
      operations.emplace_back(name);
    return index;
  }
};

} // namespace hypermile::model
