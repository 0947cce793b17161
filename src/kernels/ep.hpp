#pragma once

#include <array>
#include <cstdint>

namespace hypermile::kernels {

/// What the NAS EP specification sums over pairs of Gaussian random numbers.
struct EpTally {
  double sum_x = 0.0;
  double sum_y = 0.0;
  /// Pairs by the integer part of the larger of |x|, |y|, which is 11.1 at most.
  std::array<std::int64_t, 12> annuli{};

  EpTally& operator+=(const EpTally& other);
  /// Pairs that were accepted: about pi/4 of those drawn.
  [[nodiscard]] std::int64_t accepted() const;
};

/// The pairs are drawn in batches, any of which can be had without those before it.
inline constexpr unsigned ep_log2_batch_pairs = 16;

/// Draws batch number `batch` of the specification's stream: 2^16 pairs of uniform
/// numbers in (-1, 1), those within the unit circle made Gaussian. Pure arithmetic
/// (a logarithm and a square root per pair, no memory to speak of), always the same
/// amount of it: also the measure of a core's speed.
EpTally ep_batch(std::uint64_t batch);

} // namespace hypermile::kernels
