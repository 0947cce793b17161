#include "multipartition/cell.hpp"

#include "common/larger.hpp"

#include <algorithm>
#include <cmath>

namespace apps::multipartition {

Cell::Cell(const std::array<Range, 3>& where) : where_(where) {
  std::size_t points = 1;
  std::size_t with_ghosts = 1;
  for (const Axis axis : axes) {
    points *= size(axis);
    with_ghosts *= size(axis) + 2;
  }
  values_.resize(components * with_ghosts);
  change_.resize(components * points);
}

std::size_t Cell::index(int x, int y, int z) const {
  const auto at = [](int point) {
    const int from_ghost = point + 1;
    return static_cast<std::size_t>(from_ghost);
  };
  return components * ((at(z) * (size(1) + 2) + at(y)) * (size(0) + 2) + at(x));
}

template <class Use> void Cell::for_layer(Axis axis, int at, Use use) const {
  std::array<int, 3> first{};
  std::array<int, 3> end{};
  for (const Axis each : axes) {
    first[each] = each == axis ? at : 0;
    end[each] = each == axis ? at + 1 : static_cast<int>(size(each));
  }
  for (int z = first[2]; z < end[2]; ++z)
    for (int y = first[1]; y < end[1]; ++y)
      for (int x = first[0]; x < end[0]; ++x)
        use(index(x, y, z));
}

template <class Use> void Cell::for_points(Use use) const {
  for (int z = 0; z < static_cast<int>(size(2)); ++z)
    for (int y = 0; y < static_cast<int>(size(1)); ++y)
      for (int x = 0; x < static_cast<int>(size(0)); ++x)
        use(x, y, z);
}

void Cell::fill(const Modes& modes) {
  for_points([&](int x, int y, int z) {
    const Values known = modes.at(where_[0].begin + static_cast<std::uint32_t>(x),
                                  where_[1].begin + static_cast<std::uint32_t>(y),
                                  where_[2].begin + static_cast<std::uint32_t>(z));
    std::ranges::copy(known, values_.begin() + static_cast<std::ptrdiff_t>(index(x, y, z)));
  });
}

void Cell::find_change() {
  const std::size_t along_x = components;
  const std::size_t along_y = along_x * (size(0) + 2);
  const std::size_t along_z = along_y * (size(1) + 2);
  double* to = change_.data();
  for_points([&](int x, int y, int z) {
    const double* u = &values_[index(x, y, z)];
    Values second; // differences
    for (std::size_t c = 0; c < components; ++c, ++u)
      second[c] = *(u - along_x) + *(u + along_x) + *(u - along_y) + *(u + along_y) +
                  *(u - along_z) + *(u + along_z) - 6.0 * *u;
    for (std::size_t row = 0; row < components; ++row) {
      double sum = 0;
      for (std::size_t c = 0; c < components; ++c)
        sum += Problem::coupling(row, c) * second[c];
      *to++ = 2.0 * Problem::half_step * sum;
    }
  });
}

void Cell::add_change() {
  const double* change = change_.data();
  for_points([&](int x, int y, int z) {
    double* u = &values_[index(x, y, z)];
    for (std::size_t c = 0; c < components; ++c)
      *u++ += *change++;
  });
}

std::size_t Cell::face_size(Axis axis) const { return change_.size() / size(axis); }

void Cell::copy_face(Axis axis, bool last, std::span<double> to) const {
  auto next = to.begin();
  for_layer(axis, last ? static_cast<int>(size(axis)) - 1 : 0,
            [&](std::size_t point) { next = std::copy_n(&values_[point], components, next); });
}

void Cell::set_ghosts(Axis axis, bool last, std::span<const double> from) {
  const double* next = from.data();
  for_layer(axis, last ? static_cast<int>(size(axis)) : -1, [&](std::size_t point) {
    std::copy_n(next, components, &values_[point]);
    next += components;
  });
}

double Cell::error(const Modes& known) const {
  Cell expected(where_);
  expected.fill(known);
  double largest = 0;
  for_points([&](int x, int y, int z) {
    const std::size_t point = index(x, y, z);
    for (std::size_t c = point; c < point + components; ++c)
      largest = larger(largest, std::abs(values_[c] - expected.values_[c]));
  });
  return largest;
}

double Cell::sum_of_squares() const {
  double sum = 0;
  for_points([&](int x, int y, int z) {
    const std::size_t point = index(x, y, z);
    for (std::size_t c = point; c < point + components; ++c)
      sum += values_[c] * values_[c];
  });
  return sum;
}

} // namespace apps::multipartition
