#pragma once

#include "control/ports.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace hypermile::control {

/// A node that must not have its fastest gears: what is gear 0 here is another one there.
class LimitedGears final : public Actuator {
public:
  /// `fastest`: the gear of `node`, which is in it already, that is gear 0 from now on.
  LimitedGears(std::unique_ptr<Actuator> node, std::size_t fastest)
      : node_(std::move(node)), fastest_(fastest) {}

  [[nodiscard]] std::size_t gear() const override {
    const std::size_t gear = node_->gear();
    return gear > fastest_ ? gear - fastest_ : 0;
  }
  void set_gear(std::size_t gear) override { node_->set_gear(gear + fastest_); }
  void expect_gear(std::size_t gear) override { node_->expect_gear(gear + fastest_); }
  [[nodiscard]] std::string verify() const override { return node_->verify(); }
  [[nodiscard]] Seconds settling() const override { return node_->settling(); }

private:
  std::unique_ptr<Actuator> node_;
  std::size_t fastest_;
};

} // namespace hypermile::control
