#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

namespace apps::server {

using Clock = std::chrono::steady_clock;

struct Item {
  std::uint64_t number;
  Clock::time_point arrived;
};

/// Items that wait, first come, first served.
class Queue {
public:
  explicit Queue(std::size_t most) : most_(most) {}

  /// False: it is full.
  bool push(Item item);
  /// Waits for one. None: the queue is closed.
  std::optional<Item> pop();
  /// Those that wait stay where they are.
  void close();
  [[nodiscard]] std::size_t size() const;

private:
  std::size_t most_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  bool closed_ = false;
};

} // namespace apps::server
