#include "particles/forces.hpp"

#include <algorithm>
#include <numeric>

namespace apps::particles {
namespace {

struct Untruncated {
  double energy;
  double slope; ///< by the square of the distance
};

constexpr Untruncated lennard_jones(double square) {
  const double s2 = 1.0 / square;
  const double s6 = s2 * s2 * s2;
  return {4.0 * s6 * (s6 - 1.0), -12.0 * s2 * s6 * (2.0 * s6 - 1.0)};
}

/// The particles ordered by cells that are as wide as the lists reach.
class Cells {
public:
  explicit Cells(std::span<const Vector> positions);

  /// Calls visit(particle) for all in the cell of a position and those around it.
  template <typename Visit> void for_each_near(const Vector& position, Visit visit) const {
    const auto middle = cell(position);
    std::array<std::size_t, 3> first{};
    std::array<std::size_t, 3> last{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      first[axis] = middle[axis] - std::min<std::size_t>(middle[axis], 1);
      last[axis] = std::min(middle[axis] + 1, counts_[axis] - 1);
    }
    for (std::size_t z = first[2]; z <= last[2]; ++z)
      for (std::size_t y = first[1]; y <= last[1]; ++y)
        for (std::size_t i = begins_[number({first[0], y, z})];
             i < begins_[number({last[0], y, z}) + 1]; ++i)
          visit(order_[i]);
  }

private:
  [[nodiscard]] std::array<std::size_t, 3> cell(const Vector& position) const;
  [[nodiscard]] std::size_t number(const std::array<std::size_t, 3>& cell) const {
    return (cell[2] * counts_[1] + cell[1]) * counts_[0] + cell[0];
  }

  Vector low_{};
  std::array<std::size_t, 3> counts_{};
  std::vector<std::size_t> begins_;
  std::vector<std::uint32_t> order_;
};

constexpr double most_cells = 256; ///< per axis: no more, wherever a lost particle may be

Cells::Cells(std::span<const Vector> positions) : order_(positions.size()) {
  Vector high = low_ = positions.front();
  for (const Vector& position : positions)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low_[axis] = std::min(low_[axis], position[axis]);
      high[axis] = std::max(high[axis], position[axis]);
    }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double cells = (high[axis] - low_[axis]) / Problem::reach;
    counts_[axis] = 1 + (cells > 0.0 ? static_cast<std::size_t>(std::min(cells, most_cells)) : 0);
  }
  begins_.assign(counts_[0] * counts_[1] * counts_[2] + 1, 0);
  for (const Vector& position : positions)
    ++begins_[number(cell(position)) + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  auto next = begins_;
  for (std::size_t i = 0; i < positions.size(); ++i)
    order_[next[number(cell(positions[i]))]++] = static_cast<std::uint32_t>(i);
}

/// What is no number is in cell 0.
std::array<std::size_t, 3> Cells::cell(const Vector& position) const {
  std::array<std::size_t, 3> result{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double place = (position[axis] - low_[axis]) / Problem::reach;
    if (place > 0.0)
      result[axis] =
          static_cast<std::size_t>(std::min(place, static_cast<double>(counts_[axis] - 1)));
  }
  return result;
}

bool comes_first(const Vector& a, const Vector& b) {
  return std::ranges::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

} // namespace

Pair::Pair(double square) {
  constexpr double end = Problem::cutoff * Problem::cutoff;
  constexpr Untruncated at_end = lennard_jones(end);
  const Untruncated here = lennard_jones(square);
  energy = here.energy - at_end.energy - (square - end) * at_end.slope;
  force = -2.0 * (here.slope - at_end.slope);
}

double distance_squared(const Vector& a, const Vector& b) {
  const double x = a[0] - b[0];
  const double y = a[1] - b[1];
  const double z = a[2] - b[2];
  return x * x + y * y + z * z;
}

Neighbours::Neighbours(std::span<const Vector> positions, std::size_t owned) : begins_{0} {
  if (owned > 0) {
    const Cells cells(positions);
    for (std::size_t i = 0; i < owned; ++i) {
      cells.for_each_near(positions[i], [&](std::uint32_t j) {
        const bool is_ours = j < owned ? j > i : comes_first(positions[i], positions[j]);
        if (is_ours &&
            distance_squared(positions[i], positions[j]) < Problem::reach * Problem::reach)
          others_.push_back(j);
      });
      begins_.push_back(others_.size());
    }
  }
}

double Neighbours::add_forces(std::span<const Vector> positions, std::span<Vector> forces) const {
  double energy = 0.0;
  for (std::size_t i = 0; i + 1 < begins_.size(); ++i) {
    const Vector here = positions[i];
    Vector sum{};
    for (std::size_t k = begins_[i]; k < begins_[i + 1]; ++k) {
      const std::uint32_t j = others_[k];
      const double square = distance_squared(here, positions[j]);
      if (square >= Problem::cutoff * Problem::cutoff)
        continue;
      const Pair pair(square);
      energy += pair.energy;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double force = pair.force * (here[axis] - positions[j][axis]);
        sum[axis] += force;
        forces[j][axis] -= force;
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
      forces[i][axis] += sum[axis];
  }
  return energy;
}

} // namespace apps::particles
