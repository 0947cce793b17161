#pragma once

#include "server/steps.hpp"

#include <cstdint>
#include <random>

namespace apps::server {

/// How many items arrive per second: more by day than by night, and times the steps.
struct Rate {
  double mean;
  double swing; ///< 0 to 1
  double day;   ///< seconds
  Steps steps;

  [[nodiscard]] double at(double seconds) const;
  [[nodiscard]] double largest() const;
};

/// The times of a Poisson process with this rate, the same for the same seed, by thinning one with
/// the largest rate.
class Arrivals {
public:
  Arrivals(Rate rate, std::uint64_t seed);
  /// Of the next item, seconds since the begin.
  double next();

private:
  double uniform(); ///< in (0, 1]

  Rate rate_;
  double largest_;
  std::mt19937_64 random_;
  double now_ = 0;
};

} // namespace apps::server
