#pragma once

#include "steer/power_model.hpp"
#include "steer/search.hpp"
#include "steer/throughput_model.hpp"

namespace hypermile::steer {

/// hypermile's own method: it believes what the two models predict as far as these are sure of it,
/// visits where the expected improvement, times the probability that the bounds are kept, is
/// largest, and settles when none is worth a visit; only ever in a configuration that was visited
/// and kept the bounds. One that is too close to a bound for the error of its measurement is
/// measured again. Needs nothing from before.
class AdaptiveSearch final : public Search {
public:
  AdaptiveSearch(const Space& space, const Goal& goal, const Prior& prior = default_prior());

  Step next() override;
  /// All that was seen is kept; what may be visited for the new goal is counted from here.
  void aim(const Goal& goal) override;
  [[nodiscard]] std::optional<Performance> expected(std::size_t configuration) const override;

private:
  /// What is believed of a configuration under the goal.
  struct Outlook {
    Performance mean;
    double worth = 0;
    double worth_deviation = 0; ///< as a share of `worth`
    double may_keep_bounds = 0; ///< probability
    bool settled = false;       ///< measuring it (again) would not tell more
    bool keeps_bounds = false;  ///< visited, and nearly certain
  };
  [[nodiscard]] std::size_t visits_for_goal() const { return visits_.size() - visits_before_goal_; }
  [[nodiscard]] std::vector<Outlook> outlooks() const;
  [[nodiscard]] Outlook outlook_of(std::size_t index, const Belief& capacity,
                                   const PowerModel& power) const;
  [[nodiscard]] Outlook exact_outlook(const Visit& visit) const;
  [[nodiscard]] Step first_look_for_bounds(const std::vector<Outlook>& all) const;
  [[nodiscard]] Step improve(const std::vector<Outlook>& all, std::size_t best) const;

  PowerPrior power_prior_;
  ThroughputModel throughput_;
  std::size_t visits_before_goal_ = 0;
};

} // namespace hypermile::steer
