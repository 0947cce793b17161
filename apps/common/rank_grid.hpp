#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace apps {

inline constexpr std::size_t axes = 3; ///< 0 is x, whose points are next to each other

/// The ranks as a grid in space, as near to a cube as the factors of their number allow, z having
/// the most ranks; and where one of them is.
struct RankGrid {
  RankGrid(int rank, int ranks);

  std::array<std::uint32_t, axes> shape{}; ///< how many ranks share each axis
  std::array<std::uint32_t, axes> place{}; ///< of this rank

  /// The rank that is `distance` places further along an axis, which is a ring.
  [[nodiscard]] int neighbour(std::size_t axis, std::int64_t distance) const;
  /// The same along an axis between two walls; none behind these.
  [[nodiscard]] std::optional<int> neighbour_within(std::size_t axis, std::int64_t distance) const;
};

} // namespace apps
