#pragma once

#include <cstddef>
#include <vector>

#include <sched.h>

namespace hypermile::test {

/// A frequency domain for each CPU that this process may run on, as a job of it may.
inline std::vector<std::vector<int>> own_domains() {
  cpu_set_t set;
  ::sched_getaffinity(0, sizeof set, &set);
  std::vector<std::vector<int>> domains;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set))
      domains.push_back({cpu});
  return domains;
}

} // namespace hypermile::test
