#pragma once

#include "runtime/exchange/messages.hpp"
#include "units/quantity.hpp"

#include <vector>

namespace hypermile::runtime {

/// Keeps a cap on the average power of a whole run: what was drawn above it is made up for in half
/// as long again. What was drawn below it is not, so that a run that ends at any time has kept the
/// cap as soon as it was made up for.
class PowerAccount {
public:
  /// `all`: one per rank; what their nodes have drawn since MPI_Init takes the place of what was
  /// known. By meters, where every node has one, else by power tables.
  void enter(const std::vector<Measurement>& all);

  /// What the nodes may draw on average from now on, by their power tables. More than 0.
  [[nodiscard]] Watts allowed(Watts cap) const;

private:
  Watts average_{};      ///< so far
  double per_table_ = 1; ///< how many times what the tables say meters measure
};

} // namespace hypermile::runtime
