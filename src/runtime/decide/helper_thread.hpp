#pragma once

#include "control/ports.hpp"

#include <atomic>
#include <functional>
#include <thread>

namespace hypermile::runtime {

/// A thread per task. It handles none of the program's signals, yields to every other thread, and
/// may run on any CPU that the process may use, not only on the one that MPI has given the rank:
/// what it takes of that one the program waits for.
class HelperThread final : public control::Background {
public:
  HelperThread() = default;
  /// Waits for the task under way.
  ~HelperThread() override { wait(); }
  HelperThread(const HelperThread&) = delete;
  HelperThread& operator=(const HelperThread&) = delete;

  /// Throws Error{hardware} where the system gives no thread. The task must not throw.
  void start(std::function<void()> task) override;
  [[nodiscard]] bool done() const override { return done_.load(std::memory_order_acquire); }
  /// In a forked child, where there is no such thread, returns at once.
  void wait() override;

private:
  std::thread thread_;
  std::atomic<bool> done_ = true;
  int process_ = 0; ///< that started it
};

} // namespace hypermile::runtime
