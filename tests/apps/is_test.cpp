#include "is/keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace apps::is {
namespace {

TEST(IsKeys, of_the_ranks_make_up_all_and_are_in_range) {
  const Problem& problem = problem_of_class('S');
  const Keys all = draw_keys(problem, {0, problem.keys()});
  Keys pieced;
  for (std::uint32_t part = 0; part < 8; ++part) {
    const Keys keys = draw_keys(problem, part_of({0, problem.keys()}, 8, part));
    pieced.insert(pieced.end(), keys.begin(), keys.end());
  }
  EXPECT_EQ(pieced, all);
  EXPECT_GE(std::ranges::min(all), 0);
  EXPECT_LT(std::ranges::max(all), problem.key_end());
}

TEST(IsKeys, each_iteration_puts_two_in_where_the_first_places_are) {
  const Problem& problem = problem_of_class('S');
  const Keys before = draw_keys(problem, {0, 64});
  Keys keys = before;
  change_keys(problem, keys, {64, 128}, 3);
  EXPECT_EQ(keys, before);
  change_keys(problem, keys, {0, 64}, 3);
  EXPECT_EQ(keys[3], 3);
  EXPECT_EQ(keys[13], problem.key_end() - 3);
  keys[3] = before[3];
  keys[13] = before[13];
  EXPECT_EQ(keys, before);
}

TEST(IsBuckets, order_the_keys_by_bucket_and_keep_them) {
  const Problem& problem = problem_of_class('S');
  Keys keys = draw_keys(problem, {0, 5000});
  Buckets buckets(problem, keys);
  const auto bucket = [&](std::int32_t key) { return key >> problem.bucket_shift(); };
  EXPECT_TRUE(std::ranges::is_sorted(buckets.keys, {}, bucket));
  for (std::size_t b = 0; b < buckets.sizes.size(); ++b)
    EXPECT_EQ(std::ranges::count(keys, static_cast<std::int32_t>(b), bucket), buckets.sizes[b]);
  std::ranges::sort(keys);
  std::ranges::sort(buckets.keys);
  EXPECT_EQ(buckets.keys, keys);
}

TEST(IsBuckets, are_shared_such_that_every_rank_has_one_and_none_has_twice_its_share) {
  const Problem& problem = problem_of_class('S');
  const Buckets buckets(problem, draw_keys(problem, {0, problem.keys()}));
  for (std::size_t ranks = 1; ranks <= problem.most_ranks(); ranks *= 2) {
    const auto begins = share_buckets(buckets.sizes, ranks);
    ASSERT_EQ(begins.size(), ranks + 1);
    EXPECT_EQ(begins.front(), 0u);
    EXPECT_EQ(begins.back(), problem.buckets());
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      EXPECT_LT(begins[rank], begins[rank + 1]);
      std::int64_t keys = 0;
      for (std::size_t b = begins[rank]; b < begins[rank + 1]; ++b)
        keys += buckets.sizes[b];
      EXPECT_GT(keys, 0);
      EXPECT_LT(keys, 2 * std::int64_t{problem.keys()} / static_cast<std::int64_t>(ranks));
    }
  }
}

TEST(IsKeyCounts, sort_as_the_standard_library_does) {
  const Problem& problem = problem_of_class('S');
  Keys keys = draw_keys(problem, {100, 3000});
  const KeyCounts counts(keys, 0, problem.key_end());
  Keys sorted = counts.sort(keys);
  std::ranges::sort(keys);
  EXPECT_EQ(sorted, keys);
  for (const std::int32_t key : {0, 500, 1024, problem.key_end() - 1})
    EXPECT_EQ(counts.smaller_than(key), std::ranges::lower_bound(keys, key) - keys.begin());
  EXPECT_FALSE(counts.covers(-1));
  EXPECT_TRUE(counts.covers(problem.key_end() - 1));
  EXPECT_FALSE(counts.covers(problem.key_end()));
}

TEST(IsProblem, the_published_ranks_of_the_first_iteration_are_those_of_all_keys) {
  const Problem& problem = problem_of_class('S');
  Keys keys = draw_keys(problem, {0, problem.keys()});
  change_keys(problem, keys, {0, problem.keys()}, 1);
  for (const auto& known : problem.known_ranks)
    EXPECT_EQ(std::ranges::count_if(keys, [&](auto key) { return key < keys[known.place]; }),
              known.in_iteration(1));
}

} // namespace
} // namespace apps::is
