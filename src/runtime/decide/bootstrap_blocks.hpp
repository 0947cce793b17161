#pragma once

#include "runtime/exchange/messages.hpp"

#include <cstdint>
#include <vector>

namespace hypermile::runtime {

/// By rank, the first event of each iteration that its timeline has, but for a few calls at most,
/// and of what follows the last. None where a rank has not even one. `timeline`: what the
/// measurements' timelines have in common.
[[nodiscard]] std::vector<std::vector<std::uint32_t>>
iterations_in(const std::vector<Measurement>& measurements, const model::Timeline& timeline);

/// By rank, the first event of each of several blocks of its timeline that are alike, and of
/// what follows the last: its iterations; or, where a rank has too few of them, parts of the time
/// of all. None where not even these tell how much a rank varies. `timeline`: what the
/// measurements' timelines have in common.
[[nodiscard]] std::vector<std::vector<std::uint32_t>>
bootstrap_blocks_of(const std::vector<Measurement>& measurements, const model::Timeline& timeline);

} // namespace hypermile::runtime
