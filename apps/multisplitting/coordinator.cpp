#include "multisplitting/coordinator.hpp"

namespace apps::multisplitting {

void Coordinator::says_residual(std::size_t cluster, int phase, double squared) {
  if (phase == phase_)
    clusters_[cluster].latest = squared;
}

void Coordinator::says_residual_of_copy(std::size_t cluster, double squared) {
  clusters_[cluster].copy = squared;
}

std::optional<double> Coordinator::sum(std::optional<double> Cluster::*what) const {
  double result = 0.0;
  for (const Cluster& cluster : clusters_) {
    if (!(cluster.*what))
      return std::nullopt;
    result += *(cluster.*what);
  }
  return result;
}

Order Coordinator::judge(double residual_of_copies) {
  is_verifying_ = false;
  has_ended_ = residual_of_copies <= bound_; // false where it is no number
  if (has_ended_)
    return Order::stop;
  ++phase_;
  for (Cluster& cluster : clusters_)
    cluster.latest = cluster.copy = std::nullopt;
  return Order::resume;
}

std::optional<Order> Coordinator::next() {
  if (has_ended_)
    return std::nullopt;
  const auto residual = sum(is_verifying_ ? &Cluster::copy : &Cluster::latest);
  if (is_verifying_ && residual)
    return judge(*residual);
  if (!is_verifying_ && residual && *residual <= bound_) {
    is_verifying_ = true;
    return Order::verify;
  }
  has_ended_ = limit_reached_;
  return has_ended_ ? std::optional(Order::give_up) : std::nullopt;
}

} // namespace apps::multisplitting
