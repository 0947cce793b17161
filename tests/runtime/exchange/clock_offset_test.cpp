#include "runtime/exchange/clock_offset.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace hypermile::runtime {
namespace {

/// A question at `asked` on the own clock, the other being `ahead`, and the ways taking so long.
RoundTrip trip(double asked, double ahead, double there, double back) {
  return {Seconds{asked}, Seconds{asked + there + ahead}, Seconds{asked + there + back}};
}

TEST(clock_offset, is_exact_where_both_ways_take_as_long) {
  const auto offset = estimate_offset(std::vector{trip(100, 40, 0.25, 0.25)});
  ASSERT_TRUE(offset);
  EXPECT_DOUBLE_EQ(offset->offset.value(), 40);
  EXPECT_DOUBLE_EQ(offset->error.value(), 0.25);
  EXPECT_DOUBLE_EQ(on_other_clock(*offset, Seconds{7}).value(), 47);
}

TEST(clock_offset, is_that_of_the_shortest_round_trip) {
  const auto offset = estimate_offset(
      std::vector{trip(1, -3, 0.5, 4), trip(6, -3, 0.125, 0.25), trip(9, -3, 2, 0.125)});
  ASSERT_TRUE(offset);
  EXPECT_DOUBLE_EQ(offset->error.value(), 0.1875);
  EXPECT_NEAR(offset->offset.value(), -3, 0.1875);
}

TEST(clock_offset, is_within_its_error_whatever_the_ways_take) {
  std::mt19937 engine(1);
  std::exponential_distribution<double> delay(1e5);
  for (int i = 0; i < 1000; ++i) {
    std::vector<RoundTrip> trips;
    for (int t = 0; t < 8; ++t)
      trips.push_back(trip(t, 1234.5, delay(engine), delay(engine)));
    const auto offset = estimate_offset(trips);
    ASSERT_TRUE(offset);
    EXPECT_LE(std::abs(offset->offset.value() - 1234.5), offset->error.value() + 1e-12);
  }
}

TEST(clock_offset, is_unknown_without_a_round_trip_that_makes_sense) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(estimate_offset({}));
  EXPECT_FALSE(estimate_offset(std::vector{trip(1, 0, -2, 1)}));
  EXPECT_FALSE(estimate_offset(std::vector{trip(1, infinity, 1, 1)}));
  EXPECT_FALSE(estimate_offset(std::vector{trip(1, std::nan(""), 1, 1)}));
  const auto offset = estimate_offset(std::vector{trip(1, 0, -2, 1), trip(1, 5, 1, 1)});
  ASSERT_TRUE(offset);
  EXPECT_DOUBLE_EQ(offset->offset.value(), 5);
}

TEST(clock_offset, adds_up_along_a_chain_of_ranks_with_its_error) {
  const ClockOffset parent{Seconds{10}, Seconds{0.5}};
  const ClockOffset of_rank_0{Seconds{-4}, Seconds{0.25}};
  const ClockOffset sum = compose(parent, of_rank_0);
  EXPECT_DOUBLE_EQ(sum.offset.value(), 6);
  EXPECT_DOUBLE_EQ(sum.error.value(), 0.75);
}

} // namespace
} // namespace hypermile::runtime
