#pragma once

#include "select/plan.hpp"

namespace hypermile::select {

// The methods of [F16] chapter 2, for homogeneous problems. Each fills gears, prediction and
// tasks of the plan.

/// [F16] Algorithm 3: the gear with the largest distance, from gear 1 down; gear 0 if none is
/// positive. The prediction is that of the problem's energy model for this one gear.
void epsa(const model::Problem& problem, Plan& plan);

/// Rauber and Ruenger: S_opt of [F16] Eq. 2.3 within the gears' range. The prediction is that of
/// Eq. 2.4 and 1.19 for the continuous factor, whatever the problem's energy model; the gears
/// are the slowest that are fast enough. `slowest_at_full_speed`: R_{E-P}.
void rauber_ruenger(const model::Problem& problem, bool slowest_at_full_speed, Plan& plan);

} // namespace hypermile::select
