#pragma once

#include "control/ports.hpp"

#include <cstddef>

namespace hypermile::control {

/// Remembers the node's gear, and sets nothing: what computes takes as long as it would in that
/// gear (an emulated node), or another rank of the node sets it.
class KeptGear final : public Actuator {
public:
  [[nodiscard]] std::size_t gear() const override { return gear_; }
  void set_gear(std::size_t gear) override { gear_ = gear; }
  void expect_gear(std::size_t gear) override { gear_ = gear; }

private:
  std::size_t gear_ = 0;
};

} // namespace hypermile::control
