#pragma once

#include "server/latencies.hpp"
#include "server/options.hpp"
#include "server/queue.hpp"
#include "server/work.hpp"
#include "server/workers.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace apps::server {

/// The server itself. There is at most one at a time: hypermile's callback knows no other.
class Service {
public:
  /// Items have this many points, times the phase. Begins at once.
  Service(const Options& options, double points);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// Takes no more items; returns when those that have been begun are done.
  void stop();
  /// One line of how far it is.
  [[nodiscard]] std::string progress() const;
  /// What has been done, when it has stopped.
  [[nodiscard]] std::string report() const;
  [[nodiscard]] bool verified() const { return sample_.verified(); }

private:
  void let_items_arrive();
  void arrive(Clock::time_point when);
  bool wait_until(Clock::time_point when);
  std::optional<Item> next_item();
  bool work();
  [[nodiscard]] double seconds_at(Clock::time_point when) const;

  Options options_;
  double points_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point end_;
  std::atomic<std::uint64_t> arrived_{0};
  std::atomic<std::uint64_t> dropped_{0};
  mutable std::mutex mutex_; ///< of what follows
  std::condition_variable stop_wanted_;
  bool stopping_ = false;
  Latencies latencies_;
  Sample sample_;
  Queue queue_;
  Workers workers_;
  std::thread source_;
};

} // namespace apps::server
