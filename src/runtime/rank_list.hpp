#pragma once

#include <string>
#include <vector>

namespace hypermile::runtime {

/// "rank 3", or "ranks 0-2, 5, 6" for several, given in ascending order.
std::string rank_list(const std::vector<int>& ranks);

} // namespace hypermile::runtime
