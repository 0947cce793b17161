#pragma once

#include "select/group_sweep.hpp"
#include "select/knapsack.hpp"
#include "select/score.hpp"

namespace hypermile::select {

/// One group under a cap on the sum of active powers (docs/selection.md, Theorem 6). Where the
/// least-energy gears of a time bound keep the cap they are the answer; where they do not,
/// energy and power compete and a knapsack decides.
class PeakPowerSolver {
public:
  /// Fills gears, prediction and certificate, as ExactSolver::solve().
  void solve(const model::Problem& problem, const Score& score, GroupSweep& sweep, Plan& plan);

private:
  /// A time whose least-energy gears draw too much, while others may not.
  struct Open {
    double bound; ///< score of the least-energy gears: none of that time is better
    const SweepPoint* point;
  };
  struct Best {
    double score = unreachable;
    const SweepPoint* point = nullptr;
    std::vector<std::uint32_t> gears; ///< of the knapsack; empty: those of the sweep's point
  };
  void split(const std::vector<SweepPoint>& points, const Score& score, Best& best);
  /// Works on the open times in the order of their bounds; returns what is proven in the end.
  [[nodiscard]] double close(const model::Problem& problem, const Score& score, Best& best);
  [[nodiscard]] Knapsack::Result fill(const model::Problem& problem, const SweepPoint& point,
                                      Watts cap);
  void take_nearest(const model::Problem& problem, const Score& score,
                    const std::vector<SweepPoint>& points, Plan& plan) const;

  Knapsack knapsack_;
  std::vector<Open> open_;
};

} // namespace hypermile::select
