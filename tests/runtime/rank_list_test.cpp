#include "runtime/rank_list.hpp"

#include <gtest/gtest.h>

using hypermile::runtime::rank_list;

TEST(rank_list, joins_ranks_that_follow_each_other) {
  EXPECT_EQ(rank_list({3}), "rank 3");
  EXPECT_EQ(rank_list({0, 1}), "ranks 0, 1");
  EXPECT_EQ(rank_list({0, 1, 2}), "ranks 0-2");
  EXPECT_EQ(rank_list({0, 2, 3, 4, 7, 8}), "ranks 0, 2-4, 7, 8");
}
