#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <vector>

namespace hypermile::model {

/// Index into a GearTable. Gear 0 is the fastest.
using Gear = std::size_t;

/// The frequencies a node can run at, fastest first.
class GearTable {
public:
  /// `frequencies`: at least one, positive, finite, strictly descending.
  /// Throws Error{model} naming the first entry that is not.
  explicit GearTable(std::vector<Hertz> frequencies);

  [[nodiscard]] std::size_t size() const { return frequencies_.size(); }
  [[nodiscard]] Hertz frequency(Gear gear) const { return frequencies_[gear]; }
  /// S = F_max / F >= 1, the factor by which computation takes longer than in gear 0. [F16]
  /// Eq. 1.11
  [[nodiscard]] double scale(Gear gear) const { return frequencies_[0] / frequencies_[gear]; }
  bool operator==(const GearTable&) const = default;

private:
  std::vector<Hertz> frequencies_;
};

} // namespace hypermile::model
