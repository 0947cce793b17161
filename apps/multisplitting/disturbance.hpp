#pragma once

#include <cstdint>
#include <optional>
#include <random>

namespace apps::multisplitting {

/// Makes a network worse, to test those who rely on it. The same on every machine for a seed.
class Disturbance {
public:
  /// No seed: none.
  Disturbance(std::optional<std::uint64_t> seed, int rank) : is_on_(seed.has_value()) {
    if (seed)
      random_.seed(*seed * 100'003 + static_cast<std::uint64_t>(rank));
  }

  /// Whether messages come late and get lost.
  [[nodiscard]] bool is_on() const { return is_on_; }
  /// For how many looks into the mail a message that has arrived is kept back.
  int delay() {
    if (!is_on_ || random_() % 2 == 0)
      return 0;
    return static_cast<int>(random_() % (random_() % 16 == 0 ? 60 : 6));
  }
  /// Whether a message that may get lost does.
  bool loses() { return is_on_ && random_() % 2 == 0; }

private:
  bool is_on_;
  std::mt19937_64 random_;
};

} // namespace apps::multisplitting
