#include "runtime/decide/helper_thread.hpp"

#include "runtime/decide/background_thread.hpp"
#include "units/error.hpp"

#include <new>
#include <string>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace hypermile::runtime {
namespace {

/// Of this thread only; where the system refuses it, nothing is lost but some of the program's
/// time.
void step_back() {
  constexpr int least = 19;
  (void)setpriority(PRIO_PROCESS, 0, least);
  may_run_anywhere();
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
