#pragma once

#include "govern/governor.hpp"

namespace hypermile::govern {

/// Always the same gear.
class FixedGear final : public Governor {
public:
  explicit FixedGear(model::Gear gear) : gear_(gear) {}

  Wish begin(const Moment& /*now*/) override { return {.gear = gear_}; }
  Wish enter(std::size_t /*rank*/, const Moment& /*now*/, const Entry& /*entry*/) override {
    return {.gear = gear_};
  }
  Wish leave(std::size_t /*rank*/, const Moment& /*now*/, CallSite /*call*/) override {
    return {.gear = gear_};
  }
  Wish wake(const Moment& /*now*/) override { return {.gear = gear_}; }

private:
  model::Gear gear_;
};

} // namespace hypermile::govern
