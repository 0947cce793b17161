#include "runtime/decide/slowdown_budget.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::runtime {
namespace {

/// No forecast is surer than this, be there no noise at all.
constexpr double least_deviation = 0.002;

} // namespace

void SlowdownBudget::spend(Seconds elapsed, double slowdown, Seconds own, double error) {
  const Seconds since_last = elapsed - elapsed_ - (own - own_);
  slowdown = std::max({slowdown, std::exchange(at_least_, std::nullopt).value_or(slowdown), 0.0});
  if (expected_ && expected_->mean > 1) {
    const double deviation = std::hypot(std::max(expected_->deviation, least_deviation), error);
    const double surprise = (1 + slowdown - expected_->mean) / deviation;
    squares_ += surprise * surprise;
    ++count_;
  }
  in_gear0_ += since_last / (1 + slowdown);
  elapsed_ = elapsed;
  own_ = own;
}

double SlowdownBudget::surprise() const { return std::sqrt(squares_ / count_); }

double SlowdownBudget::allowed(double max_slowdown) const {
  constexpr double of_gears = 0.25;
  const double bound = std::max(max_slowdown, least);
  return std::max({room(bound, elapsed_), room(bound * of_gears, elapsed_ - own_), 0.0});
}

/// `taken`: so far.
double SlowdownBudget::room(double max_slowdown, Seconds taken) const {
  const double so_far = in_gear0_ > Seconds{} ? taken / in_gear0_ - 1 : 0;
  return max_slowdown + 2 * (max_slowdown - so_far);
}

double SlowdownBudget::aim(double max_slowdown) const {
  constexpr double at_most = 1.1;
  return std::min(allowed(max_slowdown), at_most * std::max(max_slowdown, least));
}

} // namespace hypermile::runtime
