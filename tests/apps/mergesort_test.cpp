#include "common/tree_place.hpp"
#include "mergesort/problem.hpp"
#include "mergesort/sorted_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <random>
#include <vector>

namespace apps::mergesort {
namespace {

/// Few different ones, so that many are equal.
template <typename Key> std::vector<Key> random_keys(std::size_t count, std::mt19937& random) {
  std::uniform_int_distribution<> value(0, 50);
  std::vector<Key> keys;
  for (std::size_t i = 0; i < count; ++i)
    keys.push_back(Key{value(random)});
  return keys;
}

TEST(MergesortSortedKeys, are_those_that_were_given_in_order) {
  std::mt19937 random(1);
  SortedKeys<int> sorted(200);
  for (std::size_t count = 0; count <= 200; ++count) {
    auto keys = random_keys<int>(count, random);
    sorted.sort(keys);
    std::ranges::sort(keys);
    EXPECT_TRUE(std::ranges::equal(sorted.keys(), keys)) << count;
  }
}

TEST(MergesortSortedKeys, have_further_keys_at_their_places) {
  std::mt19937 random(2);
  for (std::size_t own = 0; own <= 40; ++own) {
    SortedKeys<int> sorted(own + 60);
    auto all = random_keys<int>(own, random);
    sorted.sort(all);
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{1}, std::size_t{20}, std::size_t{39}}) {
      auto further = random_keys<int>(count, random);
      std::ranges::sort(further);
      std::ranges::copy(further, sorted.room_for(count).begin());
      sorted.merge_further(count);
      all.insert(all.end(), further.begin(), further.end());
      std::ranges::sort(all);
      EXPECT_TRUE(std::ranges::equal(sorted.keys(), all)) << own << ' ' << count;
    }
  }
}

/// A key that counts how often one is written.
struct Counted {
  explicit Counted(int number = 0) : value(number) {}
  Counted(const Counted&) = default;
  Counted& operator=(const Counted& other) {
    ++moves;
    value = other.value;
    return *this;
  }
  bool operator<(const Counted& other) const { return value < other.value; }

  int value;
  static inline std::uint64_t moves = 0;
};

/// What SortTree does on one rank, given what its children send; counts its moves.
std::uint64_t moves_of_rank(const Problem& problem, int ranks, int rank) {
  std::mt19937 random(3);
  const auto place = tree_place(rank, ranks);
  SortedKeys<Counted> sorted(keys_of_ranks(problem, ranks, rank, place.end).size());
  const auto own =
      random_keys<Counted>(keys_of_ranks(problem, ranks, rank, rank + 1).size(), random);
  Counted::moves = 0;
  sorted.sort(own);
  for (const int child : place.children) {
    const std::size_t count =
        keys_of_ranks(problem, ranks, child, tree_place(child, ranks).end).size();
    for (Counted& key : sorted.room_for(count))
      key.value = 25;
    sorted.merge_further(count);
  }
  return Counted::moves;
}

TEST(MergesortOperations, are_as_many_as_the_program_counts) {
  for (const std::uint32_t keys : {64U, 100U, 128U, 1000U})
    for (int ranks = 1; ranks <= 32; ++ranks) {
      const Problem problem{.name = 'T', .keys = keys, .iterations = 1};
      for (int rank = 0; rank < ranks; ++rank)
        ASSERT_EQ(moves_of_rank(problem, ranks, rank), operations(problem, ranks, rank))
            << keys << " keys, rank " << rank << " of " << ranks;
    }
}

TEST(MergesortOperations, of_powers_of_two_are_n_log_n_on_any_number_of_ranks) {
  const Problem problem{.name = 'T', .keys = 1U << 12U, .iterations = 1};
  for (int ranks = 1; ranks <= 1024; ranks *= 2) {
    std::uint64_t all = 0;
    for (int rank = 0; rank < ranks; ++rank)
      all += operations(problem, ranks, rank);
    EXPECT_EQ(all, 12U << 12U) << ranks;
    // The root sorts n/p keys, and merges 2n/p, 4n/p, ..., n of them.
    const auto share = std::uint64_t{problem.keys} / static_cast<std::uint64_t>(ranks);
    const auto log2_share = static_cast<std::uint64_t>(std::bit_width(share) - 1);
    EXPECT_EQ(operations(problem, ranks, 0), share * log2_share + 2 * (problem.keys - share));
  }
}

TEST(MergesortKeys, of_the_ranks_are_all_keys_once_and_in_order) {
  const Problem problem{.name = 'T', .keys = 1000, .iterations = 1};
  for (int ranks = 1; ranks <= 40; ++ranks) {
    std::uint32_t next = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const auto part = keys_of_ranks(problem, ranks, rank, rank + 1);
      EXPECT_EQ(part.begin, next);
      EXPECT_TRUE(part.size() == problem.keys / static_cast<std::uint32_t>(ranks) ||
                  part.size() == problem.keys / static_cast<std::uint32_t>(ranks) + 1);
      next = part.end;
    }
    EXPECT_EQ(next, problem.keys);
    EXPECT_EQ(keys_of_ranks(problem, ranks, 0, ranks).size(), problem.keys);
  }
}

TEST(MergesortKeySums, are_those_of_the_same_keys_in_any_order_and_of_no_others) {
  std::mt19937 random(4);
  std::uniform_int_distribution<> value(0, std::numeric_limits<int>::max());
  for (int time = 0; time < 100; ++time) {
    Keys keys;
    for (int i = 0; i < 50; ++i)
      keys.push_back(value(random));
    const KeySums sums(keys);
    std::ranges::shuffle(keys, random);
    EXPECT_EQ(KeySums(keys), sums);
    Keys changed = keys; // with the same sum
    --changed[3];
    ++changed[7];
    EXPECT_NE(KeySums(changed), sums);
    changed = keys;
    changed[11] = changed[13];
    EXPECT_NE(KeySums(changed), sums);
    changed = keys;
    changed.push_back(0);
    EXPECT_NE(KeySums(changed), sums);
  }
}

TEST(MergesortKeys, are_spread_over_all_31_bits) {
  const Keys keys = problem_of_class('S').draw_keys();
  std::vector<int> sixteenths(16);
  for (const auto key : keys) {
    ASSERT_GE(key, 0);
    ++sixteenths[static_cast<std::size_t>(key) >> 27U];
  }
  // Each has 8192 keys on average, with a standard deviation of 88.
  for (const int count : sixteenths)
    EXPECT_NEAR(count, 8192, 5 * 88);
}

} // namespace
} // namespace apps::mergesort
