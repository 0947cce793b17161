#include "runtime/pmpi/real/run_queue.hpp"

#include "backend/topology/topology.hpp"
#include "runtime/pmpi/real/real_node.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace hypermile::runtime::pmpi {
namespace {

Seconds time_on(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return Seconds{static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec)};
}

/// CPU time of this process's other threads.
Seconds of_other_threads() {
  return time_on(CLOCK_PROCESS_CPUTIME_ID) - time_on(CLOCK_THREAD_CPUTIME_ID);
}

/// How long the thread that makes it has waited for a core that this process did not use itself.
class RunQueue {
public:
  RunQueue() : file_(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {
    const auto now = read();
    known_ = now && now->computed > Seconds{}; // all is 0 where the kernel does not count
    if (known_)
      waited_ = now->waited;
    own_ = of_other_threads();
  }
  ~RunQueue() {
    if (file_ >= 0)
      ::close(file_);
  }
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  [[nodiscard]] bool is_known() const { return known_; }

  Seconds behind_others() {
    const auto now = read();
    if (!now || now->waited <= waited_)
      return behind_others_;
    const Seconds waited = now->waited - std::exchange(waited_, now->waited);
    // Where it has other threads that compute, the thread may have waited for these.
    const Seconds own = of_other_threads();
    const Seconds by_own = std::max(own - std::exchange(own_, std::max(own, own_)), Seconds{});
    behind_others_ += std::max(waited - by_own, Seconds{});
    return behind_others_;
  }

private:
  struct Reading {
    Seconds computed;
    Seconds waited;
  };
  /// "computed waited slices", in ns. None where the program has closed the file.
  [[nodiscard]] std::optional<Reading> read() const {
    std::array<char, 80> text{};
    const ssize_t length = ::pread(file_, text.data(), text.size(), 0);
    if (length <= 0)
      return std::nullopt;
    const char* const end = text.data() + length;
    std::array<std::uint64_t, 2> ns{};
    const char* next = text.data();
    for (std::uint64_t& number : ns) {
      const auto [rest, error] = std::from_chars(next, end, number);
      if (error != std::errc{} || rest == end || *rest != ' ')
        return std::nullopt;
      next = rest + 1;
    }
    return Reading{Seconds{1e-9 * static_cast<double>(ns[0])},
                   Seconds{1e-9 * static_cast<double>(ns[1])}};
  }

  int file_;
  bool known_ = false;
  Seconds waited_;        ///< in all
  Seconds own_;           ///< of_other_threads()
  Seconds behind_others_; ///< of what it waited, since the beginning
};

/// Whether ranks of the job have to share CPUs with this one: those that may run on its CPUs are
/// more than the CPUs of all of these. Collective.
bool shares_its_cpus(const JobCommunicators& job) {
  const auto& leaders = job.leaders();
  const auto own = static_cast<std::size_t>(job.rank());
  const auto before =
      std::ranges::count(leaders.begin(), leaders.begin() + job.rank(), leaders[own]);
  const auto place = static_cast<std::size_t>(before);
  const auto ranks = static_cast<std::size_t>(std::ranges::count(leaders, leaders[own]));
  const std::vector<int> cpus = cpus_of_ranks(job);
  const auto width = static_cast<std::size_t>(cpus.back()) + 1;
  std::vector<int> pairs; // of a rank and a CPU
  for (const std::size_t cpu : backend::topology::allowed_cpus())
    pairs.push_back(static_cast<int>(place * width + cpu));
  std::vector<std::vector<bool>> allowed(ranks, std::vector<bool>(width));
  for (const int pair : job.united(pairs))
    allowed[static_cast<std::size_t>(pair) / width][static_cast<std::size_t>(pair) % width] = true;
  std::vector<bool> of_all(width);
  std::size_t sharing = 0;
  for (const auto& rank : allowed) {
    bool overlaps = false;
    for (std::size_t cpu = 0; cpu < width; ++cpu)
      overlaps = overlaps || (rank[cpu] && allowed[place][cpu]);
    sharing += overlaps ? 1 : 0;
    for (std::size_t cpu = 0; overlaps && cpu < width; ++cpu)
      of_all[cpu] = of_all[cpu] || rank[cpu];
  }
  return sharing > static_cast<std::size_t>(std::ranges::count(of_all, true));
}

} // namespace

std::function<Seconds()> waiting_for_others(const JobCommunicators& job) {
  const bool shares = shares_its_cpus(job);
  auto queue = std::make_shared<RunQueue>();
  if (shares || !queue->is_known())
    return {};
  return [queue] { return queue->behind_others(); };
}

} // namespace hypermile::runtime::pmpi
