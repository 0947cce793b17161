#include "runtime/decide/helper_thread.hpp"

#include "units/error.hpp"

#include <csignal>
#include <new>
#include <sched.h>
#include <string>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace hypermile::runtime {
namespace {

/// A new thread has the signals blocked that its creator has.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
  sigset_t before_{};
};

/// Of this thread only; where the system refuses it, nothing is lost but some of the program's
/// time.
void step_back() {
  constexpr int least = 19;
  (void)setpriority(PRIO_PROCESS, 0, least);
  cpu_set_t any;
  CPU_ZERO(&any);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    CPU_SET(cpu, &any);
  (void)sched_setaffinity(0, sizeof any, &any); // the process's cpuset still holds
}

} // namespace

void HelperThread::start(std::function<void()> task) {
  wait();
  process_ = getpid();
  const SignalsBlocked blocked;
  try {
    done_.store(false, std::memory_order_relaxed);
    thread_ = std::thread([this, task = std::move(task)] {
      step_back();
      task();
      done_.store(true, std::memory_order_release);
    });
  } catch (const std::bad_alloc&) {
    done_.store(true, std::memory_order_relaxed);
    throw;
  } catch (const std::system_error& error) {
    done_.store(true, std::memory_order_relaxed);
    throw Error(ErrorKind::hardware, std::string("no thread can be started: ") + error.what());
  }
}

void HelperThread::wait() {
  if (!thread_.joinable())
    return;
  if (process_ == getpid())
    thread_.join();
  else
    thread_.detach();
}

} // namespace hypermile::runtime
