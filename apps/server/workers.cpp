#include "server/workers.hpp"

#include <algorithm>
#include <system_error>

namespace apps::server {

void Workers::resize(std::size_t threads) {
  const std::lock_guard lock(mutex_);
  if (stopping_)
    return;
  working_ = threads;
  try {
    while (threads_.size() < threads)
      threads_.emplace_back([this, number = threads_.size()] { run(number); });
  } catch (const std::system_error&) {
    working_ = threads_.size();
  }
  changed_.notify_all();
}

std::size_t Workers::working() const {
  const std::lock_guard lock(mutex_);
  return working_;
}

/// Waits until it may. False: the end has come.
bool Workers::may_work(std::size_t number) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopping_ || number < working_; });
  return !stopping_;
}

void Workers::run(std::size_t number) {
  while (may_work(number) && work_()) {
  }
}

void Workers::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_)
    if (thread.joinable())
      thread.join();
}

} // namespace apps::server
