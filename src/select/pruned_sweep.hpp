#pragma once

#include "select/score.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hypermile::select {

/// The sweep of one group for one objective (docs/selection.md, Theorem 1), without sorting all
/// (unit, gear) pairs: bounds on whole ranges of time leave a few to be looked at. O(K), for
/// monotone problems without a cap on average or peak power.
///
/// Measured against GroupSweep, which sorts all pairs: 3 times faster for 4 nodes, 8 times for 144,
/// 30 times for 10^4, 40 to 55 times for 10^6 (about 50 ms in place of 2 s).
class PrunedSweep {
public:
  /// Whether the problem and the bounds are of the kind that this sweep solves.
  [[nodiscard]] static bool applies(const model::Problem& problem, const Score& score);
  /// Fills the optimal gears and what is predicted of them; false if none keep the bounds.
  bool run(const model::Problem& problem, const Score& score, Plan& plan);

private:
  using Step = model::GearCost; ///< of a unit: slower than the one before, and less energy
  struct Unit {
    const Step* at; ///< the last that is no slower than a time that only grows
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
  /// Positions of the buckets worth a look: [first, last), empty if there is none.
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
  };

  /// The steps of a unit some way ahead: the walk over all units is too irregular for hardware
  /// to foresee, and from 10^5 units on it waits for memory.
  void fetch_ahead(const Unit& unit) const {
    constexpr std::ptrdiff_t distance = 12;
    if (units_.data() + units_.size() - &unit > distance)
      __builtin_prefetch((&unit + distance)->at + 1);
  }
  void start(const model::Problem& problem); ///< all units in gear 0
  /// Moves the units to their best step for this longest time; returns their energy.
  Joules advance(Seconds longest);
  [[nodiscard]] double score_at(const Score& score, Seconds longest, Joules energy) const;
  /// Beyond this time even the least energy of all cannot beat `best`.
  [[nodiscard]] Seconds cut(const Score& score, const Best& best) const;
  void sweep_directly(const Score& score, Seconds last, Best& best);
  void sweep_buckets(const Score& score, Seconds last, Best& best);
  void fill_buckets(Seconds last);
  [[nodiscard]] Range prune_buckets(const Score& score, const Best& best);
  void gather_survivors(const Range& range, Seconds last);
  model::Prediction assign(const model::Problem& problem, Seconds longest,
                           std::vector<model::Gear>& gears);

  [[nodiscard]] std::size_t bucket_of(Seconds time) const {
    return std::min(bucket_energy_.size() - 1,
                    static_cast<std::size_t>((time - shortest_).value() * buckets_per_second_));
  }
  [[nodiscard]] Seconds start_of(std::size_t bucket) const {
    return shortest_ + bucket_width_ * static_cast<double>(bucket);
  }

  std::vector<Unit> units_;
  std::vector<Joules> bucket_energy_; ///< first the drop in a bucket, then the energy before it
  std::vector<std::uint8_t> survives_;
  double buckets_per_second_ = 0;
  Seconds bucket_width_;
  std::vector<Drop> drops_;

  model::Group group_{};
  Seconds shortest_; ///< of the group
  Joules energy_;    ///< of the units' best gears at `shortest_`
};

} // namespace hypermile::select
