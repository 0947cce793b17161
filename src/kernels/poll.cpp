#include "kernels/poll.hpp"

namespace hypermile::kernels {

std::uint64_t Queues::poll(std::uint64_t rounds) const {
  std::uint64_t seen = 0;
  for (std::uint64_t round = 0; round < rounds; ++round)
    for (const Flag& flag : flags_)
      if (flag.raised != 0)
        ++seen;
  return seen;
}

} // namespace hypermile::kernels
