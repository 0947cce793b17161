#pragma once

#include "ring/bodies.hpp"

#include <span>

namespace apps::ring {

/// Adds to the accelerations of the bodies at `position` what all of `others` do to them.
void attract(const Vectors& position, std::span<const Attractor> others, Vectors& acceleration);

/// What no acceleration exceeds: that by all mass at the worst distance, 2 M / (3 sqrt(3) s^2).
/// No mass is larger than 1.5 of the mean, and so not their sum.
double largest_acceleration();

/// How far an acceleration may be off by the rounding of its sum alone, the order of the
/// summands being any: one rounding of the sum for each body, and a dozen in each summand.
double rounding_bound(const Problem& problem);

} // namespace apps::ring
