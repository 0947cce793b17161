#include "govern/waiting_ranks.hpp"

#include <algorithm>

namespace hypermile::govern {

std::optional<Seconds> WaitingRanks::since() const {
  Seconds last = entered_.front().value_or(Seconds{});
  for (const auto& entered : entered_) {
    if (!entered)
      return std::nullopt;
    last = std::max(last, *entered);
  }
  return last;
}

} // namespace hypermile::govern
