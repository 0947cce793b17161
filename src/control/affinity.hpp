#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <sys/types.h>

namespace hypermile::control {

/// Numbers of CPUs (hardware threads) as the kernel counts them, ascending, each once.
using CpuSet = std::vector<std::size_t>;

/// The CPUs that a thread (0: the calling one) may run on at this moment. None: errno says why.
std::optional<CpuSet> affinity(pid_t thread);

/// Binds a thread (0: the calling one) to these CPUs, as far as they are online. 0, else the errno.
int set_affinity(pid_t thread, const CpuSet& cpus);

} // namespace hypermile::control
