#include "steer/sample.hpp"

#include <gtest/gtest.h>

namespace hypermile::steer {
namespace {

Sample sample(double items, std::optional<double> arrivals, double busy) {
  return {.time = Seconds{10},
          .length = Seconds{2},
          .items = items,
          .arrivals = arrivals,
          .busy = busy,
          .power = Watts{50},
          .items_so_far = 1000,
          .energy_so_far = Joules{500}};
}

TEST(sample, of_a_program_without_arrivals_is_of_one_that_always_has_work) {
  const Sample one = sample(100, std::nullopt, 0.25);
  EXPECT_EQ(load_of(one), 1);
  EXPECT_EQ(capacity_of(one), Rate{50});
}

TEST(sample, tells_what_could_be_done_from_how_busy_the_program_was) {
  const Sample one = sample(100, 100, 0.25);
  EXPECT_EQ(load_of(one), 0.25);
  EXPECT_EQ(capacity_of(one), Rate{200});
}

TEST(sample, of_a_program_that_is_nearly_always_busy_is_under_full_load) {
  EXPECT_EQ(load_of(sample(100, 100, 0.98)), 1);
  EXPECT_EQ(load_of(sample(100, 100, 0.96)), 0.96);
}

TEST(sample, of_a_program_that_falls_behind_is_under_full_load_whatever_it_waits_for) {
  EXPECT_EQ(load_of(sample(100, 200, 0.5)), 1);
  EXPECT_EQ(load_of(sample(100, 120, 0.5)), 0.5); // it may catch up
  EXPECT_EQ(load_of(sample(1, 10, 0.5)), 0.5);    // so few may be chance
}

TEST(sample, that_is_short_cannot_tell_a_program_that_falls_behind_from_a_rush) {
  Sample one = sample(100, 200, 0.5);
  one.length = Seconds{0.1};
  EXPECT_EQ(load_of(one), 0.5);
}

TEST(sample, of_a_meter_that_stood_still_tells_nothing) {
  Sample one = sample(100, 100, 0.5);
  one.power = Watts{0};
  EXPECT_EQ(capacity_of(one), std::nullopt);
}

TEST(sample, in_which_nothing_was_done_tells_no_capacity) {
  EXPECT_EQ(capacity_of(sample(0, std::nullopt, 1)), std::nullopt);
  EXPECT_EQ(capacity_of(sample(0, 100, 1)), std::nullopt);
  EXPECT_EQ(capacity_of(sample(-5, std::nullopt, 1)), std::nullopt); // its count began anew
}

TEST(sample, of_a_program_that_was_hardly_busy_tells_no_capacity) {
  EXPECT_EQ(capacity_of(sample(1, 1, 0.01)), std::nullopt);
  EXPECT_GT(load_of(sample(1, 1, 0)), 0);
}

TEST(sample, joined_with_the_next_is_the_mean_of_both) {
  Sample first = sample(10, 30, 0.5);
  const Sample second{.time = Seconds{16},
                      .length = Seconds{6},
                      .items = 50,
                      .arrivals = 40,
                      .busy = 0.9,
                      .power = Watts{70},
                      .items_so_far = 1050,
                      .energy_so_far = Joules{920}};
  const Sample both = joined(first, second);
  EXPECT_EQ(both.time, Seconds{16});
  EXPECT_EQ(both.length, Seconds{8});
  EXPECT_EQ(both.items, 60);
  EXPECT_EQ(both.arrivals, 70);
  EXPECT_DOUBLE_EQ(both.busy, 0.8);
  EXPECT_DOUBLE_EQ(both.power.value(), 65);
  EXPECT_EQ(both.items_so_far, 1050);
  EXPECT_EQ(both.energy_so_far, Joules{920});
  first.arrivals.reset(); // the program has only begun to report them
  EXPECT_EQ(joined(first, second).arrivals, 40);
}

} // namespace
} // namespace hypermile::steer
