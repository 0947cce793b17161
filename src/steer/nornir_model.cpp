#include "steer/nornir_model.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace hypermile::steer {
namespace {

using model::Placement;

/// Least squares; of several solutions that of the least norm.
Eigen::VectorXd solve(const Eigen::MatrixXd& predictors, const Eigen::VectorXd& response) {
  return predictors.completeOrthogonalDecomposition().solve(response);
}

double service_time_of(const Visit& visit) { return 1 / visit.mean.capacity.value(); }

const Visit* one_core(const Space& space, const Visits& visits, model::Gear gear) {
  const auto found = std::ranges::find_if(visits.all(), [&](const Visit& visit) {
    const Configuration& configuration = space[visit.configuration];
    return configuration.cores == 1 && configuration.gear == gear;
  });
  return found == visits.all().end() ? nullptr : &*found;
}

} // namespace

Eigen::Vector3d NornirModel::service_terms(std::size_t cores) {
  const auto n = static_cast<double>(cores);
  return {1 / n, (n - 1) / n, n - 1};
}

Eigen::Vector2d NornirModel::power_terms(const Configuration& configuration) const {
  const double least = node_.volts(0, node_.gears.size() - 1);
  const auto sockets = static_cast<double>(node_.sockets);
  const auto active = static_cast<double>(active_sockets(node_, configuration));
  const std::size_t busiest = active_cores(node_, configuration, 0);
  const double volts = node_.volts(busiest, configuration.gear);
  const double ghz = node_.gears.frequency(configuration.gear).value() / 1e9;
  return {active * (volts - least) + sockets * least,
          volts * volts * ghz * static_cast<double>(configuration.cores)};
}

bool NornirModel::fit_service(const Space& space, const Visits& visits, Placement placement) {
  std::vector<const Visit*> used;
  for (const Visit& visit : visits.all()) {
    const Configuration& configuration = space[visit.configuration];
    const bool slowest = configuration.gear + 1 == node_.gears.size();
    // One core is the same in both placements.
    if (slowest && (configuration.placement == placement || configuration.cores == 1))
      used.push_back(&visit);
  }
  if (used.size() < 2)
    return false;
  Eigen::MatrixXd predictors(used.size(), 3);
  Eigen::VectorXd response(used.size());
  for (std::size_t row = 0; row < used.size(); ++row) {
    const auto at = static_cast<Eigen::Index>(row);
    predictors.row(at) = service_terms(space[used[row]->configuration].cores).transpose();
    response(at) = service_time_of(*used[row]);
  }
  scalability_[placement] = solve(predictors, response);
  return true;
}

bool NornirModel::fit_power(const Space& space, const Visits& visits) {
  const auto rows = static_cast<Eigen::Index>(visits.size());
  Eigen::MatrixXd predictors(rows, 2);
  Eigen::VectorXd response(rows);
  for (Eigen::Index row = 0; row < rows; ++row) {
    const Visit& visit = visits.all()[static_cast<std::size_t>(row)];
    predictors.row(row) = power_terms(space[visit.configuration]).transpose();
    response(row) = visit.mean.power.value();
  }
  power_ = solve(predictors, response);
  return rows >= 2;
}

std::optional<NornirModel> NornirModel::fit(const Space& space, const Visits& visits) {
  NornirModel model(space.node);
  const Visit* slow = one_core(space, visits, space.node.gears.size() - 1);
  const Visit* fast = one_core(space, visits, 0);
  if (slow == nullptr || fast == nullptr)
    return std::nullopt;
  model.gamma_ = service_time_of(*slow) / service_time_of(*fast);
  bool complete = model.fit_power(space, visits);
  for (const Configuration& configuration : space.configurations)
    if (!model.scalability_.contains(configuration.placement))
      complete = model.fit_service(space, visits, configuration.placement) && complete;
  return complete ? std::optional(model) : std::nullopt;
}

double NornirModel::service_time(const Configuration& configuration) const {
  const double slow =
      service_terms(configuration.cores).dot(scalability_.at(configuration.placement));
  const double fast = slow / gamma_;
  const double f_min = node_.gears.frequency(node_.gears.size() - 1).value();
  const double f_max = node_.gears.frequency(0).value();
  if (f_max == f_min)
    return slow;
  const double f = node_.gears.frequency(configuration.gear).value();
  return (fast - slow) / (f_max - f_min) * f + (slow * f_max - fast * f_min) / (f_max - f_min);
}

Performance NornirModel::predict(const Configuration& configuration) const {
  const double seconds = service_time(configuration);
  // Regression may see service times that fall below 0, where it knows nothing: no throughput.
  const double items = seconds > 0 ? 1 / seconds : std::numeric_limits<double>::min();
  const double watts = power_terms(configuration).dot(power_);
  return {Rate{items}, Watts{std::max(watts, std::numeric_limits<double>::min())}};
}

} // namespace hypermile::steer
