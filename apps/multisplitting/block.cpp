#include "multisplitting/block.hpp"

#include <algorithm>

namespace apps::multisplitting {
namespace {

/// A row and those around it.
struct Rows {
  const double* centre;
  const double* south;
  const double* north;
  const double* below;
  const double* above;
};

void apply_to_row(const Rows& rows, std::size_t side, double* result) {
  const auto across = [&](std::size_t x) {
    return 6.0 * rows.centre[x] - rows.south[x] - rows.north[x] - rows.below[x] - rows.above[x];
  };
  for (std::size_t x = 1; x + 1 < side; ++x)
    result[x] = across(x) - rows.centre[x - 1] - rows.centre[x + 1];
  const std::size_t last = side - 1;
  result[0] = across(0) - (last > 0 ? rows.centre[1] : 0.0);
  if (last > 0)
    result[last] = across(last) - rows.centre[last - 1];
}

} // namespace

Block::Block(std::uint32_t side, Range rows, Range planes)
    : side_(side), rows_(rows), planes_(planes), zeros_(side, 0.0) {}

void Block::get_wall(std::span<const double> field, std::uint32_t row,
                     std::span<double> wall) const {
  for (std::size_t z = 0; z < planes_.size(); ++z)
    std::ranges::copy(field.subspan(z * plane_size() + std::size_t{row} * side_, side_),
                      wall.begin() + static_cast<std::ptrdiff_t>(z * side_));
}

void Block::apply(std::span<const double> field, const Neighbours& neighbours,
                  std::span<double> result) const {
  const auto behind = [&](std::span<const double> values, std::size_t row) {
    return values.empty() ? zeros_.data() : values.data() + row * side_;
  };
  const std::size_t rows = rows_.size();
  const std::size_t planes = planes_.size();
  for (std::size_t z = 0; z < planes; ++z)
    for (std::size_t y = 0; y < rows; ++y) {
      const std::size_t begin = (z * rows + y) * side_;
      const double* centre = field.data() + begin;
      const Rows around{.centre = centre,
                        .south = y > 0 ? centre - side_ : behind(neighbours.south, z),
                        .north = y + 1 < rows ? centre + side_ : behind(neighbours.north, z),
                        .below = z > 0 ? centre - plane_size() : behind(neighbours.below, y),
                        .above =
                            z + 1 < planes ? centre + plane_size() : behind(neighbours.above, y)};
      apply_to_row(around, side_, result.data() + begin);
    }
}

} // namespace apps::multisplitting
