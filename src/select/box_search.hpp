#pragma once

#include "select/climb.hpp"
#include "select/lagrangian_bound.hpp"

#include <vector>

namespace hypermile::select {

/// Branch and bound of docs/selection.md, Theorem 8, over the gears of a recorded program: the box
/// of gears with the least bound comes first. The gears that a bound belongs to are tried. Either
/// they are better than the best so far, or their critical path joins the bounds.
class BoxSearch {
public:
  BoxSearch(Trials& trials, Climb& climb);
  /// Until no gears can be better, or the limits are reached. May be called again.
  void run();
  /// No gears that keep the bounds have a smaller score; `unreachable`: there are none.
  [[nodiscard]] double proven() const;
  /// Boxes looked at.
  [[nodiscard]] std::size_t boxes() const { return looked_at_; }

private:
  /// Raises the bound and tries the gears that it belongs to, until there are no untried ones. Then
  /// adds critical paths at the scales that the rounds chose on average, at most `explanations`.
  void explore(Box& box, std::size_t rounds, std::size_t explanations);
  bool learn_from_gears();
  void approach(const std::vector<double>& scales);
  [[nodiscard]] bool can_be_better(const Box& box) const;
  void split(Box box);
  void push(Box box);

  Trials& trials_;
  Climb& climb_;
  LagrangianBound lagrangian_;
  std::vector<Box> open_; ///< a heap, the least bound first
  std::size_t looked_at_ = 0;
};

} // namespace hypermile::select
