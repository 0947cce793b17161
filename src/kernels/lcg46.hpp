#pragma once

#include <cstdint>

namespace hypermile::kernels {

/// The random numbers of the NAS Parallel Benchmarks: x <- 5^13 x mod 2^46, scaled
/// to (0, 1). Integer arithmetic modulo 2^64 keeps the low 46 bits exact, so these
/// are the same numbers, to the bit, as the specification's double arithmetic gives.
class Lcg46 {
public:
  static constexpr unsigned bits = 46;
  static constexpr std::uint64_t multiplier = 1220703125; // 5^13

  constexpr explicit Lcg46(std::uint64_t seed) : state_(seed & mask) {}

  [[nodiscard]] constexpr std::uint64_t state() const { return state_; }

  /// Draws the next number in (0, 1).
  constexpr double next() {
    state_ = step(state_, multiplier);
    return to_unit(state_);
  }

  /// Moves on by `count` draws in O(log count).
  constexpr void skip(std::uint64_t count) { state_ = step(state_, power(count)); }

  /// 5^13 to the power `count`, modulo 2^46: the factor that moves on by `count` draws.
  static constexpr std::uint64_t power(std::uint64_t count) {
    std::uint64_t result = 1;
    for (std::uint64_t square = multiplier; count != 0; count >>= 1, square = step(square, square))
      if ((count & 1) != 0)
        result = step(result, square);
    return result;
  }

  static constexpr std::uint64_t step(std::uint64_t state, std::uint64_t factor) {
    return (state * factor) & mask;
  }

  /// A state as a number in (0, 1); the signed conversion is the fast one.
  static constexpr double to_unit(std::uint64_t state) {
    return static_cast<double>(static_cast<std::int64_t>(state)) * 0x1p-46;
  }

private:
  static constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;

  std::uint64_t state_;
};

} // namespace hypermile::kernels
