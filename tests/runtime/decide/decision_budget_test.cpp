#include "runtime/decide/decision_budget.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime {
namespace {

struct PaceTest : testing::Test {
  Seconds now{100};
  DecisionBudget decision_budget{[this] { return now; }, Seconds{0.05}};
};

TEST_F(PaceTest, allows_a_hundredth_of_the_time_since_the_last_choice) {
  decision_budget.begin(Seconds{2});
  EXPECT_NEAR(decision_budget.left().value(), 0.02, 1e-12);
  decision_budget.begin(Seconds{5});
  EXPECT_NEAR(decision_budget.left().value(), 0.03, 1e-12);
  now += Seconds{0.01};
  EXPECT_NEAR(decision_budget.left().value(), 0.02, 1e-12);
  now += Seconds{1};
  EXPECT_EQ(decision_budget.left(), Seconds{});
}

TEST_F(PaceTest, allows_a_millisecond_at_least_and_what_was_asked_for_at_most) {
  decision_budget.begin(Seconds{0.01});
  EXPECT_NEAR(decision_budget.left().value(), 0.001, 1e-12);
  decision_budget.begin(Seconds{1000});
  EXPECT_NEAR(decision_budget.left().value(), 0.05, 1e-12);
}

TEST_F(PaceTest, learns_how_many_events_a_model_can_be_built_from) {
  decision_budget.begin(Seconds{2});
  const std::size_t guess = decision_budget.most_events();
  EXPECT_GE(guess, 100U);
  for (int choice = 0; choice < 20; ++choice) {
    decision_budget.begin(Seconds{2.0 * choice});
    now += Seconds{1e-7} * 20'000; // 0.1 us per event
    decision_budget.built(20'000);
  }
  decision_budget.begin(Seconds{40});
  EXPECT_NEAR(static_cast<double>(decision_budget.most_events()), 0.5 * 0.02 / 1e-7, 500);
  EXPECT_GT(decision_budget.most_events(), guess);
}

TEST(decision_budget, knows_no_limit_where_nobody_waits) {
  DecisionBudget decision_budget{{}, Seconds{0.05}};
  EXPECT_FALSE(decision_budget.limited());
  decision_budget.begin(Seconds{1});
  decision_budget.built(1000);
  EXPECT_EQ(decision_budget.left(), Seconds{0.05});
}

} // namespace
} // namespace hypermile::runtime
