#pragma once

#include "steer/estimate.hpp"
#include "units/quantity.hpp"

namespace hypermile::steer {

/// How many items arrive per second: smoothed as long as single samples differ by chance; two
/// samples in a row that differ by more are a new rate, and the smoothing begins again with them.
class Arrivals {
public:
  /// `memory`: see Smoothed.
  explicit Arrivals(Seconds memory) : rate_(memory.value()), dispersion_(10 * memory.value()) {}

  /// `items` have come in `length`, which is positive.
  void add(double items, Seconds length);

  [[nodiscard]] bool known() const { return !rate_.empty(); }
  // Where it is known:
  [[nodiscard]] Rate rate() const { return Rate{rate_.mean()}; }
  /// Standard deviation of rate(), as a share of it.
  [[nodiscard]] double relative_error() const;

private:
  [[nodiscard]] double chance(double expected) const;

  Smoothed rate_;
  /// Variance of counts divided by their mean: 1 for a Poisson process, the size of the bursts
  /// where items come several at once.
  Smoothed dispersion_;
  int unlike_ = 0; ///< samples in a row that no chance explains: above 0 more items, below 0 fewer
};

} // namespace hypermile::steer
