#pragma once

#include "model/timeline.hpp"

#include <vector>

namespace hypermile::model {

/// What ranks did between two moments, so that nothing is missing that a call waited for: the calls
/// that were left until `to`, as cut() has them, and of those in which ranks were then the ones of
/// which all participants have entered. `ranks`: one per rank of the job, on a common clock.
///
/// Ranks leave a collective operation one after the other. Where the first one has left, that one
/// alone would seem to have waited for nobody.
[[nodiscard]] std::vector<RankTimeline> common_part(const std::vector<const RankTimeline*>& ranks,
                                                    Seconds from, Seconds to);

} // namespace hypermile::model
