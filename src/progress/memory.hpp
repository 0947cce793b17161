#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// The memory through which a program says how much it has done: made by the library inside the
/// program, or by whoever started it, read by the latter. Both sides are of this machine, but maybe
/// of different versions of hypermile: a change of what is here is a new `version`.
namespace hypermile::progress {

/// /proc/PID/fd has it as "/memfd:hypermile-progress (deleted)".
constexpr const char* memory_name = "hypermile-progress";
/// The environment variable that names the memory of whoever started the program, if it has one:
/// "/proc/PID/fd/N".
constexpr const char* memory_variable = "HYPERMILE_PROGRESS_MEMORY";

constexpr std::uint64_t magic = 0x7372676f72706d68; // "hmprogrs"
constexpr std::uint32_t version = 1;
constexpr std::size_t cache_line = 64;
constexpr std::size_t slots = 64;

/// Not changed after it has been made.
struct alignas(cache_line) Header {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t size; ///< of the whole memory, in bytes
};

/// Changed seldom.
struct alignas(cache_line) Talk {
  std::uint32_t wanted_threads; ///< by who steers the program; 0: has not said
  std::uint32_t resizable;      ///< 1: the program can change its number of threads
  std::uint32_t openmp;         ///< 1: an OpenMP runtime has loaded our tool
};

/// Counts of some of the threads. They only grow, modulo 2^64.
struct alignas(cache_line) Slot {
  std::uint64_t items;
  std::uint64_t arrivals;
  std::uint64_t openmp_items; ///< parallel regions, loops and tasks that have ended
};

/// Everything zero but for the header. Each number is accessed atomically, by either side.
struct Memory {
  Header header;
  Talk talk;
  std::array<Slot, slots> slot;
};
static_assert(sizeof(Memory) == cache_line * (2 + slots));

} // namespace hypermile::progress
