#include "multipartition/lines.hpp"

#include "multipartition/matrix.hpp"

#include <array>

namespace apps::multipartition {
namespace {

constexpr std::size_t block = components * components;

} // namespace

Lines::Lines(Cell& cell) : cell_(&cell), upper_(cell.change().size() * components) {}

std::size_t Lines::count(Axis axis) const { return cell_->face_size(axis) / components; }

Lines::Line Lines::line(Axis axis, std::size_t number) const {
  const std::size_t nx = cell_->size(0);
  const std::array<std::size_t, 3> strides = {1, nx, nx * cell_->size(1)};
  const Axis a = axis == 0 ? 1 : 0;
  const Axis b = axis == 2 ? 1 : 2;
  const std::size_t along_a = cell_->size(a);
  return {number % along_a * strides[a] + number / along_a * strides[b], strides[axis]};
}

void Lines::eliminate(Axis axis, std::span<double> carry) {
  const Matrix side = -Problem::half_step * coupling();
  const Matrix middle = Matrix::Identity() - 2.0 * side;
  for (std::size_t number = 0; number < count(axis); ++number) {
    Eigen::Map<Matrix> above(&carry[number * eliminated]);
    Eigen::Map<Vector> value(&carry[number * eliminated + block]);
    const Line line = this->line(axis, number);
    for (std::size_t k = 0, p = line.first; k < cell_->size(axis); ++k, p += line.stride) {
      Eigen::Map<Vector> change(&cell_->change()[p * components]);
      const Eigen::PartialPivLU<Matrix> pivot(middle - side * above);
      value = pivot.solve(change - side * value).eval();
      above = pivot.solve(side);
      Eigen::Map<Matrix> upper(&upper_[p * block]);
      upper = above;
      change = value;
    }
  }
}

void Lines::substitute(Axis axis, std::span<double> carry) {
  for (std::size_t number = 0; number < count(axis); ++number) {
    Eigen::Map<Vector> value(&carry[number * substituted]);
    const Line line = this->line(axis, number);
    for (std::size_t k = cell_->size(axis); k-- > 0;) {
      const std::size_t p = line.first + k * line.stride;
      Eigen::Map<Vector> change(&cell_->change()[p * components]);
      change -= Eigen::Map<const Matrix>(&upper_[p * block]) * value;
      value = change;
    }
  }
}

} // namespace apps::multipartition
