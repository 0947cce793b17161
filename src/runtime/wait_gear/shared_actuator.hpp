#pragma once

#include "control/ports.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace hypermile::runtime {

/// The actuator of a node whose gear two threads set: the rank's own, which sets the gear to
/// compute in, and the keeper of the wait gear. What the rank sets comes first, and is never lost:
/// it takes the node out of its wait gear, and is what the keeper goes back to.
class SharedActuator final : public control::Actuator {
public:
  explicit SharedActuator(std::unique_ptr<control::Actuator> node)
      : node_(std::move(node)), base_(node_->gear()) {}

  /// To compute in, also while the node is in its wait gear.
  [[nodiscard]] std::size_t gear() const override { return base_.load(); }
  void set_gear(std::size_t gear) override {
    const std::lock_guard lock(mutex_);
    if (!low_) {
      try_to(gear);
      return;
    }
    node_->set_gear(gear); // on failure the keeper goes back to the gear of before
    low_ = false;
    base_.store(node_->gear());
  }
  void expect_gear(std::size_t gear) override {
    const std::lock_guard lock(mutex_);
    node_->expect_gear(gear);
    base_.store(node_->gear());
  }
  [[nodiscard]] std::string verify() const override {
    const std::lock_guard lock(mutex_);
    return node_->verify();
  }

  // Of the keeper. Throw what the node's actuator does.

  void lower(std::size_t wait_gear) {
    const std::lock_guard lock(mutex_);
    low_ = true; // some of its parts may take it where the node does not
    node_->set_gear(wait_gear);
  }
  void raise() {
    const std::lock_guard lock(mutex_);
    if (!low_)
      return;
    node_->set_gear(base_.load());
    low_ = false;
  }

private:
  void try_to(std::size_t gear) {
    try {
      node_->set_gear(gear);
    } catch (...) {
      base_.store(node_->gear());
      throw;
    }
    base_.store(node_->gear());
  }

  mutable std::mutex mutex_;
  std::unique_ptr<control::Actuator> node_;
  std::atomic<std::size_t> base_;
  bool low_ = false;
};

} // namespace hypermile::runtime
