#include "steer/phase_watch.hpp"

#include <cmath>

namespace hypermile::steer {
namespace {

/// So many in a row must say the same: one may be of both phases, or odd.
constexpr std::size_t enough = 2;
constexpr double same_load = 0.1;

} // namespace

double log_ratio(double a, double b) { return std::abs(std::log(a / b)); }

void PhaseWatch::compare_with(const std::optional<Measurement>& reference) {
  reference_ = reference;
  unlike_ = 0;
}

bool PhaseWatch::is_another(const Measurement& seen, double error) {
  if (!reference_) {
    reference_ = seen;
    return false;
  }
  const double tolerance = std::log(1 + change_) + 3 * error;
  const bool other_capacity =
      log_ratio(seen.capacity.value(), reference_->capacity.value()) > tolerance;
  const bool other_power = std::abs(seen.load - reference_->load) < same_load &&
                           log_ratio(seen.power.value(), reference_->power.value()) > tolerance;
  unlike_ = other_capacity || other_power ? unlike_ + 1 : 0;
  return unlike_ >= enough;
}

} // namespace hypermile::steer
