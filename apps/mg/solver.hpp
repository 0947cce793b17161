#pragma once

#include "mg/ghosts.hpp"
#include "mg/problem.hpp"

#include <vector>

namespace apps::mg {

/// Multigrid V-cycles for A u = v from u = 0, this rank's part of each level.
class Solver {
public:
  Solver(const Problem& problem, const RankGrid& grid);

  void restart();
  /// u += M r by one V-cycle, and the new residual r = v - A u.
  void iterate();

  /// Of the residual, over all ranks.
  struct Norms {
    double root_mean_square;
    double largest;
  };
  [[nodiscard]] Norms norms() const;

private:
  struct Level {
    LevelPart part;
    Ghosts ghosts;
    Field u;
    Field r;
  };

  void set_charges();
  void descend();
  void ascend();
  /// The rank's residual and correction on a level where the coarser one is done.
  void correct(Level& level, const Level& coarser, const Field& source);
  [[nodiscard]] Level& finest() { return levels_.back(); }

  const Problem& problem_;
  std::vector<Level> levels_; ///< coarsest first; it has two points per side
  Field v_;
};

} // namespace apps::mg
