#pragma once

#include "common/fft.hpp"
#include "common/range.hpp"
#include "ft/problem.hpp"

#include <vector>

namespace apps::ft {

/// The random field of the beginning, in these planes. x is fastest, then y, then z.
void fill_randomly(const Problem& problem, Range planes, std::span<Complex> field);

/// By what each wave decays in one time step: the product of a factor for each direction.
class Decay {
public:
  explicit Decay(const Problem& problem);

  /// Multiplies a part of the spectrum, all of x and z and these rows of y: x is fastest, then
  /// y, then z.
  void apply(std::span<Complex> spectrum, Range rows) const;

private:
  std::vector<double> x_, y_, z_;
};

/// This rank's share of the checksum of a field: 1024 points, divided by the number of all.
Complex local_checksum(const Problem& problem, Range planes, std::span<const Complex> field);

} // namespace apps::ft
