#pragma once

#include "model/problem.hpp"
#include "select/selector.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <vector>

namespace hypermile::report {

/// Which of so many points of a front the page shows: all, or some hundreds, the first and the last
/// among them.
[[nodiscard]] std::vector<std::size_t> shown_of_front(std::size_t count);

/// The exact Pareto front of a problem, and where the methods of the papers are beside it, as the
/// page shows them:
///   `model`, `time_s`, `energy_j`   of the problem, and in gear 0
///   `points`                        of the front by ascending time, some hundreds at most:
///                                   `time_s`, `energy_j`; `count`: how many there are
///   `exact`                         false: the front is too large, and this is its convex hull
///   `methods`                       that are for such a problem: `method`, `time_s`, `energy_j`,
///                                   whether `keeps_bounds` of the request, whether it is `chosen`
///                                   (by the method of the request); `beyond_front_percent`: how
///                                   much more energy than the front takes in that time
[[nodiscard]] nlohmann::ordered_json front_details(const model::Problem& problem,
                                                   const select::Request& request);

} // namespace hypermile::report
