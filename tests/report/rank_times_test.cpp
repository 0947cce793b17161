#include "report/rank_times.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <numeric>

namespace hypermile::report {
namespace {

std::vector<RankTimes> times_of(std::size_t ranks) {
  std::vector<RankTimes> times;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    times.push_back({static_cast<double>(rank), 2.0 * static_cast<double>(rank)});
  return times;
}

TEST(rank_times, are_those_of_each_rank_as_long_as_they_can_be_shown) {
  const auto json = rank_times_json(times_of(2048));
  EXPECT_EQ(json.at("ranks_per_row"), 1);
  EXPECT_EQ(json.at("computation_s").size(), 2048U);
  EXPECT_EQ(json.at("communication_s").at(7), 14);
}

TEST(rank_times, become_means_of_neighbours) {
  const auto json = rank_times_json(times_of(10001));
  EXPECT_EQ(json.at("ranks"), 10001);
  EXPECT_EQ(json.at("ranks_per_row"), 5); // 2001 rows of at most 2048
  ASSERT_EQ(json.at("computation_s").size(), 2001U);
  EXPECT_EQ(json.at("computation_s").at(1), 7);          // of 5, 6, 7, 8, 9
  EXPECT_EQ(json.at("communication_s").at(2000), 20000); // the last row has one rank
}

} // namespace
} // namespace hypermile::report
