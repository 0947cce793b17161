#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace apps::is {

/// One key whose rank is published: it depends on the iteration, as each iteration puts two
/// other keys in.
struct KnownRank {
  std::uint32_t place; ///< of the key, among all keys
  std::int64_t rank;   ///< how many keys are smaller, plus what follows
  int slope;           ///< by how much the rank grows with each iteration
  int shift;           ///< and once

  [[nodiscard]] std::int64_t in_iteration(int iteration) const {
    return rank + slope * std::int64_t{iteration} + shift;
  }
};

/// One class of the NAS IS specification.
struct Problem {
  char name;
  unsigned log2_keys;
  unsigned log2_largest_key; ///< keys are 0 to 2^this, exclusive
  unsigned log2_buckets;
  std::array<KnownRank, 5> known_ranks; ///< published results

  static constexpr int iterations = 10;

  [[nodiscard]] std::uint32_t keys() const { return std::uint32_t{1} << log2_keys; }
  [[nodiscard]] std::int32_t key_end() const { return std::int32_t{1} << log2_largest_key; }
  [[nodiscard]] std::size_t buckets() const { return std::size_t{1} << log2_buckets; }
  /// A key's bucket is the key shifted right by this.
  [[nodiscard]] unsigned bucket_shift() const { return log2_largest_key - log2_buckets; }
  /// Up to here every rank gets a bucket, as none has more keys than a rank's share.
  [[nodiscard]] std::uint32_t most_ranks() const { return std::uint32_t{1} << (log2_buckets - 2); }
};

inline constexpr std::string_view problem_classes = "SWABC";

/// `name` is one of `problem_classes`.
const Problem& problem_of_class(char name);

} // namespace apps::is
