#pragma once

#include "select/climb.hpp"
#include "select/lagrangian_bound.hpp"

#include <vector>

namespace hypermile::select {

/// Branch and bound over the gears of a recorded program: boxes of gears in the order of what is
/// proven of them. What a bound promises is tried, which either is better than the best so far,
/// or adds a critical path that the bounds did not know.
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
  /// Raises the bound, trying what it promises, until it promises nothing untried; then up to so
  /// often by the path that explains what its rounds chose on average.
  void explore(Box& box, std::size_t rounds, std::size_t explanations);
  bool learn_from_gears();
  void approach(const std::vector<double>& scales);
  [[nodiscard]] bool can_be_better(const Box& box) const;
  void split(Box box);
  void push(Box box);

  Trials& trials_;
  Climb& climb_;
  LagrangianBound priced_;
  std::vector<Box> open_; ///< a heap, the least bound first
  std::size_t looked_at_ = 0;
};

} // namespace hypermile::select
