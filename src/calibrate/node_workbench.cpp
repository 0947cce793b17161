#include "calibrate/node_workbench.hpp"

#include "kernels/ep.hpp"
#include "kernels/poll.hpp"

#include <cerrno>
#include <cmath>
#include <ctime>
#include <utility>

namespace hypermile::calibrate {
namespace {

using Clock = std::chrono::steady_clock;

Seconds wall_clock() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return Seconds{std::chrono::duration<double>(since_1970).count()};
}

timespec to_timespec(Seconds time) {
  const double whole = std::floor(time.value());
  return {static_cast<time_t>(whole), static_cast<long>((time.value() - whole) * 1e9)};
}

} // namespace

NodeWorkbench::NodeWorkbench(backend::topology::CpuSet cpus)
    : cpus_(std::move(cpus)), origin_(wall_clock()), steady_origin_(Clock::now()) {
  ::sigemptyset(&ends_us_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN)
      ::sigaddset(&ends_us_, signal);
  }
  // The threads have this mask, too: signals come out of wait() and nowhere else.
  ::pthread_sigmask(SIG_BLOCK, &ends_us_, &mask_before_);
}

NodeWorkbench::~NodeWorkbench() {
  stop();
  ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void NodeWorkbench::stop() {
  stops_ = true;
  for (std::thread& thread : threads_)
    thread.join();
  threads_.clear();
  stops_ = false;
}

void NodeWorkbench::work(std::size_t cpu, Load load) {
  try {
    backend::topology::bind_thread({cpu});
  } catch (const std::exception&) { // it went offline: the thread runs where it may
  }
  const kernels::Queues queues;
  for (std::uint64_t batch = cpu; !stops_; ++batch)
    if (load == Load::computing) {
      (void)kernels::ep_batch(batch);
      ++batches_;
    } else {
      (void)queues.poll(1000);
    }
}

void NodeWorkbench::put(Load load) {
  stop();
  if (load != Load::idle)
    for (const std::size_t cpu : cpus_)
      threads_.emplace_back([this, cpu, load] { work(cpu, load); });
}

double NodeWorkbench::pairs() const {
  return std::ldexp(static_cast<double>(batches_.load()), kernels::ep_log2_batch_pairs);
}

Seconds NodeWorkbench::now() const {
  return origin_ + Seconds{std::chrono::duration<double>(Clock::now() - steady_origin_).count()};
}

void NodeWorkbench::wait(Seconds time) {
  const Seconds end = now() + time;
  for (Seconds left = time; left > Seconds{}; left = end - now()) {
    const timespec patience = to_timespec(left);
    const int signal = ::sigtimedwait(&ends_us_, nullptr, &patience);
    if (signal > 0)
      throw Interrupted{signal};
    if (errno != EINTR && errno != EAGAIN)
      break;
  }
}

} // namespace hypermile::calibrate
