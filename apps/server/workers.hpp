#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace apps::server {

/// Threads that do the same over and over; how many of them can be changed at any time.
class Workers {
public:
  /// `work`: does one item; false: there are no more.
  explicit Workers(std::function<bool()> work) : work_(std::move(work)) {}
  /// Returns when each has come to the end of its item.
  ~Workers() { stop(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// This many work from now on; others rest when their item is done. May be called from within
  /// `work`. Fewer if the system has no more threads.
  void resize(std::size_t threads);
  [[nodiscard]] std::size_t working() const;
  /// `work` has to come to an end by itself.
  void stop();

private:
  void run(std::size_t number);
  bool may_work(std::size_t number);

  std::function<bool()> work_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::thread> threads_;
  std::size_t working_ = 0;
  bool stopping_ = false;
};

} // namespace apps::server
