#include "runtime/decide/slowdown_budget.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hypermile::runtime {
namespace {

TEST(slowdown_budget, allows_what_makes_up_for_a_begin_in_gear_0) {
  SlowdownBudget budget;
  budget.spend(Seconds{10}, 0);
  EXPECT_DOUBLE_EQ(budget.allowed(0.05), 0.15); // 5 s more at 15 % are 5 % of 15 s
  EXPECT_LT(budget.aim(0.05), 0.15);
  EXPECT_GE(budget.aim(0.05), 0.05);
}

TEST(slowdown_budget, takes_back_what_was_lost_before) {
  SlowdownBudget budget;
  budget.spend(Seconds{1.06}, 0.06);
  EXPECT_NEAR(budget.allowed(0.05), 0.03, 1e-12);
  EXPECT_NEAR(budget.aim(0.05), 0.03, 1e-12);
  budget.spend(Seconds{1.06 + 0.5 * 1.03}, 0.03);
  EXPECT_NEAR(budget.allowed(0.05), 0.05, 1e-12); // 5 % in all
}

TEST(slowdown_budget, takes_back_what_turned_out_to_be_lost) {
  SlowdownBudget knew;
  knew.spend(Seconds{50}, 0.1);
  SlowdownBudget learnt;
  learnt.spend(Seconds{50}, 0);
  learnt.lose(Seconds{50} - Seconds{50} / 1.1);
  EXPECT_NEAR(learnt.allowed(0.15), knew.allowed(0.15), 1e-12);
  EXPECT_EQ(learnt.elapsed(), Seconds{50});
}

TEST(slowdown_budget, allows_nothing_while_more_was_lost_than_can_be_made_up_for) {
  SlowdownBudget budget;
  budget.spend(Seconds{1.5}, 0.5);
  EXPECT_EQ(budget.allowed(0.05), 0);
  EXPECT_EQ(budget.aim(0.05), 0);
}

/// Gear 0 does not bring back what hypermile itself has taken.
TEST(slowdown_budget, allows_gears_a_quarter_of_the_bound_whatever_hypermile_itself_has_taken) {
  SlowdownBudget budget;
  budget.spend(Seconds{0.2}, 0, Seconds{0.1});
  EXPECT_NEAR(budget.allowed(0.04), 0.03, 1e-12); // 3 % for half as long again
  budget.spend(Seconds{0.2 + 0.103}, 0.03, Seconds{0.1});
  EXPECT_NEAR(budget.allowed(0.04), 3 * 0.01 - 2 * 0.015, 1e-12);
  budget.spend(Seconds{10.303}, 0, Seconds{0.1}); // in the end the whole bound
  EXPECT_NEAR(budget.allowed(0.04), 3 * 0.04 - 2 * (10.303 / 10.2 - 1), 1e-12);
}

TEST(slowdown_budget, believes_a_measurement_more_than_a_model) {
  SlowdownBudget model_only;
  SlowdownBudget corrected;
  corrected.correct(0.1);
  for (SlowdownBudget* budget : {&model_only, &corrected})
    budget->spend(Seconds{1}, 0.02);
  EXPECT_LT(corrected.allowed(0.08), model_only.allowed(0.08));
  SlowdownBudget measured;
  measured.spend(Seconds{1}, 0.1);
  EXPECT_DOUBLE_EQ(corrected.allowed(0.08), measured.allowed(0.08));
  corrected.spend(Seconds{2}, 0.02); // once only
  measured.spend(Seconds{2}, 0.02);
  EXPECT_DOUBLE_EQ(corrected.allowed(0.08), measured.allowed(0.08));
}

TEST(slowdown_budget, has_no_more_to_spend_where_iterations_grew_shorter_by_themselves) {
  SlowdownBudget shorter;
  shorter.spend(Seconds{1}, -0.7);
  SlowdownBudget as_long;
  as_long.spend(Seconds{1}, 0);
  EXPECT_DOUBLE_EQ(shorter.allowed(0.05), as_long.allowed(0.05));
}

TEST(slowdown_budget, takes_a_bound_of_nothing_for_what_nobody_can_measure) {
  SlowdownBudget budget;
  EXPECT_DOUBLE_EQ(budget.allowed(0), budget.allowed(SlowdownBudget::least));
  EXPECT_GT(budget.aim(0), 0);
  EXPECT_LE(budget.aim(0), 0.002);
}

TEST(slowdown_budget, learns_how_far_off_expectations_are) {
  SlowdownBudget budget;
  EXPECT_EQ(budget.surprise(), 1);
  budget.spend(Seconds{1}, 0); // nothing was expected
  EXPECT_EQ(budget.surprise(), 1);
  budget.expect({{.mean = 1.04, .deviation = 0.01}});
  budget.spend(Seconds{2}, 0.07); // three deviations off
  EXPECT_NEAR(budget.surprise(), std::sqrt((1 + 9) / 2.0), 1e-9);
  budget.expect({{.mean = 1.05, .deviation = 0.01}});
  budget.spend(Seconds{4}, 0.05);
  EXPECT_NEAR(budget.surprise(), std::sqrt((1 + 9) / 3.0), 1e-9);
  budget.expect({{.mean = 1, .deviation = 0}}); // gear 0 surprises nobody
  budget.spend(Seconds{5}, 0);
  EXPECT_NEAR(budget.surprise(), std::sqrt((1 + 9) / 3.0), 1e-9);
}

TEST(slowdown_budget, is_not_surprised_by_what_no_model_can_tell) {
  SlowdownBudget budget;
  budget.expect({{.mean = 1.02, .deviation = 0}});
  budget.spend(Seconds{1}, 0.0203);
  EXPECT_LE(budget.surprise(), 1);
}

TEST(slowdown_budget, is_not_surprised_by_what_a_clock_cannot_tell) {
  SlowdownBudget budget;
  budget.expect({{.mean = 1.02, .deviation = 0}});
  budget.spend(Seconds{1}, 0.05, {}, 0.03);
  EXPECT_LE(budget.surprise(), 1);
}

TEST(slowdown_budget, counts_what_hypermile_itself_took_as_lost) {
  SlowdownBudget budget;
  budget.spend(Seconds{1.02}, 0, Seconds{0.02});
  EXPECT_NEAR(budget.allowed(0.05), 0.05 + 2 * (0.05 - 0.02), 1e-12);
  budget.spend(Seconds{2.02}, 0, Seconds{0.02}); // no more since then
  EXPECT_NEAR(budget.allowed(0.05), 0.05 + 2 * (0.05 - 0.01), 1e-12);
}

} // namespace
} // namespace hypermile::runtime
