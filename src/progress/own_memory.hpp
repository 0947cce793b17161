#pragma once

#include "progress/memory.hpp"

#include <atomic>
#include <cstdint>

/// The side of the program: no exceptions, no memory from a heap, no libstdc++, so that it can be
/// loaded into any program.
namespace hypermile::progress {

/// The memory in which this process reports: that of whoever started it, or else, from the first
/// call on, one of its own. A process that cannot have one reports into the void. Keeps errno.
Memory& memory();

/// That of the calling thread: others may have it, too.
Slot& slot_of_thread(Memory& memory);

inline void add(std::uint64_t& count, std::uint64_t n) {
  std::atomic_ref(count).fetch_add(n, std::memory_order_relaxed);
}

} // namespace hypermile::progress
