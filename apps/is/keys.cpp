#include "is/keys.hpp"

#include "kernels/lcg46.hpp"

#include <numeric>

namespace apps::is {

Keys draw_keys(const Problem& problem, Range places) {
  constexpr std::uint64_t seed = 314159265;
  hypermile::kernels::Lcg46 random(seed);
  random.skip(std::uint64_t{4} * places.begin);
  const double scale = problem.key_end() / 4.0;
  Keys keys(places.size());
  for (std::int32_t& key : keys) {
    double sum = random.next();
    for (int draw = 1; draw < 4; ++draw)
      sum += random.next();
    key = static_cast<std::int32_t>(scale * sum);
  }
  return keys;
}

void change_keys(const Problem& problem, Keys& keys, Range places, int iteration) {
  if (places.begin > 0)
    return;
  const auto place = static_cast<std::size_t>(iteration);
  keys[place] = iteration;
  keys[place + Problem::iterations] = problem.key_end() - iteration;
}

Buckets::Buckets(const Problem& problem, std::span<const std::int32_t> unordered)
    : sizes(problem.buckets(), 0), keys(unordered.size()) {
  const auto bucket = [shift = problem.bucket_shift()](std::int32_t key) {
    return static_cast<std::size_t>(key) >> shift;
  };
  for (const std::int32_t key : unordered)
    ++sizes[bucket(key)];
  std::vector<std::size_t> next(sizes.size());
  std::exclusive_scan(sizes.begin(), sizes.end(), next.begin(), std::size_t{0});
  for (const std::int32_t key : unordered)
    keys[next[bucket(key)]++] = key;
}

std::vector<std::size_t> share_buckets(std::span<const std::int32_t> sizes, std::size_t ranks) {
  const std::int64_t all = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  const auto share = all / static_cast<std::int64_t>(ranks);
  std::vector<std::size_t> begins = {0};
  std::int64_t keys = 0;
  for (std::size_t bucket = 0; bucket < sizes.size() && begins.size() < ranks; ++bucket) {
    keys += sizes[bucket];
    if (keys >= share * static_cast<std::int64_t>(begins.size()))
      begins.push_back(bucket + 1);
  }
  begins.resize(ranks + 1, sizes.size());
  return begins;
}

KeyCounts::KeyCounts(std::span<const std::int32_t> keys, std::int32_t first, std::int32_t end)
    : first_(first), smaller_(static_cast<std::size_t>(end - first) + 1, 0) {
  for (const std::int32_t key : keys)
    ++smaller_[static_cast<std::size_t>(key - first) + 1];
  std::partial_sum(smaller_.begin(), smaller_.end(), smaller_.begin());
}

Keys KeyCounts::sort(std::span<const std::int32_t> keys) const {
  Keys sorted(keys.size());
  auto next = smaller_;
  for (const std::int32_t key : keys)
    sorted[static_cast<std::size_t>(next[static_cast<std::size_t>(key - first_)]++)] = key;
  return sorted;
}

} // namespace apps::is
