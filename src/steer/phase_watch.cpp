#include "steer/phase_watch.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::steer {
namespace {

/// So many in a row must say the same: one may be of both phases, or odd.
constexpr std::size_t unlike_in_a_row = 2;
constexpr double same_load = 0.1;
/// What a program would do without others is known the less, the more these take: by so much, as a
/// share of what they take. They also use its caches and its memory.
constexpr double error_by_contention = 0.25;

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
  const double contended = error_by_contention * (1 - std::min(seen.granted, reference_->granted));
  const double tolerance = std::log(1 + change_) + 3 * std::hypot(error, contended);
  const bool other_capacity =
      log_ratio(seen.capacity.value(), reference_->capacity.value()) > tolerance;
  const bool same_use =
      std::abs(seen.load * seen.granted - reference_->load * reference_->granted) <
      same_load * std::max(reference_->granted, seen.granted);
  const bool other_power =
      same_use && log_ratio(seen.power.value(), reference_->power.value()) > tolerance;
  unlike_ = other_capacity || other_power ? unlike_ + 1 : 0;
  return unlike_ >= unlike_in_a_row;
}

} // namespace hypermile::steer
