#include "steer/bounds.hpp"

#include <gtest/gtest.h>

namespace hypermile::steer {
namespace {

const Situation nothing_arrives{
    .time = Seconds{40}, .items = 1000, .energy = Joules{2000}, .arrivals = std::nullopt};
const Situation arrivals{
    .time = Seconds{40}, .items = 1000, .energy = Joules{2000}, .arrivals = Rate{90}};

TEST(bounds, may_be_combined) {
  EXPECT_EQ(check({}), "");
  EXPECT_EQ(check({.power = Watts{90}, .throughput = Rate{200}}), "");
  EXPECT_EQ(check({.power = Watts{90}, .utilisation = 0.9}), "");
  EXPECT_EQ(check({.deadline = Seconds{60}, .energy = Joules{1}, .items = 10}), "");
  EXPECT_EQ(check({.objective = Objective::least_energy}), "");
}

TEST(bounds, that_make_no_sense_together_are_told) {
  const auto says = [](const Bounds& bounds, const char* part) {
    EXPECT_NE(check(bounds).find(part), std::string::npos) << check(bounds);
  };
  says({.deadline = Seconds{60}}, "--items N");
  says({.energy = Joules{60}}, "--items N");
  says({.items = 60}, "--deadline or --energy");
  says({.throughput = Rate{1}, .utilisation = 0.5}, "one of them");
}

TEST(bounds, suggest_an_objective) {
  EXPECT_EQ(objective_of({.power = Watts{90}, .throughput = Rate{1}}), Objective::least_power);
  EXPECT_EQ(objective_of({.utilisation = 0.9}), Objective::least_power);
  EXPECT_EQ(objective_of({.deadline = Seconds{9}, .items = 1}), Objective::least_energy);
  EXPECT_EQ(objective_of({.power = Watts{90}}), Objective::most_throughput);
  EXPECT_EQ(objective_of({.energy = Joules{90}, .items = 1}), Objective::most_throughput);
  EXPECT_EQ(objective_of({}), Objective::least_energy);
  EXPECT_EQ(objective_of({.power = Watts{90}, .objective = Objective::least_energy}),
            Objective::least_energy);
}

TEST(bounds, on_power_and_throughput_are_goals_as_they_are) {
  const Goal goal = goal_of({.power = Watts{90}, .throughput = Rate{200}}, nothing_arrives);
  EXPECT_EQ(goal.most_power, Watts{90});
  EXPECT_EQ(goal.least_throughput, Rate{200});
  EXPECT_EQ(goal.most_energy_per_item, std::nullopt);
  EXPECT_EQ(goal.arrivals, std::nullopt);
}

TEST(deadline, asks_for_what_is_left_in_the_time_that_is_left) {
  const Bounds bounds{.deadline = Seconds{100}, .items = 4000};
  EXPECT_EQ(goal_of(bounds, nothing_arrives).least_throughput, Rate{3000.0 / 60});
}

TEST(deadline, and_throughput_ask_for_the_stricter_of_both) {
  Bounds bounds{.throughput = Rate{60}, .deadline = Seconds{100}, .items = 4000};
  EXPECT_EQ(goal_of(bounds, nothing_arrives).least_throughput, Rate{60});
  bounds.throughput = Rate{40};
  EXPECT_EQ(goal_of(bounds, nothing_arrives).least_throughput, Rate{50});
}

TEST(deadline, that_has_passed_asks_for_as_much_as_there_may_be) {
  const Goal goal = goal_of({.deadline = Seconds{30}, .items = 4000}, nothing_arrives);
  EXPECT_GT(goal.least_throughput.value(), Rate{1e5});
}

TEST(deadline, of_work_that_is_done_asks_for_nothing) {
  for (const double time : {40.0, 200.0}) {
    Situation done = nothing_arrives;
    done.time = Seconds{time};
    EXPECT_EQ(goal_of({.deadline = Seconds{100}, .items = 1000}, done).least_throughput,
              std::nullopt);
  }
}

TEST(energy, is_what_is_left_for_each_item_that_is_left) {
  const Bounds bounds{.energy = Joules{5000}, .items = 4000};
  EXPECT_EQ(goal_of(bounds, nothing_arrives).most_energy_per_item, Joules{1});
}

TEST(energy, that_is_spent_leaves_hardly_anything) {
  const Bounds bounds{.energy = Joules{1500}, .items = 4000};
  const Joules left = goal_of(bounds, nothing_arrives).most_energy_per_item.value();
  EXPECT_GT(left, Joules{0});
  EXPECT_LT(left, Joules{0.01});
}

TEST(energy, for_work_that_is_done_is_no_bound) {
  const Bounds bounds{.energy = Joules{1500}, .items = 1000};
  EXPECT_EQ(goal_of(bounds, nothing_arrives).most_energy_per_item, std::nullopt);
}

TEST(utilisation, asks_for_more_capacity_than_what_arrives) {
  const Goal goal = goal_of({.utilisation = 0.75}, arrivals);
  EXPECT_EQ(goal.least_throughput, Rate{120});
  EXPECT_EQ(goal.arrivals, Rate{90});
  EXPECT_EQ(goal.objective, Objective::least_power);
}

TEST(utilisation, asks_for_nothing_while_nothing_is_known_to_arrive) {
  EXPECT_EQ(goal_of({.utilisation = 0.75}, nothing_arrives).least_throughput, std::nullopt);
  Situation idle = arrivals;
  idle.arrivals = Rate{0};
  EXPECT_EQ(goal_of({.utilisation = 0.75}, idle).least_throughput, std::nullopt);
}

TEST(power, of_a_program_that_reports_arrivals_is_no_more_than_they_need) {
  const Goal goal = goal_of({.power = Watts{50}}, arrivals);
  EXPECT_EQ(goal.least_throughput, Rate{90 / comfortable});
  EXPECT_EQ(goal.objective, Objective::least_power);
  EXPECT_EQ(goal.most_power, Watts{50});
}

TEST(power, is_used_up_where_a_user_asks_for_the_most_throughput) {
  const Goal goal =
      goal_of({.power = Watts{50}, .objective = Objective::most_throughput}, arrivals);
  EXPECT_EQ(goal.least_throughput, std::nullopt);
  EXPECT_EQ(goal.objective, Objective::most_throughput);
}

TEST(overload, is_met_with_as_much_as_the_other_bounds_allow) {
  for (const Bounds& bounds :
       {Bounds{.power = Watts{50}}, Bounds{.power = Watts{50}, .utilisation = 0.9}}) {
    const auto goal = goal_of_overloaded(bounds, arrivals);
    ASSERT_TRUE(goal.has_value());
    EXPECT_EQ(goal->objective, Objective::most_throughput);
    EXPECT_EQ(goal->most_power, Watts{50});
    EXPECT_EQ(goal->least_throughput, std::nullopt);
    EXPECT_EQ(goal->arrivals, std::nullopt);
  }
}

TEST(overload, does_not_exist_where_arrivals_ask_for_nothing) {
  EXPECT_EQ(goal_of_overloaded({.utilisation = 0.9}, nothing_arrives), std::nullopt);
  EXPECT_EQ(goal_of_overloaded({.throughput = Rate{100}}, arrivals), std::nullopt);
  EXPECT_EQ(goal_of_overloaded({.deadline = Seconds{100}, .items = 4000}, arrivals), std::nullopt);
}

} // namespace
} // namespace hypermile::steer
