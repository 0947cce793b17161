#include "simulate/reference_speed.hpp"

#include "simulate/process.hpp"

#include "kernels/ep.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace hypermile::simulate {
namespace {

Seconds cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return Seconds{static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec)};
}

/// About 20 ms of work on a core of today.
constexpr std::uint64_t batches = 32;
constexpr int repetitions = 7;

Seconds draw_pairs() {
  const Seconds begin = cpu_time();
  volatile double sum = 0; // what is not used need not be computed
  for (std::uint64_t batch = 0; batch < batches; ++batch)
    sum = sum + kernels::ep_batch(batch).sum_x;
  return cpu_time() - begin;
}

} // namespace

Speed measure_reference_speed(const Placement& placement) {
  if (!placement.ep_pair_work)
    throw Error(ErrorKind::config,
                fmt::format("platform '{}' does not say how fast this machine is in its unit",
                            placement.platform_name),
                "--reference-speed 300Gf, the speed of a core of this machine in that unit");
  Seconds best = draw_pairs();
  for (int i = 1; i < repetitions; ++i) {
    Interruption::check();
    best = std::min(best, draw_pairs());
  }
  const auto pairs = static_cast<double>(batches << kernels::ep_log2_batch_pairs);
  return Speed{placement.ep_pair_work->value() * pairs / best.value()};
}

} // namespace hypermile::simulate
