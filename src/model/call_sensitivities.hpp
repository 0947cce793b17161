#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::model {

/// How much the computation before calls of MPI reacts to gears: see stretch().
struct CallSensitivities {
  struct Call {
    std::string function;    ///< without "MPI_"
    std::uint32_t place = 0; ///< Operation::site; 0: all places that have no entry
    double sensitivity = 1;  ///< from 0 to 1
    bool operator==(const Call&) const = default;
  };
  std::vector<Call> calls{};
  /// Of all other computation; none: that of the node's type.
  std::optional<double> otherwise{};
  bool operator==(const CallSensitivities&) const = default;

  [[nodiscard]] bool none() const { return calls.empty() && !otherwise; }
  /// Of what is computed before a call of the function at this place, on a node of such a type.
  [[nodiscard]] double before(std::string_view function, std::uint32_t place, double of_type) const;
};

} // namespace hypermile::model
