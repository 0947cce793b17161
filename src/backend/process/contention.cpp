#include "backend/process/contention.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace hypermile::backend::process {
namespace {

/// One of the two clocks may be this late; what is older does not count any more.
constexpr Seconds kept{50e-3};

/// "cpu3 user nice system idle iowait irq softirq steal ...", in ticks.
std::map<std::size_t, Seconds> busy_cpus(const std::string& proc) {
  static const auto ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  std::map<std::size_t, Seconds> busy;
  std::ifstream file(proc + "/stat");
  for (std::string line; std::getline(file, line) && line.starts_with("cpu");) {
    std::size_t cpu = 0;
    if (std::from_chars(line.data() + 3, line.data() + line.size(), cpu).ec != std::errc{})
      continue; // the sum of all
    std::istringstream words(line.substr(line.find(' ')));
    std::uint64_t ticks = 0;
    constexpr int idle = 3;
    constexpr int iowait = 4;
    constexpr int last = 7;
    for (int field = 0; field <= last; ++field)
      if (std::uint64_t value = 0; words >> value && field != idle && field != iowait)
        ticks += value;
    busy[cpu] = Seconds{static_cast<double>(ticks) / ticks_per_second};
  }
  return busy;
}

} // namespace

void Contention::update(const std::optional<control::CpuSet>& cpus, Seconds computed,
                        Seconds waited) {
  Reading now{.busy = busy_cpus(proc_), .computed = computed, .waited = waited};
  if (last_) {
    for (const auto& [cpu, busy] : now.busy)
      if (!cpus || std::ranges::find(*cpus, cpu) != cpus->end())
        ahead_ += busy - (last_->busy.contains(cpu) ? last_->busy[cpu] : busy);
    ahead_ += last_->computed - computed;
    used_ += std::max(ahead_ - others_, Seconds{});
    others_ = std::max(others_, ahead_);
    waited_ += waited - last_->waited;
    const Seconds both = std::min(used_, waited_);
    total_ += both;
    used_ = std::min(used_ - both, kept);
    waited_ = std::min(waited_ - both, kept);
  }
  last_ = std::move(now);
}

} // namespace hypermile::backend::process
