#pragma once

#include "control/ports.hpp"
#include "support/allocations.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace hypermile::test {

/// The messages between ranks that live in one test. While it is held, none arrives.
class Network {
public:
  using Message = control::Exchange::Message;

  explicit Network(std::size_t ranks) : inboxes_(ranks) {}

  void hold() {
    const std::lock_guard lock(mutex_);
    held_ = true;
  }
  void release() {
    const std::lock_guard lock(mutex_);
    held_ = false;
    for (auto& [to, message] : under_way_)
      inboxes_[to].push_back(std::move(message));
    under_way_.clear();
    arrival_.notify_all();
  }
  /// From now on ranks may wait for messages, each on a thread of its own.
  void let_wait() {
    const std::lock_guard lock(mutex_);
    may_wait_ = true;
  }
  [[nodiscard]] std::size_t sent() {
    const std::lock_guard lock(mutex_);
    return sent_;
  }

  /// From now on this is done whenever a rank looks for a message and there is none.
  void when_nothing_came(std::function<void(std::size_t rank)> act) {
    nothing_came_ = std::move(act);
  }

  /// From now on messages are changed so on their way. Called for one at a time, and not for those
  /// without bytes.
  void tamper(std::function<void(Message&)> change) { change_ = std::move(change); }

  void send(std::size_t to, Message message) {
    const Exposed to_nothing(nullptr);
    const std::lock_guard lock(mutex_);
    ++sent_;
    if (change_ && !message.bytes.empty())
      change_(message);
    if (held_)
      under_way_.emplace_back(to, std::move(message));
    else
      inboxes_[to].push_back(std::move(message));
    arrival_.notify_all();
  }
  std::optional<Message> poll(std::size_t rank) {
    const Exposed to_nothing(nullptr);
    const std::lock_guard lock(mutex_);
    if (inboxes_[rank].empty()) {
      if (nothing_came_)
        nothing_came_(rank);
      return std::nullopt;
    }
    Message message = std::move(inboxes_[rank].front());
    inboxes_[rank].pop_front();
    return message;
  }
  Message wait(std::size_t rank) {
    const Exposed to_nothing(nullptr);
    std::unique_lock lock(mutex_);
    if (!may_wait_)
      throw std::logic_error("a message was waited for while the program runs");
    auto& inbox = inboxes_[rank];
    if (!arrival_.wait_for(lock, std::chrono::seconds(20), [&] { return !inbox.empty(); }))
      throw std::logic_error("deadlock: the message that is waited for does not come");
    Message message = std::move(inbox.front());
    inbox.pop_front();
    return message;
  }

private:
  std::mutex mutex_;
  std::condition_variable arrival_;
  std::vector<std::deque<Message>> inboxes_;
  std::vector<std::pair<std::size_t, Message>> under_way_;
  std::function<void(Message&)> change_;
  std::function<void(std::size_t)> nothing_came_;
  bool held_ = false;
  bool may_wait_ = false;
  std::size_t sent_ = 0;
};

/// One rank's end of it.
class MemoryExchange final : public control::Exchange {
public:
  MemoryExchange(Network& network, int rank) : network_(network), rank_(rank) {}
  void send(int to, Bytes bytes) override {
    network_.send(static_cast<std::size_t>(to), {rank_, std::move(bytes)});
  }
  void send_empty(int to) override { send(to, {}); }
  std::optional<Message> poll() override { return network_.poll(static_cast<std::size_t>(rank_)); }
  Message wait() override { return network_.wait(static_cast<std::size_t>(rank_)); }

private:
  Network& network_;
  int rank_;
};

} // namespace hypermile::test
