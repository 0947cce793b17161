#include "steer/throughput_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hypermile::steer {
namespace {

double square(double value) { return value * value; }

// By construction: how far a bend reaches, in doublings; how many times rougher a program may be
// than most, with the deviation of its logarithm; what keeps the algebra regular where measurements
// have no error.
constexpr double bend_length = 1.4;
constexpr double gear_bend_length = 0.5;
constexpr std::array roughnesses{1.0, 0.5, 2.0};
constexpr double log_roughness = 0.7;
constexpr double least_variance = 1e-10;

bool is_rough(std::size_t effect) { return effect >= per_core_count; }

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

/// What each effect adds to the covariance of two configurations, were its deviation 1.
ThroughputPrior ThroughputModel::shares(const Features& a, const Features& b, bool same) {
  const double cores = a.log2_cores * b.log2_cores;
  const double gears = a.log2_gear * b.log2_gear;
  const double placements = a.interleaved * b.interleaved;
  const bool same_cores = a.log2_cores == b.log2_cores && a.interleaved == b.interleaved;
  ThroughputPrior share;
  share[unit] = 1;
  share[scaling] = cores;
  share[bend] = cores * bell(a.log2_cores - b.log2_cores, bend_length);
  share[gear] = gears;
  share[gear_bend] = gears * bell(a.log2_gear - b.log2_gear, gear_bend_length);
  share[gear_with_cores] = cores * gears;
  share[more_sockets] = a.more_sockets * b.more_sockets;
  share[all_cores] = a.all_cores * b.all_cores;
  share[interleaved] = placements;
  share[interleaved_cores] = placements * cores;
  share[per_core_count] = same_cores ? 1 : 0;
  share[per_configuration] = same ? 1 : 0;
  return share;
}

double ThroughputModel::covariance_of(const Features& a, const Features& b, bool same,
                                      double roughness) const {
  const ThroughputPrior share = shares(a, b, same);
  double sum = 0;
  for (std::size_t effect = 0; effect < effects; ++effect)
    sum += share[effect] * square(prior_[effect] * (is_rough(effect) ? roughness : 1));
  return sum;
}

ThroughputPrior ThroughputModel::shares(std::size_t a, std::size_t b) const {
  return shares(features_[a], features_[b], a == b);
}

double ThroughputModel::log_perfect(std::size_t configuration) const {
  return features_[configuration].log_perfect;
}

ThroughputModel::ThroughputModel(const Space& space, const ThroughputPrior& prior) : prior_(prior) {
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
          covariance_of(a, b, rows[row] == columns[column], roughness);
    }
  return matrix;
}

double ThroughputModel::judge_roughness(const std::vector<std::size_t>& visited,
                                        const Eigen::VectorXd& residuals,
                                        const Eigen::VectorXd& noise) const {
  double best = roughnesses.front();
  double most = -std::numeric_limits<double>::infinity();
  for (const double roughness : roughnesses) {
    Eigen::MatrixXd covariance = kernel(visited, visited, roughness);
    covariance.diagonal() += noise;
    const Eigen::LLT<Eigen::MatrixXd> factor(covariance);
    const double log_determinant = 2 * factor.matrixLLT().diagonal().array().log().sum();
    const double evidence = -0.5 * residuals.dot(factor.solve(residuals)) - 0.5 * log_determinant -
                            0.5 * square(std::log(roughness) / log_roughness);
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

std::vector<CapacityPosterior> ThroughputModel::fit(const Visits& visits) const {
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
    noise(row) = square(visit.mean.relative_error) + least_variance;
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
  std::vector<CapacityPosterior> posteriors(features_.size());
  for (std::size_t index = 0; index < features_.size(); ++index) {
    const auto column = static_cast<Eigen::Index>(index);
    const Features& own = features_[index];
    const double variance =
        covariance_of(own, own, true, roughness) - common.col(column).squaredNorm();
    posteriors[index] = {.log_mean = unit + own.log_perfect + means(column),
                         .log_deviation = std::sqrt(std::max(variance, least_variance))};
  }
  return posteriors;
}

} // namespace hypermile::steer
