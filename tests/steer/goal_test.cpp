#include "steer/goal.hpp"

#include <gtest/gtest.h>

namespace hypermile::steer {
namespace {

const Performance performance{Rate{100}, Watts{50}};

TEST(goal, throughput_is_what_arrives_or_what_can_be_done) {
  Goal goal;
  EXPECT_EQ(throughput(goal, Rate{100}), Rate{100});
  EXPECT_EQ(load(goal, Rate{100}), 1);
  goal.arrivals = Rate{80};
  EXPECT_EQ(throughput(goal, Rate{100}), Rate{80});
  EXPECT_DOUBLE_EQ(load(goal, Rate{100}), 0.8);
  EXPECT_EQ(throughput(goal, Rate{60}), Rate{60});
  EXPECT_EQ(load(goal, Rate{60}), 1);
}

TEST(goal, a_goal_without_bounds_is_always_kept) {
  EXPECT_LT(excess({}, performance), 0);
  EXPECT_LT(excess({.arrivals = Rate{1e9}}, performance), 0);
}

TEST(goal, excess_is_the_share_by_which_a_bound_is_missed) {
  EXPECT_DOUBLE_EQ(excess({.least_throughput = Rate{200}}, performance), 0.5);
  EXPECT_DOUBLE_EQ(excess({.least_throughput = Rate{80}}, performance), -0.25);
  EXPECT_DOUBLE_EQ(excess({.most_power = Watts{40}}, performance), 0.25);
  EXPECT_DOUBLE_EQ(excess({.most_power = Watts{100}}, performance), -0.5);
  EXPECT_DOUBLE_EQ(excess({.most_energy_per_item = Joules{0.25}}, performance), 1); // 0.5 J
  EXPECT_DOUBLE_EQ(excess({.most_energy_per_item = Joules{1}}, performance), -0.5);
}

TEST(goal, exactly_at_a_bound_keeps_it) {
  EXPECT_EQ(excess({.least_throughput = Rate{100}, .most_power = Watts{50}}, performance), 0);
}

TEST(goal, excess_is_that_of_the_bound_missed_worst) {
  const Goal goal{.least_throughput = Rate{125}, .most_power = Watts{40}};
  EXPECT_DOUBLE_EQ(excess(goal, performance), 0.25);
  EXPECT_DOUBLE_EQ(excess(goal, {Rate{100}, Watts{30}}), 0.2);
}

TEST(goal, a_bound_on_throughput_asks_for_capacity_whatever_arrives) {
  const Goal goal{.least_throughput = Rate{90}, .arrivals = Rate{10}};
  EXPECT_LT(excess(goal, performance), 0);
  EXPECT_GT(excess(goal, {Rate{80}, Watts{50}}), 0);
}

TEST(goal, energy_per_item_counts_items_that_arrive) {
  const Goal goal{.most_energy_per_item = Joules{1}, .arrivals = Rate{25}};
  EXPECT_DOUBLE_EQ(excess(goal, performance), 1); // 2 J per item
}

TEST(goal, worth_rises_with_what_is_wanted) {
  const Performance faster{Rate{120}, Watts{60}};
  const Performance thrifty{Rate{90}, Watts{40}};
  const auto ratio = [&](Objective objective, const Performance& other) {
    return worth({.objective = objective}, other) / worth({.objective = objective}, performance);
  };
  EXPECT_DOUBLE_EQ(ratio(Objective::most_throughput, faster), 1.2);
  EXPECT_DOUBLE_EQ(ratio(Objective::least_power, thrifty), 1.25);
  EXPECT_DOUBLE_EQ(ratio(Objective::least_energy, faster), 1);
  EXPECT_DOUBLE_EQ(ratio(Objective::least_energy, thrifty), 1.125);
}

TEST(goal, capacity_that_nobody_asks_for_is_worth_nothing) {
  const Performance faster{Rate{200}, Watts{50}};
  for (const auto objective : {Objective::most_throughput, Objective::least_energy}) {
    const Goal goal{.objective = objective, .arrivals = Rate{70}};
    EXPECT_EQ(worth(goal, faster), worth(goal, performance));
  }
}

TEST(goal, describes_itself_to_a_user) {
  EXPECT_EQ(describe({}), "least power");
  EXPECT_EQ(describe({.objective = Objective::most_throughput, .most_power = Watts{90}}),
            "at most 90 W; most throughput");
  EXPECT_EQ(describe({.objective = Objective::least_energy,
                      .least_throughput = Rate{200},
                      .most_power = Watts{90},
                      .most_energy_per_item = Joules{0.5}}),
            "at least 200 items/s, at most 90 W, at most 0.5 J/item; least energy per item");
}

} // namespace
} // namespace hypermile::steer
