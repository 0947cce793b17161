#pragma once

#include "common/range.hpp"

#include <cstdint>
#include <vector>

namespace apps {

// `side` points in a row between two walls, where values are 0. The second difference
// v[i - 1] - 2 v[i] + v[i + 1] multiplies each sine with a whole number of half waves by a factor
// of its own: sines are its eigenmodes.

/// Minus that factor: 4 sin^2(pi half_waves / (2 (side + 1))).
double second_difference(std::uint32_t half_waves, std::uint32_t side);

/// sin(pi half_waves (i + 1) / (side + 1)) for the points i of `range`; the angles are reduced to
/// one turn without rounding.
std::vector<double> sines(std::uint32_t half_waves, Range range, std::uint32_t side);

} // namespace apps
