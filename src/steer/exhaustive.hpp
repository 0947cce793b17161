#pragma once

#include "steer/search.hpp"

namespace hypermile::steer {

/// Visits everything.
class ExhaustiveSearch final : public Search {
public:
  using Search::Search;

  Step next() override {
    if (visits_.size() < space_.size())
      return {Step::What::visit, visits_.size(), true, "one after the other"};
    const Pick best = best_visited(visits_, goal_);
    return {Step::What::settle, best.configuration, best.keeps_bounds, "the best of all"};
  }
};

} // namespace hypermile::steer
