#include "kernels/ep.hpp"

#include "kernels/lcg46.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hypermile::kernels {

EpTally& EpTally::operator+=(const EpTally& other) {
  sum_x += other.sum_x;
  sum_y += other.sum_y;
  for (std::size_t i = 0; i < annuli.size(); ++i)
    annuli[i] += other.annuli[i];
  return *this;
}

std::int64_t EpTally::accepted() const {
  return std::accumulate(annuli.begin(), annuli.end(), std::int64_t{0});
}

EpTally ep_batch(std::uint64_t batch) {
  constexpr std::uint64_t pairs = std::uint64_t{1} << ep_log2_batch_pairs;
  Lcg46 random(271828183);
  random.skip(2 * pairs * batch);
  EpTally tally;
  for (std::uint64_t pair = 0; pair < pairs; ++pair) {
    const double u = 2.0 * random.next() - 1.0;
    const double v = 2.0 * random.next() - 1.0;
    const double square = u * u + v * v;
    if (square > 1.0)
      continue;
    const double factor = std::sqrt(-2.0 * std::log(square) / square);
    const double x = u * factor;
    const double y = v * factor;
    ++tally.annuli[static_cast<std::size_t>(std::max(std::abs(x), std::abs(y)))];
    tally.sum_x += x;
    tally.sum_y += y;
  }
  return tally;
}

} // namespace hypermile::kernels
