#pragma once

#include "control/ports.hpp"

namespace hypermile::control {

/// Of a node whose energy nobody measures.
class NoMeter final : public Meter {
public:
  [[nodiscard]] std::optional<Joules> consumed() const override { return std::nullopt; }
};

} // namespace hypermile::control
