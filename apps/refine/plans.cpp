#include "refine/plans.hpp"

namespace apps::refine {
namespace {

Step step_between(const Leaf& from, const Leaf& to) {
  if (from.level == to.level)
    return Step::same;
  return from.level < to.level ? Step::to_finer : Step::to_coarser;
}

/// A place along a side: of the cells next to it (depth 0 inside), or of the ghosts beyond it.
double& along(Block& block, Side side, std::size_t i, bool ghost) {
  const std::size_t last = block.cells();
  switch (side) {
  case Side::west:
    return block.at(ghost ? 0 : 1, i);
  case Side::east:
    return block.at(ghost ? last + 1 : last, i);
  case Side::south:
    return block.at(i, ghost ? 0 : 1);
  default:
    return block.at(i, ghost ? last + 1 : last);
  }
}

double inside(const Block& block, Side side, std::size_t i) {
  const std::size_t last = block.cells();
  switch (side) {
  case Side::west:
    return block.at(1, i);
  case Side::east:
    return block.at(last, i);
  case Side::south:
    return block.at(i, 1);
  default:
    return block.at(i, last);
  }
}

Side opposite(Side side) {
  switch (side) {
  case Side::west:
    return Side::east;
  case Side::east:
    return Side::west;
  case Side::south:
    return Side::north;
  default:
    return Side::south;
  }
}

/// Which half of its parent's side across the direction of `side` a block covers.
std::uint32_t half_of(const Leaf& leaf, Side side) {
  return (side == Side::west || side == Side::east ? leaf.y : leaf.x) % 2;
}

} // namespace

void GhostCopy::pack(const Block& source, std::span<double> values) const {
  const Side edge = opposite(side);
  const std::size_t offset = step == Step::to_finer ? half * values.size() : 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = step == Step::to_coarser
                    ? 0.5 * (inside(source, edge, 2 * i + 1) + inside(source, edge, 2 * i + 2))
                    : inside(source, edge, offset + i + 1);
}

void GhostCopy::unpack(std::span<const double> values, Block& target) const {
  const std::size_t offset = step == Step::to_coarser ? half * values.size() : 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (step == Step::to_finer)
      along(target, side, 2 * i + 1, true) = along(target, side, 2 * i + 2, true) = values[i];
    else
      along(target, side, offset + i + 1, true) = values[i];
}

std::vector<GhostCopy> ghost_copies(const Mesh& mesh) {
  std::vector<GhostCopy> copies;
  for (std::size_t to = 0; to < mesh.size(); ++to)
    for (const Side side : {Side::west, Side::east, Side::south, Side::north})
      for (const std::size_t from : mesh.beyond(to, side)) {
        const Step step = step_between(mesh[from], mesh[to]);
        const Leaf& smaller = step == Step::to_coarser ? mesh[from] : mesh[to];
        copies.push_back({from, to, side, step, half_of(smaller, side)});
      }
  return copies;
}

void CellCopy::pack(const Block& source, std::span<double> values) const {
  const std::size_t side = step == Step::same ? source.cells() : source.cells() / 2;
  const std::size_t x0 = step == Step::to_finer ? quarter % 2 * side : 0;
  const std::size_t y0 = step == Step::to_finer ? quarter / 2 * side : 0;
  auto value = values.begin();
  for (std::size_t y = 1; y <= side; ++y)
    for (std::size_t x = 1; x <= side; ++x)
      *value++ = step == Step::to_coarser
                     ? 0.25 * ((source.at(2 * x - 1, 2 * y - 1) + source.at(2 * x, 2 * y - 1)) +
                               (source.at(2 * x - 1, 2 * y) + source.at(2 * x, 2 * y)))
                     : source.at(x0 + x, y0 + y);
}

void CellCopy::unpack(std::span<const double> values, Block& target) const {
  const std::size_t side = step == Step::same ? target.cells() : target.cells() / 2;
  const std::size_t x0 = step == Step::to_coarser ? quarter % 2 * side : 0;
  const std::size_t y0 = step == Step::to_coarser ? quarter / 2 * side : 0;
  auto value = values.begin();
  for (std::size_t y = 1; y <= side; ++y)
    for (std::size_t x = 1; x <= side; ++x, ++value)
      if (step == Step::to_finer)
        target.at(2 * x - 1, 2 * y - 1) = target.at(2 * x, 2 * y - 1) =
            target.at(2 * x - 1, 2 * y) = target.at(2 * x, 2 * y) = *value;
      else
        target.at(x0 + x, y0 + y) = *value;
}

std::vector<CellCopy> cell_copies(const Mesh& old_mesh, const Mesh& new_mesh) {
  std::vector<CellCopy> copies;
  const auto quarter = [](const Leaf& leaf) { return leaf.y % 2 * 2 + leaf.x % 2; };
  for (std::size_t to = 0; to < new_mesh.size(); ++to) {
    const std::size_t from = old_mesh.find(new_mesh[to]);
    const Step step = step_between(old_mesh[from], new_mesh[to]);
    if (step == Step::to_coarser) // all four, which follow each other
      for (std::uint32_t number = 0; number < 4; ++number)
        copies.push_back({from + number, to, step, number});
    else
      copies.push_back({from, to, step, quarter(new_mesh[to])});
  }
  return copies;
}

} // namespace apps::refine
