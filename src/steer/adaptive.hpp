#pragma once

#include "steer/power_model.hpp"
#include "steer/search.hpp"
#include "steer/throughput_model.hpp"

namespace hypermile::steer {

/// hypermile's own method, Bayesian optimisation under constraints. The acquisition function is the
/// expected improvement times the probability that the bounds are kept, by the posteriors of the
/// two models. The search visits where it is largest, and settles when no configuration is worth a
/// visit; only ever in one that was visited and kept the bounds. A configuration that is too close
/// to a bound for the error of its measurement is measured again. Needs nothing from before.
class AdaptiveSearch final : public Search {
public:
  AdaptiveSearch(const Space& space, const Goal& goal, const Prior& prior = default_prior());

  Step next() override;
  /// All that was seen is kept; what may be visited for the new goal is counted from here.
  void aim(const Goal& goal) override;
  [[nodiscard]] std::optional<Performance> expected(std::size_t configuration) const override;

private:
  /// A configuration as the posteriors of the two models have it under the goal.
  struct Candidate {
    Performance mean;
    double worth = 0;
    double worth_deviation = 0; ///< as a share of `worth`
    double feasibility = 0;     ///< probability that it keeps the bounds
    bool settled = false;       ///< measuring it (again) would not tell more
    bool keeps_bounds = false;  ///< visited, and nearly certain
  };
  [[nodiscard]] std::size_t visits_for_goal() const { return visits_.size() - visits_before_goal_; }
  [[nodiscard]] std::vector<Candidate> candidates() const;
  [[nodiscard]] Candidate candidate_of(std::size_t index, const CapacityPosterior& capacity,
                                       const PowerModel& power) const;
  [[nodiscard]] Candidate exact_candidate(const Visit& visit) const;
  [[nodiscard]] Step find_feasible(const std::vector<Candidate>& all) const;
  [[nodiscard]] Step improve(const std::vector<Candidate>& all, std::size_t best) const;

  PowerPrior power_prior_;
  ThroughputModel throughput_;
  std::size_t visits_before_goal_ = 0;
};

} // namespace hypermile::steer
