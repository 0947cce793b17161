#pragma once

#include "steer/space.hpp"
#include "steer/visits.hpp"

#include <Eigen/Dense>

#include <array>
#include <vector>

namespace hypermile::steer {

/// What is believed of a positive number: its logarithm is normal with this mean and deviation.
struct Belief {
  double log_mean = 0;
  double log_deviation = 0;
};

/// Predicts the capacity of all configurations from those visited: a Gaussian process on the
/// logarithm of the throughput. Before anything is seen it expects perfect scaling, throughput
/// proportional to cores x frequency, in an unknown unit. How much programs deviate from that, and
/// how smoothly, is in the kernel; whether this one is smooth or rough is judged by the evidence.
class ThroughputModel {
public:
  explicit ThroughputModel(const Space& space);

  /// At least one visit. A measurement without error is believed.
  [[nodiscard]] std::vector<Belief> fit(const Visits& visits) const;

  /// Items per second for each core and Hz, as the first visit has it.
  [[nodiscard]] double per_core_and_hertz(const Visits& visits) const;

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
  [[nodiscard]] static double smooth(const Features& a, const Features& b);
  [[nodiscard]] static double rough(const Features& a, const Features& b, bool same);
  [[nodiscard]] Eigen::MatrixXd kernel(const std::vector<std::size_t>& rows,
                                       const std::vector<std::size_t>& columns,
                                       double roughness) const;
  [[nodiscard]] double judge_roughness(const std::vector<std::size_t>& visited,
                                       const Eigen::VectorXd& residuals,
                                       const Eigen::VectorXd& noise) const;

  std::vector<Features> features_;
};

} // namespace hypermile::steer
