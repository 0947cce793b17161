#pragma once

#include "units/quantity.hpp"

#include <cstdint>
#include <vector>

namespace hypermile::select {

/// One gear per unit with the least energy under a cap on the sum of powers: a multiple-choice
/// knapsack. It is solved by dynamic programming over the Pareto front of (power, energy) while
/// that is small, and otherwise bracketed by the convex hull (docs/selection.md, Theorem 6).
class Knapsack {
public:
  struct Option {
    Watts power;
    Joules energy;
    std::uint32_t gear;
  };
  struct Result {
    bool feasible = false;
    Joules energy;                    ///< of `gears`
    Joules bound;                     ///< no choice under the cap takes less
    std::vector<std::uint32_t> gears; ///< per unit
  };

  void clear();
  /// `options`: at least one, in any order.
  void add_unit(std::vector<Option> options);
  /// `limit`: how many partial sums may be held.
  [[nodiscard]] Result solve(Watts cap, std::size_t limit) const;

private:
  [[nodiscard]] Result along_hull(Watts cap) const;
  /// Improves a feasible result to the optimum, or leaves it if that takes too many sums.
  void search(Watts cap, std::size_t limit, Result& result) const;

  std::vector<std::vector<Option>> units_; ///< Pareto fronts: power rising, energy falling
};

} // namespace hypermile::select
