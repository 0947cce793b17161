#include "report/rank_times.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace hypermile::report {

std::size_t ranks_per_row(std::size_t ranks, std::size_t rows) {
  return std::max<std::size_t>(1, (ranks + rows - 1) / rows);
}

nlohmann::ordered_json rank_times_json(const std::vector<RankTimes>& ranks) {
  constexpr std::size_t most_rows = 2048;
  const std::size_t group = ranks_per_row(ranks.size(), most_rows);
  auto computation = nlohmann::ordered_json::array();
  auto communication = nlohmann::ordered_json::array();
  for (std::size_t first = 0; first < ranks.size(); first += group) {
    const std::size_t end = std::min(first + group, ranks.size());
    RankTimes sum;
    for (std::size_t rank = first; rank < end; ++rank) {
      sum.computation += ranks[rank].computation;
      sum.communication += ranks[rank].communication;
    }
    const auto members = static_cast<double>(end - first);
    computation.push_back(sum.computation / members);
    communication.push_back(sum.communication / members);
  }
  return {{"ranks", ranks.size()},
          {"ranks_per_row", group},
          {"computation_s", computation},
          {"communication_s", communication}};
}

} // namespace hypermile::report
