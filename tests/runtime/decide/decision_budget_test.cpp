#include "runtime/decide/decision_budget.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime {
namespace {

struct PaceTest : testing::Test {
  Seconds now{100};
  DecisionBudget decision_budget{[this] { return now; }, Seconds{0.05}};

  void take(Seconds time) {
    now += time;
    decision_budget.end();
  }
};

TEST_F(PaceTest, allows_half_of_what_is_left_of_a_hundredth_of_the_time_and_ten_milliseconds) {
  decision_budget.begin(Seconds{2});
  EXPECT_NEAR(decision_budget.left().value(), 0.015, 1e-12);
  take(Seconds{0.01});
  decision_budget.begin(Seconds{5});
  EXPECT_NEAR(decision_budget.left().value(), 0.025, 1e-12);
  now += Seconds{0.02};
  EXPECT_NEAR(decision_budget.left().value(), 0.005, 1e-12);
  now += Seconds{1};
  EXPECT_EQ(decision_budget.left(), Seconds{});
}

TEST_F(PaceTest, all_choices_together_take_little_more_than_that) {
  Seconds taken;
  for (int choice = 1; choice <= 100; ++choice) {
    decision_budget.begin(Seconds{0.1 * choice});
    const Seconds all = decision_budget.left();
    taken += all;
    take(all);
  }
  EXPECT_LT(taken, Seconds{0.01 * 10 + 0.010 + 0.001 * 10});
}

TEST_F(PaceTest, allows_a_millisecond_at_least_and_what_was_asked_for_at_most) {
  decision_budget.begin(Seconds{0.01});
  take(Seconds{0.02});
  decision_budget.begin(Seconds{0.02});
  EXPECT_NEAR(decision_budget.left().value(), 0.001, 1e-12);
  take(Seconds{});
  decision_budget.begin(Seconds{1000});
  EXPECT_NEAR(decision_budget.left().value(), 0.05, 1e-12);
}

TEST_F(PaceTest, learns_how_many_events_a_model_can_be_built_from) {
  decision_budget.begin(Seconds{2});
  const std::size_t guess = decision_budget.most_events();
  EXPECT_GE(guess, 100U);
  take(Seconds{});
  for (int choice = 0; choice < 20; ++choice) {
    decision_budget.begin(Seconds{2});
    now += Seconds{1e-7} * 20'000; // 0.1 us per event
    decision_budget.built(20'000);
  }
  decision_budget.begin(Seconds{2});
  EXPECT_NEAR(static_cast<double>(decision_budget.most_events()), 0.7 * 0.015 / 1e-7, 4000);
  EXPECT_NEAR(static_cast<double>(decision_budget.good_events()), 0.4 * 0.015 / 1e-7, 2500);
  EXPECT_GT(decision_budget.most_events(), guess);
}

TEST_F(PaceTest, builds_from_fewer_events_where_something_else_has_taken_time_before) {
  decision_budget.begin(Seconds{2});
  const std::size_t at_once = decision_budget.most_events();
  now += Seconds{0.0075};
  decision_budget.build();
  EXPECT_NEAR(static_cast<double>(decision_budget.most_events()), static_cast<double>(at_once) / 2,
              1);
  now += Seconds{1e-6} * 1500; // which is what an event takes
  decision_budget.built(1000);
  EXPECT_NEAR(static_cast<double>(decision_budget.most_events()),
              static_cast<double>(at_once) / 2 * 1.2, 2);
}

TEST_F(PaceTest, does_not_take_the_cost_of_a_model_for_that_of_its_few_events) {
  decision_budget.begin(Seconds{0.1});
  const std::size_t before = decision_budget.most_events();
  now += Seconds{0.0015};
  decision_budget.built(8);
  EXPECT_GT(decision_budget.most_events(), before / 2);
}

TEST(decision_budget, knows_no_limit_where_nobody_waits) {
  DecisionBudget decision_budget{{}, Seconds{0.05}};
  EXPECT_FALSE(decision_budget.limited());
  decision_budget.begin(Seconds{1});
  decision_budget.built(1000);
  EXPECT_EQ(decision_budget.left(), Seconds{0.05});
  decision_budget.end();
}

} // namespace
} // namespace hypermile::runtime
