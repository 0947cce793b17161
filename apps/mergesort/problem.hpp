#pragma once

#include "common/range.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace apps::mergesort {

using Key = std::int32_t;
using Keys = std::vector<Key>;

/// One number of keys to sort.
struct Problem {
  char name;
  std::uint32_t keys;
  int iterations; ///< how often they are sorted

  /// Random, each from 0 to 2^31 - 1 and equally likely.
  [[nodiscard]] Keys draw_keys() const;
};

inline constexpr std::string_view problem_classes = "SWA";

/// `name` is one of `problem_classes`.
const Problem& problem_of_class(char name);

/// What is the same for some keys in any order, and almost never for other keys.
struct KeySums {
  explicit KeySums(std::span<const Key> keys);
  bool operator==(const KeySums&) const = default;

  std::size_t number;
  std::uint64_t sum = 0;
  std::uint64_t squares = 0; ///< their sum, modulo 2^64
};

/// The places of the keys that some of the ranks sort, the ranks `first` to `end` - 1. Each rank
/// sorts nearly as many as any other.
Range keys_of_ranks(const Problem& problem, int ranks, int first, int end);

/// The work of a rank in one sort: how often it moves a key from one array to the other, each time
/// after a comparison or when no key is left to compare with. It has m keys to sort, which takes
/// m ceil(log2(m)) moves, and moves every key that it merges with those of its children.
std::uint64_t operations(const Problem& problem, int ranks, int rank);

} // namespace apps::mergesort
