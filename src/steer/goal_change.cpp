#include "steer/goal_change.hpp"

#include <cmath>

namespace hypermile::steer {
namespace {

/// How much harder, and how much easier, a bound may become.
constexpr double harder = 0.03;
constexpr double easier = 0.10;
/// Deviations that are no chance any more.
constexpr double significant = 2.5;

bool has_moved(double now, double then, double noise) {
  const double change = now / then - 1;
  if (std::abs(change) <= significant * noise)
    return false;
  return change > harder || change < -easier;
}

} // namespace

bool asks_for_more_or_less(std::optional<Rate> now, std::optional<Rate> then, double noise) {
  if (!now || !then)
    return now.has_value() != then.has_value();
  return has_moved(now->value(), then->value(), noise);
}

bool leaves_less_or_more(std::optional<Joules> now, std::optional<Joules> then) {
  if (!now || !then)
    return now.has_value() != then.has_value();
  return has_moved(then->value(), now->value(), 0); // less is harder
}

} // namespace hypermile::steer
