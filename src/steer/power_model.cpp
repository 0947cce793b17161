#include "steer/power_model.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::steer {
namespace {

double square(double value) { return value * value; }

/// Terms: constant, leakage, switching, activity, further sockets, switching of these. Each is 1 at
/// most (activity: at perfect scaling), so that coefficients are shares of the first power seen.
enum Term : Eigen::Index { constant, leakage, switching, activity, sockets, socket_switching };

/// Keeps the algebra regular where measurements have no error; W^2 per W^2.
constexpr double least_variance = 1e-11;

struct Switching {
  double squared_volts_and_cores = 0; ///< sum over cores of V^2
  double leaking_volts = 0;           ///< sum over active sockets of V(f) - v_min
};

Switching switching_of(const NodeShape& node, const Configuration& configuration) {
  const double least = node.volts(0, node.gears.size() - 1);
  Switching sum;
  for (std::size_t socket = 0; socket < active_sockets(node, configuration); ++socket) {
    const std::size_t cores = active_cores(node, configuration, socket);
    const double volts = node.volts(cores, configuration.gear);
    sum.squared_volts_and_cores += square(volts) * static_cast<double>(cores);
    sum.leaking_volts += volts - least;
  }
  return sum;
}

double ghz(const NodeShape& node, model::Gear gear) {
  return node.gears.frequency(gear).value() / 1e9;
}

/// Of all configurations, in volts. A socket's voltage may fall while more of its cores work, so it
/// is not always the one with all cores in the highest gear.
double most_leakage(const Space& space) {
  double most = 1e-9; // were there none
  for (const Configuration& configuration : space.configurations)
    most = std::max(most, std::abs(switching_of(space.node, configuration).leaking_volts));
  return most;
}

} // namespace

PowerModel::PowerModel(const Space& space, const Visits& visits, double unit,
                       const PowerPrior& prior)
    : prior_(prior), space_(space), unit_(unit), scale_(visits.all().front().mean.power.value()) {
  const Configuration all{.cores = space.node.cores()};
  most_switching_ = switching_of(space.node, all).squared_volts_and_cores * ghz(space.node, 0);
  most_leakage_ = most_leakage(space);
  const auto count = static_cast<Eigen::Index>(visits.size());
  seen_.resize(PowerPrior::terms, count);
  own_.resize(count);
  Eigen::VectorXd residuals(count);
  Eigen::VectorXd noise(count);
  for (const Visit& visit : visits.all()) {
    const auto column = static_cast<Eigen::Index>(visited_.size());
    visited_.push_back(visit.configuration);
    const Measurement& mean = visit.mean;
    seen_.col(column) = terms_of({.configuration = visit.configuration,
                                  .share = mean.load,
                                  .throughput = mean.capacity * mean.load});
    const double watts = mean.power.value();
    own_(column) = square(prior_.own * watts);
    noise(column) = square(mean.relative_error * watts) + least_variance * square(watts);
    residuals(column) = watts - scale_ * prior_.mean.dot(seen_.col(column));
  }
  const Terms variance = square(scale_) * prior_.deviation.array().square();
  Eigen::MatrixXd covariance = seen_.transpose() * variance.asDiagonal() * seen_;
  covariance.diagonal() += own_ + noise;
  factor_.compute(covariance);
  weights_ = factor_.solve(residuals);
  per_activity_ =
      scale_ * prior_.mean(activity) + variance(activity) * seen_.row(activity).dot(weights_);
}

PowerModel::Terms PowerModel::terms_of(const Load& load) const {
  const NodeShape& node = space_.node;
  const Configuration& configuration = space_[load.configuration];
  const Switching sum = switching_of(node, configuration);
  const double frequency = ghz(node, configuration.gear);
  const auto cores = static_cast<double>(configuration.cores);
  const double most_further = static_cast<double>(std::max<std::size_t>(node.sockets, 2) - 1);
  const double further =
      static_cast<double>(active_sockets(node, configuration) - 1) / most_further;
  const double switched = sum.squared_volts_and_cores * frequency * load.share / most_switching_;
  const double done_ghz = load.throughput.value() / unit_ / 1e9;
  Terms terms_here;
  terms_here << 1, sum.leaking_volts / most_leakage_, switched,
      sum.squared_volts_and_cores / cores * done_ghz / most_switching_, further, further * switched;
  return terms_here;
}

PowerPosterior PowerModel::predict(const Load& load) const {
  const Terms own = terms_of(load);
  const Terms variance = square(scale_) * prior_.deviation.array().square();
  Eigen::VectorXd common = seen_.transpose() * variance.asDiagonal() * own;
  for (std::size_t visit = 0; visit < visited_.size(); ++visit)
    if (visited_[visit] == load.configuration)
      common(static_cast<Eigen::Index>(visit)) += own_(static_cast<Eigen::Index>(visit));
  const double mean = scale_ * prior_.mean.dot(own) + common.dot(weights_);
  const double spread = own.dot(variance.cwiseProduct(own)) + square(prior_.own * mean) -
                        factor_.matrixL().solve(common).squaredNorm();
  const double from_throughput = own(activity) * load.log_deviation * per_activity_;
  const double least = least_variance * square(mean);
  return {.mean = Watts{mean},
          .deviation = Watts{std::sqrt(std::max(spread, least) + square(from_throughput))}};
}

} // namespace hypermile::steer
