#include "runtime/decide/length_by_work.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::runtime {
namespace {

constexpr std::size_t enough = 5;      // iterations
constexpr double least_variety = 1e-4; // relative deviation of the work that a line may rest on

} // namespace

std::optional<LengthByWork> length_by_work(std::span<const RecordedIteration> iterations) {
  if (iterations.size() < enough)
    return std::nullopt;
  const auto count = static_cast<double>(iterations.size());
  LengthByWork line;
  for (const RecordedIteration& i : iterations) {
    line.length += i.length / count;
    line.work += i.work / count;
  }
  double squares = 0;
  double products = 0;
  for (const RecordedIteration& i : iterations) {
    squares += (i.work - line.work) * (i.work - line.work);
    products += (i.work - line.work) * (i.length - line.length);
  }
  if (line.work <= 0 || squares <= count * std::pow(least_variety * line.work, 2))
    return std::nullopt;
  line.slope = std::clamp(products / squares, 0.0, line.length / line.work);
  double left = 0;
  for (const RecordedIteration& i : iterations)
    left += std::pow(i.length - line.length - line.slope * (i.work - line.work), 2);
  // How little the fewest leave over says little (Student's t, three degrees of freedom).
  const double unsure = iterations.size() == enough ? 1.3 : 1;
  const double deviation = unsure * std::sqrt(left / (count - 2));
  line.length_error = deviation / std::sqrt(count);
  line.slope_error = deviation / std::sqrt(squares);
  line.work_error = std::sqrt(squares / (count - 1) / count);
  return line;
}

std::optional<TimeRatio> at_same_work(const LengthByWork& now, const LengthByWork& then) {
  constexpr double chance = 3; // standard errors
  const double more = now.work - then.work;
  const double expected = then.length + then.slope * more;
  if (std::abs(more) > chance * std::hypot(now.work_error, then.work_error) || expected <= 0)
    return std::nullopt;
  const double error = std::hypot(then.length_error, then.slope_error * more) / expected;
  return TimeRatio{.value = now.length / expected,
                   .error = std::hypot(error, now.length_error / now.length)};
}

} // namespace hypermile::runtime
