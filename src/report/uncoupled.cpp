#include "report/uncoupled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hypermile::report {

std::string iterations_text(const runtime::RunReport& run) {
  std::vector<std::size_t> iterations;
  for (const runtime::RankReport& rank : run.ranks)
    iterations.push_back(rank.loop.iterations);
  if (iterations.empty() || std::ranges::find(iterations, std::size_t{0}) != iterations.end())
    return "";
  const auto [least, most] = std::ranges::minmax(iterations);
  return least == most ? fmt::format("{} iterations", most)
                       : fmt::format("{} to {} iterations", least, most);
}

} // namespace hypermile::report
