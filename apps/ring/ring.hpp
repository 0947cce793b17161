#pragma once

#include "ring/bodies.hpp"

#include <vector>

namespace apps::ring {

/// The ranks as a ring, through which each rank's attractors pass.
class Ring {
public:
  /// `parts[r]`: the bodies of rank r.
  Ring(int rank, std::vector<Range> parts);

  /// Shows each rank's attractors, ours first, to visit(std::span<const Attractor>), while
  /// they move on from rank to rank.
  template <typename Visit> void pass_round(std::vector<Attractor>& travelling, Visit visit) {
    for (std::size_t shift = 0; shift < parts_.size(); ++shift) {
      if (shift > 0)
        move_on(travelling, shift);
      visit(std::span<const Attractor>(travelling));
    }
  }

  /// The attractors of all ranks, in the order of the bodies.
  [[nodiscard]] std::vector<Attractor> gather(const std::vector<Attractor>& mine) const;

private:
  void move_on(std::vector<Attractor>& travelling, std::size_t shift);

  std::size_t rank_;
  std::vector<Range> parts_;
  std::vector<Attractor> arriving_;
};

} // namespace apps::ring
