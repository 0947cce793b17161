#pragma once

#include "control/ports.hpp"

#include <chrono>

namespace hypermile::control {

/// Time since it was made, which no one can set.
class SteadyClock final : public Clock {
public:
  [[nodiscard]] Seconds now() const override {
    return Seconds{std::chrono::duration<double>(Steady::now() - begin_).count()};
  }

private:
  using Steady = std::chrono::steady_clock;
  Steady::time_point begin_ = Steady::now();
};

} // namespace hypermile::control
