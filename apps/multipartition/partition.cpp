#include "multipartition/partition.hpp"

namespace apps::multipartition {

Partition::Partition(int rank, std::uint32_t side, std::uint32_t points) : side_(side) {
  const std::uint32_t row = static_cast<std::uint32_t>(rank) / side;
  const std::uint32_t column = static_cast<std::uint32_t>(rank) % side;
  const auto rank_at = [side](std::uint32_t r, std::uint32_t c) {
    return static_cast<int>(r % side * side + c % side);
  };
  for (std::uint32_t k = 0; k < side; ++k) {
    slabs_.push_back({(row + k) % side, (column + side - k) % side, k});
    std::array<Range, 3> cell;
    for (const Axis axis : axes)
      cell[axis] = part_of({0, points}, side, slabs_.back()[axis]);
    cells_.push_back(cell);
  }
  const std::uint32_t back = side - 1;
  next_ = {rank_at(row + 1, column), rank_at(row, column + 1), rank_at(row + back, column + 1)};
  previous_ = {rank_at(row + back, column), rank_at(row, column + back),
               rank_at(row + 1, column + back)};
}

std::size_t Partition::cell_in_slab(Axis axis, std::uint32_t slab) const {
  std::size_t cell = 0;
  while (slabs_[cell][axis] != slab)
    ++cell;
  return cell;
}

std::optional<std::uint32_t> side_of(int ranks) {
  std::uint32_t side = 1;
  while (side * side < static_cast<std::uint32_t>(ranks))
    ++side;
  return side * side == static_cast<std::uint32_t>(ranks) ? std::optional(side) : std::nullopt;
}

} // namespace apps::multipartition
