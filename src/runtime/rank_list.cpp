#include "runtime/rank_list.hpp"

#include <fmt/format.h>

namespace hypermile::runtime {

std::string rank_list(const std::vector<int>& ranks) {
  std::string text;
  for (std::size_t first = 0; first < ranks.size();) {
    std::size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
      ++last;
    if (last == first + 1) // "5, 6" is as short as "5-6"
      last = first;
    text += text.empty() ? "" : ", ";
    text += first == last ? fmt::format("{}", ranks[first])
                          : fmt::format("{}-{}", ranks[first], ranks[last]);
    first = last + 1;
  }
  return (ranks.size() == 1 ? "rank " : "ranks ") + text;
}

} // namespace hypermile::runtime
