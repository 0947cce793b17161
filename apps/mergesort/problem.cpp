#include "mergesort/problem.hpp"

#include "common/tree_place.hpp"
#include "kernels/lcg46.hpp"

#include <bit>

namespace apps::mergesort {

Keys Problem::draw_keys() const {
  constexpr std::uint64_t seed = 314159265;
  hypermile::kernels::Lcg46 random(seed);
  Keys drawn(keys);
  for (Key& key : drawn)
    key = static_cast<Key>(0x1p31 * random.next());
  return drawn;
}

const Problem& problem_of_class(char name) {
  static constexpr std::array<Problem, problem_classes.size()> problems = {{
      {'S', 1U << 17U, 30},
      {'W', 1U << 19U, 50},
      {'A', 1U << 21U, 90},
  }};
  return problems[problem_classes.find(name)];
}

KeySums::KeySums(std::span<const Key> keys) : number(keys.size()) {
  for (const Key key : keys) {
    const auto value = static_cast<std::uint64_t>(key);
    sum += value;
    squares += value * value;
  }
}

Range keys_of_ranks(const Problem& problem, int ranks, int first, int end) {
  const Range all{0, problem.keys};
  const auto parts = static_cast<std::uint32_t>(ranks);
  return {part_of(all, parts, static_cast<std::uint32_t>(first)).begin,
          part_of(all, parts, static_cast<std::uint32_t>(end - 1)).end};
}

std::uint64_t operations(const Problem& problem, int ranks, int rank) {
  const std::uint64_t own = keys_of_ranks(problem, ranks, rank, rank + 1).size();
  std::uint64_t moves = own * static_cast<std::uint64_t>(std::bit_width(own - 1)); // ceil(log2)
  for (const int child : tree_place(rank, ranks).children)
    moves += keys_of_ranks(problem, ranks, rank, tree_place(child, ranks).end).size();
  return moves;
}

} // namespace apps::mergesort
