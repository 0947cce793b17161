#include "cg/grid.hpp"

#include <bit>

namespace apps::cg {

Grid::Grid(int rank, int ranks, std::uint32_t n) {
  const auto count = static_cast<std::uint32_t>(ranks);
  const int log2_ranks = static_cast<int>(std::bit_width(count)) - 1;
  height = 1U << (log2_ranks / 2);
  width = count / height;

  const std::uint32_t row = static_cast<std::uint32_t>(rank) / width;
  const std::uint32_t column = static_cast<std::uint32_t>(rank) % width;
  const std::uint32_t halves = width / height; // 1 or 2
  const std::uint32_t half = column % halves;
  const Range all{0, n};
  rows = part_of(all, height, row);
  columns = part_of(part_of(all, height, column / halves), halves, half);

  const Range local_rows{0, rows.size()};
  kept = part_of(local_rows, halves, half);
  given = halves == 2 ? part_of(local_rows, 2, 1 - half) : Range{};

  // Here `kept` is column block (row * halves + half): the partner's. And so back.
  transpose_partner = static_cast<int>((column / halves) * width + row * halves + half);
  for (std::uint32_t distance = width / 2; distance > 0; distance /= 2)
    row_partners.push_back(static_cast<int>(row * width + (column ^ distance)));
}

bool is_power_of_two(int ranks) {
  return ranks > 0 && std::has_single_bit(static_cast<std::uint32_t>(ranks));
}

} // namespace apps::cg
