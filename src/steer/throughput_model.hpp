#pragma once

#include "steer/prior.hpp"
#include "steer/space.hpp"
#include "steer/visits.hpp"

#include <Eigen/Dense>

#include <array>
#include <vector>

namespace hypermile::steer {

/// Of a capacity: its logarithm is normal with this mean and deviation.
struct CapacityPosterior {
  double log_mean = 0;
  double log_deviation = 0;
};

/// Predicts the capacity of all configurations from those visited: a Gaussian process on the
/// logarithm of the throughput. Before anything is seen it expects perfect scaling, throughput
/// proportional to cores x frequency, in an unknown unit. How much programs deviate from that, and
/// how smoothly, is in the kernel; whether this one is smooth or rough is judged by the evidence.
class ThroughputModel {
public:
  explicit ThroughputModel(const Space& space,
                           const ThroughputPrior& prior = default_prior().throughput);

  /// At least one visit. A measurement without error is taken as it is.
  [[nodiscard]] std::vector<CapacityPosterior> fit(const Visits& visits) const;

  /// Items per second for each core and Hz, as the first visit has it.
  [[nodiscard]] double per_core_and_hertz(const Visits& visits) const;

  // For those who fit a prior, by the index of configurations:

  /// What each effect adds to the covariance of two configurations, were its deviation 1.
  [[nodiscard]] ThroughputPrior shares(std::size_t a, std::size_t b) const;
  /// ln(cores x Hz)
  [[nodiscard]] double log_perfect(std::size_t configuration) const;

private:
  /// What the kernel knows of a configuration.
  struct Features {
    double log_perfect;  ///< ln(cores x Hz)
    double log2_cores;   ///< doublings of cores
    double log2_gear;    ///< doublings of the lowest frequency
    double more_sockets; ///< share of the further sockets that are used
    double all_cores;    ///< 1 or 0
    double interleaved;  ///< 1 or 0
  };
  [[nodiscard]] static Features features(const NodeShape& node, const Configuration& configuration);
  [[nodiscard]] static ThroughputPrior shares(const Features& a, const Features& b, bool same);
  [[nodiscard]] double covariance_of(const Features& a, const Features& b, bool same,
                                     double roughness) const;
  [[nodiscard]] Eigen::MatrixXd kernel(const std::vector<std::size_t>& rows,
                                       const std::vector<std::size_t>& columns,
                                       double roughness) const;
  [[nodiscard]] double judge_roughness(const std::vector<std::size_t>& visited,
                                       const Eigen::VectorXd& residuals,
                                       const Eigen::VectorXd& noise) const;

  ThroughputPrior prior_;
  std::vector<Features> features_;
};

} // namespace hypermile::steer
