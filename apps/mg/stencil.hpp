#pragma once

#include "common/field.hpp"

#include <array>

namespace apps::mg {

/// A stencil of 27 points by distance: the point, its 6, 12 and 8 neighbours across faces, edges
/// and corners.
using Weights = std::array<double, 4>;

/// The operator A of the equation A u = v.
inline constexpr Weights poisson = {-8.0 / 3.0, 0.0, 1.0 / 6.0, 1.0 / 12.0};

// All of these read ghosts of their arguments, and leave those of their results alone if not
// stated otherwise.

/// result = v - A u
void residual(const Field& v, const Field& u, Field& result);

/// u += S r
void smooth(const Weights& smoother, const Field& r, Field& u);

/// Full weighting. A coarse point is where the fine one of twice its number plus one is, counted
/// from 0 in the whole level; `parity` is that of the first fine point that this rank has.
void restrict_to(Field& coarse, const Field& fine, std::array<std::uint32_t, axes> parity);

/// Adds the trilinear interpolation of `coarse` to `fine`, to its ghosts as well.
void interpolate(const Field& coarse, Field& fine, std::array<std::uint32_t, axes> parity);

} // namespace apps::mg
