#pragma once

#include "steer/goal.hpp"
#include "steer/prior.hpp"
#include "steer/space.hpp"
#include "steer/visits.hpp"

#include <Eigen/Dense>

#include <vector>

namespace hypermile::steer {

/// Of a power: normal with this mean and deviation.
struct PowerPosterior {
  Watts mean;
  Watts deviation;
};

/// What the node draws while a configuration is under load.
struct Load {
  std::size_t configuration;
  double share;             ///< of the time that its cores work, rho
  Rate throughput;          ///< B
  double log_deviation = 0; ///< of the throughput, which may be a prediction
};

/// Predicts the node's power by a Bayesian linear model. Its terms are those of [N16] Eq. 7,
/// leakage of active sockets and V^2 f n, and beside them V^2 B: how much cores switch follows how
/// much they get done, so a program that waits for memory draws less. To this is added what a
/// configuration deviates from all terms, so that one that was visited is known.
class PowerModel {
public:
  using Terms = PowerPrior::Terms;

  /// Measured at least one power. `unit`: items per second for each core and Hz, about.
  PowerModel(const Space& space, const Visits& visits, double unit,
             const PowerPrior& prior = default_prior().power);

  [[nodiscard]] PowerPosterior predict(const Load& load) const;

  /// What the terms are multiplied with.
  [[nodiscard]] Terms terms_of(const Load& load) const;

private:
  PowerPrior prior_;
  const Space& space_;
  double unit_;
  double scale_; ///< W: of the first visit; the prior is in shares of it
  double most_switching_;
  double most_leakage_;
  std::vector<std::size_t> visited_;
  Eigen::MatrixXd seen_; ///< terms x visits
  Eigen::VectorXd own_;  ///< variance of what a visited configuration deviates, W^2
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::VectorXd weights_;
  double per_activity_ = 0; ///< W per unit of the term V^2 B
};

} // namespace hypermile::steer
