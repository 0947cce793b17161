#pragma once

#include "estimate/gear_power.hpp"
#include "model/platform.hpp"
#include "runtime/exchange/run_report.hpp"

#include <cstddef>
#include <vector>

namespace hypermile::runtime {

/// A regression over more gears takes too long.
inline constexpr std::size_t most_power_gears = 256;
/// What a meter that was read for less says is not known.
inline constexpr Seconds least_metered{2};

/// Of all gears together.
[[nodiscard]] Seconds metered_time(const estimate::NodeSums& sums);

/// What is believed of the power of nodes of this type before their meters tell.
[[nodiscard]] estimate::PowerPrior power_prior_of(const RankNode& node);

/// What nodes of a type draw, and whether it is known for sure enough that gears may be chosen by
/// it (`why_not`). `example`: one of them. `nodes`: what their meters said. `earlier`: likewise, in
/// earlier runs; empty: there were none. Nobody is taken to have used it.
[[nodiscard]] LearntPower learn_power(const RankNode& example,
                                      const std::vector<estimate::NodeSums>& nodes,
                                      const estimate::NodeSums& earlier);

} // namespace hypermile::runtime
