#include "heat3d/problem.hpp"

#include "heat3d/stencil.hpp"

namespace apps::heat3d {

const Problem& problem_of_class(char name) {
  static constexpr std::array<Problem, problem_classes.size()> problems = {{
      {'S', 120, 150},
      {'W', 168, 360},
      {'A', 240, 700},
  }};
  return problems[problem_classes.find(name)];
}

Block block_of(const Problem& problem, const RankGrid& grid) {
  Block block;
  for (std::size_t axis = 0; axis < axes; ++axis)
    block[axis] = part_of({0, problem.side}, grid.shape[axis], grid.place[axis]);
  return block;
}

std::uint64_t operations(const Block& block) {
  std::uint64_t count = operations_per_cell;
  for (const Range& range : block)
    count *= range.size();
  return count;
}

} // namespace apps::heat3d
