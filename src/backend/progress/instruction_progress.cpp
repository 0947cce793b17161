#include "backend/progress/instruction_progress.hpp"

#include "control/small_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hypermile::backend::progress {
namespace {

class Kernel final : public PerfEvents {
public:
  int count_instructions(pid_t thread) override {
    perf_event_attr what{};
    what.size = sizeof what;
    what.type = PERF_TYPE_HARDWARE;
    what.config = PERF_COUNT_HW_INSTRUCTIONS;
    what.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    what.inherit = 1;
    what.exclude_kernel = 1; // which not everybody may look at
    what.exclude_hv = 1;
    constexpr int any_cpu = -1;
    constexpr int no_group = -1;
    const long descriptor =
        ::syscall(SYS_perf_event_open, &what, thread, any_cpu, no_group, PERF_FLAG_FD_CLOEXEC);
    return descriptor >= 0 ? static_cast<int>(descriptor) : -errno;
  }
};

std::string refusal(int error) {
  const auto say = [=](const std::string& advice) {
    const std::string what = "cannot count the instructions of the program";
    return std::string(control::FileError(what, error, advice).what());
  };
  switch (error) {
  case EACCES:
  case EPERM:
    return say("as root: sysctl kernel.perf_event_paranoid=2, and as the program's user");
  case ENOENT:
  case ENODEV:
  case EOPNOTSUPP:
  case ENOSYS:
    return say("this machine, often a virtual one, has no such counter: report progress by "
               "hm_progress() or on the output (--progress-regex)");
  case EMFILE:
    return say("more open files (ulimit -n): one for each thread");
  default:
    return say("report progress by hm_progress() or on the output (--progress-regex)");
  }
}

/// What one counter has counted, made up for the time in which others had its place.
std::optional<double> value_of(int descriptor) {
  struct {
    std::uint64_t value, enabled, running;
  } counter{};
  if (::read(descriptor, &counter, sizeof counter) != sizeof counter)
    return std::nullopt;
  if (counter.running == 0)
    return 0;
  return static_cast<double>(counter.value) *
         (static_cast<double>(counter.enabled) / static_cast<double>(counter.running));
}

} // namespace

InstructionProgress::InstructionProgress(const std::vector<pid_t>& threads) {
  Kernel kernel;
  open(threads, kernel);
}

InstructionProgress::InstructionProgress(const std::vector<pid_t>& threads, PerfEvents& events) {
  open(threads, events);
}

/// A thread may end before its turn comes. Where one cannot be counted for another reason the sum
/// would say little.
void InstructionProgress::open(const std::vector<pid_t>& threads, PerfEvents& events) {
  for (const pid_t thread : threads) {
    const int descriptor = events.count_instructions(thread);
    if (descriptor >= 0) {
      counters_.emplace_back(descriptor);
    } else if (descriptor != -ESRCH) {
      obstacle_ = refusal(-descriptor);
      counters_.clear();
      return;
    }
  }
  if (counters_.empty())
    obstacle_ = "cannot count the instructions of the program: it has ended";
}

std::optional<control::Done> InstructionProgress::done() {
  if (!obstacle_.empty())
    return std::nullopt;
  double sum = 0;
  for (const control::Descriptor& counter : counters_) {
    const auto value = value_of(counter.number());
    if (!value) {
      obstacle_ = "the instructions of the program cannot be counted any more; try: report "
                  "progress by hm_progress() or on the output (--progress-regex)";
      return std::nullopt;
    }
    sum += *value;
  }
  most_ = std::max(most_, sum); // what is made up for lost time may fall
  return control::Done{.items = most_, .arrivals = std::nullopt};
}

} // namespace hypermile::backend::progress
