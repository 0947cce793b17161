#pragma once

#include "model/timeline.hpp"

#include <vector>

namespace hypermile::model {

/// What ranks did between two moments, so that nothing is missing that a call waited for: the calls
/// that were over by `to`, as cut() has them, and later ones, entered until `latest`, as long as
/// all that they waited for is there. `ranks`: one per rank of the job, on a common clock.
///
/// Ranks leave a collective operation one after the other. Where the first one has left, that one
/// alone would seem to have waited for nobody. And a rank that is late at the end would seem to
/// delay nobody, where the others wait for it after that.
[[nodiscard]] std::vector<RankTimeline> common_part(const std::vector<const RankTimeline*>& ranks,
                                                    Seconds from, Seconds to, Seconds latest);

} // namespace hypermile::model
