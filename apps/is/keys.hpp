#pragma once

#include "common/range.hpp"
#include "is/problem.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace apps::is {

using Keys = std::vector<std::int32_t>;

/// The keys at these places; each is the mean of four random numbers.
Keys draw_keys(const Problem& problem, Range places);

/// Puts in the two keys of this iteration, if this rank has the first places.
void change_keys(const Problem& problem, Keys& keys, Range places, int iteration);

/// A rank's keys ordered by bucket, but not within a bucket.
struct Buckets {
  Buckets(const Problem& problem, std::span<const std::int32_t> unordered);

  std::vector<std::int32_t> sizes;
  Keys keys;
};

/// Which buckets each rank gets: bucket b goes to the rank r with result[r] <= b < result[r + 1].
/// `sizes` are those of all ranks together. The buckets stay in order, and every rank gets as
/// many as its share of the keys needs.
std::vector<std::size_t> share_buckets(std::span<const std::int32_t> sizes, std::size_t ranks);

/// How often each of the keys first to end - 1 occurs, and with that the order of all.
class KeyCounts {
public:
  KeyCounts(std::span<const std::int32_t> keys, std::int32_t first, std::int32_t end);

  [[nodiscard]] bool covers(std::int32_t key) const {
    return key >= first_ && static_cast<std::size_t>(key - first_) + 1 < smaller_.size();
  }
  /// How many of the keys are smaller than this one, which is covered.
  [[nodiscard]] std::int32_t smaller_than(std::int32_t key) const {
    return smaller_[static_cast<std::size_t>(key - first_)];
  }
  [[nodiscard]] Keys sort(std::span<const std::int32_t> keys) const;

private:
  std::int32_t first_;
  std::vector<std::int32_t> smaller_;
};

} // namespace apps::is
