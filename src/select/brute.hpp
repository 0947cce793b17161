#pragma once

#include "select/score.hpp"

namespace hypermile::select {

/// Visits every gear vector and keeps the best that `score` and the peak-power cap allow, or
/// the one with the least worst violation. Throws Error{model} above `brute_limit` vectors.
void brute_force(const model::Problem& problem, const Score& score,
                 std::optional<Watts> peak_power_cap, std::vector<model::Gear>& best);

} // namespace hypermile::select
