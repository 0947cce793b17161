#include "steer/throughput_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hypermile::steer {
namespace {

double square(double value) { return value * value; }

/// Standard deviations of the logarithm of the throughput, from what programs are known to do.
namespace prior {
constexpr double unit = 10;                ///< items are anything
constexpr double scaling = 0.11;           ///< per doubling of cores: more or less than perfect
constexpr double bend = 0.087;             ///< per doubling: where scaling changes
constexpr double bend_length = 1.4;        ///< doublings over which it does
constexpr double gear = 0.2;               ///< per doubling of the frequency
constexpr double gear_bend = 0.03;         ///< likewise, where that changes
constexpr double gear_bend_length = 0.5;   ///< doublings over which it does
constexpr double gear_with_cores = 0.033;  ///< per doubling of both: memory becomes the limit
constexpr double more_sockets = 0.08;      ///< a step where another socket begins
constexpr double all_cores = 0.08;         ///< no core is left for the system
constexpr double interleaved = 0.05;       ///< a step
constexpr double interleaved_cores = 0.01; ///< per doubling of cores
constexpr double per_core_count = 0.015;   ///< work that does not divide evenly
constexpr double per_configuration = 0.02; ///< whatever else
/// How many times rougher programs are than that, with the deviation of its logarithm.
constexpr std::array roughness{1.0, 0.5, 2.0};
constexpr double log_roughness = 0.7;
/// Keeps the algebra regular where measurements have no error.
constexpr double least_variance = 1e-10;
} // namespace prior

double bell(double distance, double length) { return std::exp(-0.5 * square(distance / length)); }

} // namespace

ThroughputModel::Features ThroughputModel::features(const NodeShape& node,
                                                    const Configuration& configuration) {
  const double frequency = node.gears.frequency(configuration.gear).value();
  const double slowest = node.gears.frequency(node.gears.size() - 1).value();
  const auto cores = static_cast<double>(configuration.cores);
  const auto further = static_cast<double>(active_sockets(node, configuration) - 1);
  const auto most_further = static_cast<double>(std::max<std::size_t>(node.sockets, 2) - 1);
  return {.log_perfect = std::log(cores * frequency),
          .log2_cores = std::log2(cores),
          .log2_gear = std::log2(frequency / slowest),
          .more_sockets = further / most_further,
          .all_cores = configuration.cores == node.cores() ? 1.0 : 0.0,
          .interleaved = configuration.placement == model::Placement::interleaved ? 1.0 : 0.0};
}

double ThroughputModel::smooth(const Features& a, const Features& b) {
  const double cores = a.log2_cores * b.log2_cores;
  const double gears = a.log2_gear * b.log2_gear;
  const double placements = a.interleaved * b.interleaved;
  return square(prior::unit) +
         cores * (square(prior::scaling) +
                  square(prior::bend) * bell(a.log2_cores - b.log2_cores, prior::bend_length)) +
         gears * (square(prior::gear) + square(prior::gear_bend) * bell(a.log2_gear - b.log2_gear,
                                                                        prior::gear_bend_length)) +
         cores * gears * square(prior::gear_with_cores) +
         a.more_sockets * b.more_sockets * square(prior::more_sockets) +
         a.all_cores * b.all_cores * square(prior::all_cores) +
         placements * (square(prior::interleaved) + cores * square(prior::interleaved_cores));
}

double ThroughputModel::rough(const Features& a, const Features& b, bool same) {
  const bool same_cores = a.log2_cores == b.log2_cores && a.interleaved == b.interleaved;
  return (same_cores ? square(prior::per_core_count) : 0) +
         (same ? square(prior::per_configuration) : 0);
}

ThroughputModel::ThroughputModel(const Space& space) {
  features_.reserve(space.size());
  for (const Configuration& configuration : space.configurations)
    features_.push_back(features(space.node, configuration));
}

Eigen::MatrixXd ThroughputModel::kernel(const std::vector<std::size_t>& rows,
                                        const std::vector<std::size_t>& columns,
                                        double roughness) const {
  Eigen::MatrixXd matrix(rows.size(), columns.size());
  for (std::size_t column = 0; column < columns.size(); ++column)
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const Features& a = features_[rows[row]];
      const Features& b = features_[columns[column]];
      matrix(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) =
          smooth(a, b) + square(roughness) * rough(a, b, rows[row] == columns[column]);
    }
  return matrix;
}

double ThroughputModel::judge_roughness(const std::vector<std::size_t>& visited,
                                        const Eigen::VectorXd& residuals,
                                        const Eigen::VectorXd& noise) const {
  double best = prior::roughness.front();
  double most = -std::numeric_limits<double>::infinity();
  for (const double roughness : prior::roughness) {
    Eigen::MatrixXd covariance = kernel(visited, visited, roughness);
    covariance.diagonal() += noise;
    const Eigen::LLT<Eigen::MatrixXd> factor(covariance);
    const double log_determinant = 2 * factor.matrixLLT().diagonal().array().log().sum();
    const double evidence = -0.5 * residuals.dot(factor.solve(residuals)) - 0.5 * log_determinant -
                            0.5 * square(std::log(roughness) / prior::log_roughness);
    if (evidence > most) {
      most = evidence;
      best = roughness;
    }
  }
  return best;
}

double ThroughputModel::per_core_and_hertz(const Visits& visits) const {
  const Visit& first = visits.all().front();
  return first.mean.capacity.value() / std::exp(features_[first.configuration].log_perfect);
}

std::vector<Belief> ThroughputModel::fit(const Visits& visits) const {
  const double unit = std::log(per_core_and_hertz(visits));
  const auto count = static_cast<Eigen::Index>(visits.size());
  std::vector<std::size_t> visited;
  Eigen::VectorXd residuals(count);
  Eigen::VectorXd noise(count);
  for (const Visit& visit : visits.all()) {
    const auto row = static_cast<Eigen::Index>(visited.size());
    visited.push_back(visit.configuration);
    residuals(row) =
        std::log(visit.mean.capacity.value()) - unit - features_[visit.configuration].log_perfect;
    noise(row) = square(visit.mean.relative_error) + prior::least_variance;
  }
  const double roughness = judge_roughness(visited, residuals, noise);
  Eigen::MatrixXd covariance = kernel(visited, visited, roughness);
  covariance.diagonal() += noise;
  const Eigen::LLT<Eigen::MatrixXd> factor(covariance);
  const Eigen::VectorXd weights = factor.solve(residuals);
  std::vector<std::size_t> all(features_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Eigen::MatrixXd common = kernel(visited, all, roughness);
  const Eigen::VectorXd means = common.transpose() * weights;
  factor.matrixL().solveInPlace(common);
  std::vector<Belief> beliefs(features_.size());
  for (std::size_t index = 0; index < features_.size(); ++index) {
    const auto column = static_cast<Eigen::Index>(index);
    const Features& own = features_[index];
    const double variance = smooth(own, own) + square(roughness) * rough(own, own, true) -
                            common.col(column).squaredNorm();
    beliefs[index] = {.log_mean = unit + own.log_perfect + means(column),
                      .log_deviation = std::sqrt(std::max(variance, prior::least_variance))};
  }
  return beliefs;
}

} // namespace hypermile::steer
