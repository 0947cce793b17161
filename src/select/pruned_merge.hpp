#pragma once

#include "select/group_merge.hpp"

#include <vector>

namespace hypermile::select {

/// The hull walk of Theorem 3 for groups too large to sort: buckets of time bracket every group's
/// curve, the bracket leaves a narrow range of prices of time that the optimum can have
/// (docs/selection.md, Theorem 7), and only the gears that matter at those prices are sorted.
///
/// Measured against sorting all of every group, on a hybrid of four clusters: about the same up to
/// 144 nodes, 5 times faster for 10^4, 22 times for 10^6 (about 0.14 s in place of 3 s).
class PrunedMerge {
public:
  /// Several groups of a monotone problem, many units in all, no bounds, and an objective for
  /// which time has a finite price.
  [[nodiscard]] static bool applies(const model::Problem& problem, const Score& score);
  void run(const model::Problem& problem, const Score& score, Plan& plan);

private:
  struct Bucket {
    Joules drop;    ///< of energy by the gears in it
    Seconds latest; ///< time of the slowest of them
  };
  struct Bracket {
    std::vector<SweepPoint> corners;  ///< no worse than anything of its bucket
    std::vector<SweepPoint> attained; ///< the group can do this
    Seconds first;                    ///< times that can be optimal at the remaining prices
    Seconds last;
  };

  /// What a second of one group can be worth at the optimum.
  struct Prices {
    Watts least;
    Watts most;
  };

  void bracket_all(const model::Problem& problem, const Score& score);
  void bracket(const model::Problem& problem, std::size_t group);
  [[nodiscard]] Prices prices(const Score& score) const;
  /// Drops what cannot be optimal at any of the prices.
  static void narrow(const Prices& prices, Bracket& bracket);
  void refine(const model::Problem& problem, std::size_t group);
  static void assign(const model::Problem& problem, std::size_t group, Seconds longest,
                     std::vector<model::Gear>& gears);

  std::vector<Bracket> brackets_;
  std::vector<Bucket> buckets_;
  std::vector<model::GearCost> steps_; ///< time, and how much energy it saves
  std::vector<std::vector<SweepPoint>> points_;
  GroupMerge corners_;
  GroupMerge attained_;
  GroupMerge exact_;
};

} // namespace hypermile::select
