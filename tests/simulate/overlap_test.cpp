// How much longer a link would need for what it was given at a time.

#include "simulate/overlap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace hypermile::simulate {
namespace {

TEST(Overlap, is_nothing_where_messages_come_one_after_the_other) {
  Overlap overlap(2);
  overlap.add(0, Seconds{1}, Seconds{2});
  overlap.add(0, Seconds{2}, Seconds{3});
  overlap.add(1, Seconds{1}, Seconds{3}); // another link
  EXPECT_EQ(overlap.largest(), Seconds{});
  EXPECT_EQ(Overlap(0).largest(), Seconds{});
}

TEST(Overlap, is_that_of_the_link_that_is_worst_off) {
  Overlap overlap(2);
  overlap.add(0, Seconds{4}, Seconds{8});
  overlap.add(0, Seconds{1}, Seconds{5});
  overlap.add(1, Seconds{1}, Seconds{5});
  overlap.add(1, Seconds{2}, Seconds{3});
  overlap.add(1, Seconds{2}, Seconds{4});
  EXPECT_DOUBLE_EQ(overlap.largest().value(), 3);
}

/// Tick by tick: so many messages beyond the first.
TEST(Overlap, is_what_counting_finds) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Overlap overlap(1);
    std::vector<int> messages(60, 0);
    for (int m = 0; m < round % 12; ++m) {
      const int begin = std::uniform_int_distribution(0, 40)(random);
      const int end = begin + std::uniform_int_distribution(0, 19)(random);
      overlap.add(0, Seconds{static_cast<double>(begin)}, Seconds{static_cast<double>(end)});
      for (int tick = begin; tick < end; ++tick)
        ++messages[static_cast<std::size_t>(tick)];
    }
    int more = 0;
    for (const int at_a_time : messages)
      more += std::max(0, at_a_time - 1);
    EXPECT_DOUBLE_EQ(overlap.largest().value(), more) << round;
  }
}

} // namespace
} // namespace hypermile::simulate
