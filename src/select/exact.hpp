#pragma once

#include "select/group_merge.hpp"
#include "select/group_sweep.hpp"
#include "select/peak_power.hpp"
#include "select/pruned_merge.hpp"
#include "select/pruned_sweep.hpp"

namespace hypermile::select {

/// Chooses the gears that minimise a score, with proof; docs/selection.md has the theorems.
class ExactSolver {
public:
  /// Fills gears, prediction and certificate. Where no gears meet the bounds of `score`, the ones
  /// whose worst violation is the least.
  void solve(const model::Problem& problem, const Score& score, Plan& plan);
  /// The least-energy gears that lengthen no group beyond what it takes in gear 0.
  void use_slack(const model::Problem& problem, std::vector<model::Gear>& gears);
  [[nodiscard]] Front front(const model::Problem& problem, std::size_t limit);

private:
  void solve_one_group(const model::Problem& problem, const Score& score, Plan& plan);
  void solve_many_groups(const model::Problem& problem, const Score& score, Plan& plan);
  [[nodiscard]] Certificate bracket(const Score& score, GroupMerge::Result& best) const;
  void sweep_all(const model::Problem& problem, const Score& score);
  void assign(const model::Problem& problem, const std::vector<std::uint32_t>& choice,
              std::vector<model::Gear>& gears) const;

  PrunedSweep pruned_;
  GroupSweep sweep_;
  GroupMerge merge_;
  PrunedMerge pruned_merge_;
  PeakPowerSolver peak_power_;
  std::vector<std::vector<SweepPoint>> points_; ///< per group
};

} // namespace hypermile::select
