#include "control/affinity.hpp"

#include <cerrno>

#include <sched.h>

namespace hypermile::control {
namespace {

/// A CPU set of the kernel for all numbers up to `last`.
class KernelSet {
public:
  explicit KernelSet(std::size_t cpus) : set_(CPU_ALLOC(cpus)), size_(CPU_ALLOC_SIZE(cpus)) {
    CPU_ZERO_S(size_, set_);
  }
  ~KernelSet() { CPU_FREE(set_); }
  KernelSet(const KernelSet&) = delete;
  KernelSet& operator=(const KernelSet&) = delete;

  [[nodiscard]] cpu_set_t* get() const { return set_; }
  [[nodiscard]] std::size_t size() const { return size_; }

private:
  cpu_set_t* set_;
  std::size_t size_;
};

} // namespace

std::optional<CpuSet> affinity(pid_t thread) {
  // The kernel refuses a set that is smaller than its own, and tells how large that is by nothing
  // else.
  constexpr std::size_t most = std::size_t{1} << 20;
  for (std::size_t cpus = 1024; cpus <= most; cpus *= 2) {
    const KernelSet set(cpus);
    if (::sched_getaffinity(thread, set.size(), set.get()) == 0) {
      CpuSet numbers;
      for (std::size_t cpu = 0; cpu < cpus; ++cpu)
        if (CPU_ISSET_S(cpu, set.size(), set.get()))
          numbers.push_back(cpu);
      return numbers;
    }
    if (errno != EINVAL)
      break;
  }
  return std::nullopt;
}

int set_affinity(pid_t thread, const CpuSet& cpus) {
  const KernelSet set(cpus.empty() ? 1 : cpus.back() + 1);
  for (const std::size_t cpu : cpus)
    CPU_SET_S(cpu, set.size(), set.get());
  return ::sched_setaffinity(thread, set.size(), set.get()) == 0 ? 0 : errno;
}

} // namespace hypermile::control
