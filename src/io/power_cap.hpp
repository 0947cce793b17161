#pragma once

#include "units/quantity.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hypermile::io {

/// One cap on power.
struct PowerCap {
  bool peak; ///< on the most power while all nodes compute; else on the average, energy / time
  Watts power;
};

/// Reads "2kW" or "average:2kW", a cap on the average, or "peak:2kW". Throws Error{config} for
/// anything else, and for a power below 0.
PowerCap parse_power_cap(std::string_view text);

/// Caps on both, or one, or none.
struct PowerCaps {
  std::optional<Watts> average{};
  std::optional<Watts> peak{};
  [[nodiscard]] bool none() const { return !average && !peak; }
  bool operator==(const PowerCaps&) const = default;
};

/// Reads "2kW", "peak:3kW" or "2kW,peak:3kW". Throws Error{config} for anything else: a power that
/// is not above 0, or two caps of a kind.
PowerCaps parse_power_caps(std::string_view text);

/// What parse_power_caps() reads as the same caps, to the last bit; empty where there are none.
std::string print_power_caps(const PowerCaps& caps);

} // namespace hypermile::io
