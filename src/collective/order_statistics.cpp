#include "collective/order_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::collective {

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double coins_at_most(std::size_t count, std::size_t most) {
  const auto n = static_cast<double>(count);
  double probability = std::exp2(-n); // of just k of them
  double sum = 0;
  for (std::size_t i = 0; i <= std::min(most, count); ++i) {
    const auto k = static_cast<double>(i);
    sum += probability;
    probability *= (n - k) / (k + 1);
  }
  return std::min(sum, 1.0);
}

std::optional<MedianInterval> median_interval(std::vector<double> values, double confidence) {
  const std::size_t count = values.size();
  if (count < 2)
    return std::nullopt;
  std::ranges::sort(values);
  // Outside with `cut` values left out at each end: with a probability of 2 * coins_at_most().
  std::size_t cut = 0;
  while (2 * (cut + 2) <= count && 1 - 2 * coins_at_most(count, cut + 1) >= confidence)
    ++cut;
  return MedianInterval{values[cut], values[count - 1 - cut], 1 - 2 * coins_at_most(count, cut)};
}

std::size_t values_needed(double confidence) {
  std::size_t count = 2;
  while (1 - 2 * coins_at_most(count, 0) < confidence)
    ++count;
  return count;
}

} // namespace hypermile::collective
