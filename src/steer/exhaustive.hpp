#pragma once

#include "steer/search.hpp"
#include "steer/visits.hpp"

namespace hypermile::steer {

/// Visits everything.
class ExhaustiveSearch final : public Search {
public:
  ExhaustiveSearch(const Space& space, const Goal& goal) : space_(space), goal_(goal) {}

  Step next() override {
    if (visits_.size() < space_.size())
      return {Step::What::visit, visits_.size(), true, "one after the other"};
    const Pick best = best_visited(visits_, goal_);
    return {Step::What::settle, best.configuration, best.keeps_bounds, "the best of all"};
  }
  void observe(std::size_t configuration, const Measurement& measured) override {
    visits_.add(configuration, measured);
  }
  void aim(const Goal& goal) override { goal_ = goal; }
  void correct(std::size_t configuration, const Measurement& measured) override {
    visits_.replace(configuration, measured);
  }
  [[nodiscard]] std::optional<Performance> expected(std::size_t configuration) const override {
    return seen_of(visits_, configuration);
  }

private:
  const Space& space_;
  Goal goal_;
  Visits visits_;
};

} // namespace hypermile::steer
