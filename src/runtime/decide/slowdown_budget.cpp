#include "runtime/decide/slowdown_budget.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::runtime {
namespace {

/// No forecast is surer than this, be there no noise at all.
constexpr double least_deviation = 0.0005;
/// What is further off was wrong in a way that no noise explains: however far, it says no more of
/// how much noise there is.
constexpr double most_surprise = 5;

} // namespace

SlowdownBudget::Entry SlowdownBudget::spend(Seconds elapsed, double slowdown, Seconds own,
                                            double error) {
  const Seconds since_last = elapsed - elapsed_ - (own - own_);
  slowdown = std::max({slowdown, std::exchange(at_least_, std::nullopt).value_or(slowdown), 0.0});
  if (expected_ && expected_->mean > 1)
    learn((1 + slowdown - expected_->mean) /
          std::hypot(std::max(expected_->deviation, least_deviation), error));
  in_gear0_ += since_last / (1 + slowdown);
  elapsed_ = elapsed;
  own_ = own;
  return {since_last, slowdown};
}

void SlowdownBudget::settle(const Entry& entry, double slowdown) {
  in_gear0_ += entry.passed / (1 + std::max(slowdown, 0.0)) - entry.passed / (1 + entry.slowdown);
}

void SlowdownBudget::learn(double surprise) {
  constexpr double kept = 0.8; // of what was learnt before
  squares_ = squares_ * kept + std::pow(std::clamp(surprise, -most_surprise, most_surprise), 2);
  count_ = count_ * kept + 1;
}

double SlowdownBudget::surprise() const { return std::sqrt(squares_ / count_); }

double SlowdownBudget::allowed(double max_slowdown) const {
  const double bound = std::max(max_slowdown, least);
  const double so_far = in_gear0_ > Seconds{} ? elapsed_ / in_gear0_ - 1 : 0;
  return std::max(bound + 2 * (bound - so_far), 0.0);
}

double SlowdownBudget::aim(double max_slowdown) const {
  constexpr double at_most = 1.1;
  return std::min(allowed(max_slowdown), at_most * std::max(max_slowdown, least));
}

} // namespace hypermile::runtime
