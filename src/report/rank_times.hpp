#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <vector>

namespace hypermile::report {

/// What a rank did from MPI_Init to MPI_Finalize; s.
struct RankTimes {
  double computation = 0;
  double communication = 0; ///< waiting included
};

/// As columns. More ranks than a chart can show become groups of as many neighbours each, the last
/// one smaller: `ranks`, `ranks_per_row`, and the means of each group in `computation_s` and
/// `communication_s`.
[[nodiscard]] nlohmann::ordered_json rank_times_json(const std::vector<RankTimes>& ranks);

/// So many ranks in one row where there are to be at most `rows`.
[[nodiscard]] std::size_t ranks_per_row(std::size_t ranks, std::size_t rows);

} // namespace hypermile::report
