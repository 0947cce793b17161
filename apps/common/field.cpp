#include "common/field.hpp"

namespace apps {
namespace {

/// Calls visit(place in the values, place in the plane) for each value of a plane.
template <typename Visit>
void for_each_in_plane(const Field& field, std::size_t axis, std::size_t index, Visit visit) {
  const std::size_t inner = axis == 0 ? 1 : 0;
  const std::size_t outer = axis == 2 ? 1 : 2;
  std::size_t place = 0;
  for (std::size_t j = 0; j < field.size[outer] + 2; ++j) {
    const std::size_t begin = index * field.stride[axis] + j * field.stride[outer];
    for (std::size_t i = 0; i < field.size[inner] + 2; ++i)
      visit(begin + i * field.stride[inner], place++);
  }
}

} // namespace

Field::Field(std::array<std::uint32_t, axes> points)
    : size{points[0], points[1], points[2]}, stride{1, size[0] + 2, (size[0] + 2) * (size[1] + 2)},
      values(stride[2] * (size[2] + 2), 0.0) {}

std::size_t Field::plane_size(std::size_t axis) const { return values.size() / (size[axis] + 2); }

void Field::get_plane(std::size_t axis, std::size_t index, std::span<double> plane) const {
  for_each_in_plane(*this, axis, index,
                    [&](std::size_t from, std::size_t to) { plane[to] = values[from]; });
}

void Field::set_plane(std::size_t axis, std::size_t index, std::span<const double> plane) {
  for_each_in_plane(*this, axis, index,
                    [&](std::size_t to, std::size_t from) { values[to] = plane[from]; });
}

} // namespace apps
