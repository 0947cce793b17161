#pragma once

#include <cstdint>

namespace apps::server {

/// What doing items has shown: how many of the points of a square are in its inscribed circle.
struct Sample {
  std::uint64_t points = 0;
  std::uint64_t inside = 0;

  Sample& operator+=(const Sample& other);
  [[nodiscard]] double pi() const;
  /// Whether pi is what it should be, as far as so many random points can tell.
  [[nodiscard]] bool verified() const;
};

/// One item of work: draws points at random. The same for the same number. Arithmetic only, in
/// registers.
Sample draw(std::uint64_t item, std::uint64_t points);

/// How many points a core draws in a microsecond of CPU time, measured for some 50 ms.
double points_per_microsecond();

} // namespace apps::server
