#pragma once

#include "select/score.hpp"

#include <cstdint>
#include <vector>

namespace hypermile::select {

/// The sweep of one group for one objective (docs/selection.md, Theorem 1), without sorting all
/// (unit, gear) pairs: bounds on whole ranges of time leave a few to be looked at. O(K), for
/// waiting powers that do not depend on the gear and no cap on average or peak power.
class PrunedSweep {
public:
  /// Whether the problem and the bounds are of the kind that this sweep solves.
  [[nodiscard]] static bool applies(const model::Problem& problem, const Score& score);
  /// Fills the optimal gears; false if none keep the bounds.
  bool run(const model::Problem& problem, const Score& score, std::vector<model::Gear>& gears);

private:
  using Step = model::GearCost; ///< of a unit: slower than the one before, and less energy
  struct Unit {
    const Step* at; ///< the last that is no slower than the shortest possible time
    const Step* end;
  };
  /// A unit's best gear changes: from this time on, this much less energy.
  struct Drop {
    Seconds at;
    Joules energy;
  };
  struct Best {
    double score = unreachable;
    Seconds longest{-1};
  };

  void collect_steps(const model::Problem& problem);
  void find_start();
  [[nodiscard]] double score_at(const Score& score, Seconds longest, Joules energy) const;
  /// Beyond this time even the least energy of all cannot beat `best`.
  [[nodiscard]] Seconds cut(const Score& score, const Best& best) const;
  void sweep_directly(const Score& score, Seconds last, Best& best);
  void sweep_buckets(const Score& score, Seconds last, Best& best);
  [[nodiscard]] std::size_t prune_buckets(const Score& score, Seconds width, const Best& best);
  void assign(const model::Problem& problem, Seconds longest,
              std::vector<model::Gear>& gears) const;

  std::vector<Step> steps_;          // of problems that are not monotone
  std::vector<std::size_t> offsets_; // of steps_
  std::vector<std::uint32_t> by_time_;
  std::vector<Unit> units_;
  std::vector<Joules> bucket_energy_; // first the drop in a bucket, then the energy before it
  std::vector<std::uint8_t> survives_;
  std::vector<Drop> drops_;
  Seconds communication_;
  Watts waiting_;
  Seconds shortest_;    // the least possible longest time
  Seconds latest_;      // the largest time of any step
  Joules energy_;       // of the units at `shortest_`
  Joules least_energy_; // of any gears
};

} // namespace hypermile::select
