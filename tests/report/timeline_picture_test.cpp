#include "report/timeline_picture.hpp"

#include <gtest/gtest.h>

namespace hypermile::report {
namespace {

/// Computes for a second and is in MPI for a second, so many times.
model::RankTimeline rank_of(std::size_t calls) {
  model::RankTimeline rank;
  rank.operations.emplace_back();
  for (std::size_t i = 0; i < calls; ++i)
    rank.events.push_back(
        {.operation = 0, .started = 0, .ends_call = 1, .computation = 1, .duration = 1});
  return rank;
}

TEST(timeline_picture, has_the_share_that_was_computed) {
  model::Timeline timeline{.functions = {"Barrier"}, .ranks = {rank_of(100), rank_of(50)}};
  timeline.ranks[1].computation_after = Seconds{100};
  const auto picture = picture_of(timeline); // 200 columns of 1 s
  EXPECT_DOUBLE_EQ(picture.end.value(), 200);
  ASSERT_EQ(picture.computing.size(), 2U);
  for (std::size_t column = 0; column < 200; ++column) {
    EXPECT_EQ(picture.computing[0][column], column % 2 == 0 ? 100 : 0) << column;
    EXPECT_EQ(picture.computing[1][column], column >= 100 || column % 2 == 0 ? 100 : 0) << column;
  }
}

TEST(timeline_picture, is_exact_where_columns_are_longer_than_calls) {
  const auto picture = picture_of({.functions = {"Barrier"}, .ranks = {rank_of(10000)}});
  for (const int share : picture.computing[0]) // of 100 s, in which 50 s are computed
    EXPECT_EQ(share, 50);
}

TEST(timeline_picture, shows_neighbours_together) {
  model::Timeline timeline{.functions = {"Barrier"}, .ranks = {}};
  for (int rank = 0; rank < 300; ++rank)
    timeline.ranks.push_back(rank_of(rank % 3 == 0 ? 100 : 0));
  const auto picture = picture_of(timeline);
  EXPECT_EQ(picture.ranks_per_row, 3U);
  ASSERT_EQ(picture.computing.size(), 100U);
  EXPECT_EQ(picture.computing[50][0], 33); // one of three ranks
}

TEST(timeline_picture, of_a_run_without_time_is_empty) {
  EXPECT_TRUE(picture_of({.functions = {}, .ranks = {rank_of(0)}}).computing.empty());
}

} // namespace
} // namespace hypermile::report
