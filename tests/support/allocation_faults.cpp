// In tests_faults.so: lets an allocation of hypermile's MPI library fail in a rank of a job. In the
// environment, HYPERMILE_TEST_ALLOCATION=RANK:N lets so many work before; RANK:N:on lets all that
// follow fail, too. What the program and MPI allocate is left alone: an allocation is hypermile's
// where one of the functions under way is in libhypermile-openmpi.so or libhypermile-mpich.so.

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include <dlfcn.h>
#include <execinfo.h>

namespace {

/// Allocations that still work; negative: there is no fault in this process.
std::atomic<long> left = -1;
bool lasts = false;
std::atomic<bool> happened = false;
thread_local bool looking = false;

bool is_hypermiles() {
  std::array<void*, 64> frames{};
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = 0; i < count; ++i) {
    Dl_info library{};
    if (::dladdr(frames[static_cast<std::size_t>(i)], &library) != 0 &&
        (std::strstr(library.dli_fname, "libhypermile-openmpi") != nullptr ||
         std::strstr(library.dli_fname, "libhypermile-mpich") != nullptr))
      return true;
  }
  return false;
}

bool fails() {
  if (left < 0 || looking)
    return false;
  looking = true;
  const bool own = is_hypermiles();
  looking = false;
  if (!own || (happened && !lasts))
    return false;
  if (left > 0) {
    --left;
    return false;
  }
  happened = true;
  return true;
}

__attribute__((constructor)) void take_fault_of_environment() {
  const char* const fault = std::getenv("HYPERMILE_TEST_ALLOCATION");
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (rank == nullptr)
    rank = std::getenv("PMI_RANK");
  if (fault == nullptr || rank == nullptr || std::atoi(rank) != std::atoi(fault))
    return;
  const char* const count = std::strchr(fault, ':');
  if (count == nullptr)
    return;
  lasts = std::strchr(count + 1, ':') != nullptr;
  left = std::atol(count + 1);
}

} // namespace

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return fails() ? nullptr : std::malloc(size);
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
