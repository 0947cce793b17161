#pragma once

#include "select/score.hpp"

namespace hypermile::select {

/// Visits every gear vector and keeps the best that the bounds of `score` allow, or the one with
/// the least worst violation. Throws Error{model} above `brute_limit` vectors.
void brute_force(const model::Problem& problem, const Score& score, std::vector<model::Gear>& best);

} // namespace hypermile::select
