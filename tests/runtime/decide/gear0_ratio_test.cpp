#include "runtime/decide/gear0_ratio.hpp"

#include "runtime/decide/prediction_bias.hpp"
#include "support/nodes.hpp"
#include "support/recorded.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hypermile::runtime {
namespace {

using test::node;

Measurement measured(std::size_t gear, double computation, double communication, double calls = 1) {
  return {.node = node("n"),
          .gear = gear,
          .computation = Seconds{computation},
          .computation_in_gear0 = Seconds{computation},
          .communication = Seconds{communication},
          .calls = calls};
}

TEST(ratio, knows_nothing_before_gear_0_was_measured) {
  Gear0Ratio ratio;
  EXPECT_FALSE(ratio.time_ratio({measured(0, 1, 1)}));
  ratio.learn({measured(0, 1, 1)});
  EXPECT_TRUE(ratio.time_ratio({measured(0, 1, 1)}));
  ratio.forget();
  EXPECT_FALSE(ratio.time_ratio({measured(0, 1, 1)}));
}

TEST(ratio, compares_the_longest_iterations) {
  Gear0Ratio ratio;
  ratio.learn({measured(0, 1, 1), measured(0, 1.9, 0.1)});
  EXPECT_DOUBLE_EQ(*ratio.time_ratio({measured(1, 2, 0.2), measured(0, 1.9, 0.3)}), 1.1);
}

TEST(ratio, does_not_expect_memory_to_slow_down_with_the_clock) {
  Gear0Ratio ratio;
  ratio.learn({measured(0, 1, 0.5)});
  EXPECT_DOUBLE_EQ(*ratio.time_ratio({measured(1, 1.1, 0.5)}), 1.6 / 1.5);
}

TEST(ratio, allows_for_iterations_that_have_become_longer) {
  Gear0Ratio ratio;
  ratio.learn({measured(0, 1, 0.5), measured(0, 0.5, 1)});
  // Half as much again to compute, in gear 1.
  EXPECT_DOUBLE_EQ(*ratio.time_ratio({measured(1, 3, 0.5), measured(0, 0.5, 3)}), 3.5 / 2);
  // What is within the noise is no growth.
  EXPECT_DOUBLE_EQ(*ratio.time_ratio({measured(0, 1.04, 0.5), measured(0, 0.5, 1.04)}), 1.54 / 1.5);
}

TEST(ratio, is_outdated_once_ranks_have_a_quarter_more_to_compute_or_less) {
  Gear0Ratio ratio;
  EXPECT_FALSE(ratio.is_outdated({measured(0, 9, 1)})); // there is none
  ratio.learn({measured(0, 1, 0.5)});
  EXPECT_FALSE(ratio.is_outdated({measured(0, 1.2, 0.5)}));
  EXPECT_TRUE(ratio.is_outdated({measured(0, 1.3, 0.5)}));
  EXPECT_TRUE(ratio.is_outdated({measured(0, 0.75, 0.5)}));
  EXPECT_FALSE(ratio.is_outdated({measured(1, 2.2, 0.5)})); // gear 1 has S = 2
}

TEST(ratio, sees_that_an_outer_loop_has_taken_over) {
  Gear0Ratio ratio;
  ratio.learn({measured(0, 1, 0.5, 10)});
  EXPECT_DOUBLE_EQ(*ratio.time_ratio({measured(0, 4, 2, 40)}), 1);
  EXPECT_DOUBLE_EQ(*ratio.time_ratio({measured(0, 0.25, 0.125, 2.5)}), 1);
  // Who polls calls more often the longer it waits.
  EXPECT_DOUBLE_EQ(*ratio.time_ratio({measured(0, 1, 0.6, 40)}), 1.6 / 1.5);
}

TEST(ratio, extends_to_a_loop_that_has_as_many_times_the_calls_as_the_work) {
  Gear0Ratio ratio;
  EXPECT_TRUE(ratio.extends_to({measured(0, 1, 0.5, 10)})); // nothing is known
  ratio.learn({measured(0, 1, 0.5, 10)});
  EXPECT_TRUE(ratio.extends_to({measured(0, 3, 1.5, 31)}));
  EXPECT_TRUE(ratio.extends_to({measured(1, 6, 1.5, 31)})); // S is 2
  EXPECT_FALSE(ratio.extends_to({measured(0, 1.2, 0.8, 30)}));
  EXPECT_FALSE(ratio.extends_to({measured(0, 3, 1.5, 10)}));
}

TEST(ratio, tells_only_what_the_same_loop_has_shown_to_two_percent) {
  Gear0Ratio ratio;
  Measurement gear0 = measured(0, 1, 0.5, 10);
  gear0.deviation = Seconds{0.015}; // 1 %
  ratio.learn({gear0});
  EXPECT_DOUBLE_EQ(*ratio.tellable_time_ratio({measured(0, 1, 0.8, 10)}), 1.8 / 1.5);
  EXPECT_FALSE(ratio.tellable_time_ratio({measured(0, 4, 2, 40)}));
  Measurement noisy = measured(0, 1, 0.5, 10);
  noisy.deviation = Seconds{0.045}; // 3 %
  EXPECT_FALSE(ratio.tellable_time_ratio({noisy}));
}

TEST(ratio, learns_more_of_gear_0_from_every_measurement) {
  Gear0Ratio ratio;
  Measurement first = measured(0, 1, 0.4);
  Measurement more = measured(0, 1, 0.6);
  first.deviation = Seconds{0.14}; // 10 %
  more.deviation = Seconds{0.16};  // 10 %
  ratio.learn({first});
  EXPECT_NEAR(ratio.reference_error(), 0.1, 1e-9);
  ratio.learn({more});
  EXPECT_NEAR(ratio.reference_error(), 0.1 / std::sqrt(2), 1e-9);
  EXPECT_NEAR(*ratio.time_ratio({measured(0, 1, 0.5)}), 1, 1e-9);
}

TEST(ratio, forgets_gear_0_where_iterations_have_changed_since) {
  Gear0Ratio ratio;
  Measurement then = measured(0, 1, 0.5);
  then.deviation = Seconds{0.015};
  ratio.learn({then});
  Measurement now = measured(0, 0.9, 0.4);
  now.deviation = Seconds{0.013};
  ratio.learn({now});
  EXPECT_DOUBLE_EQ(*ratio.time_ratio({now}), 1);
}

TEST(ratio, knows_its_error_from_the_recorded_iterations) {
  Gear0Ratio ratio;
  const auto even = test::recorded({{0.001}, {0.002}}, 16);
  ratio.learn(even);
  EXPECT_NEAR(ratio.error(even), 0, 1e-6);
  auto uneven = even;
  for (Measurement& m : uneven)
    for (std::size_t e = 0; e < m.timeline->events.size(); e += 4) // every other iteration
      m.timeline->events[e].computation += 0.001F;
  // 2.1 and 3.1 ms in turn: 15 of them are known, of which 8 are long.
  EXPECT_NEAR(ratio.error(uneven), 0.516 / std::sqrt(15) / 2.633, 0.002);
}

TEST(prediction_bias, weighs_what_it_learns_by_how_sure_that_is) {
  PredictionBias sure;
  sure.learn(0.04, 0.001);
  EXPECT_NEAR(sure.value(), 0.04, 0.001);
  PredictionBias unsure;
  unsure.learn(0.04, 0.1);
  EXPECT_LT(unsure.value(), 0.01);
  EXPECT_GT(unsure.value(), 0.005);
  for (int i = 0; i < 50; ++i)
    unsure.learn(0.04, 0.02);
  EXPECT_NEAR(unsure.value(), 0.04, 0.002);
}

TEST(prediction_bias, is_never_negative_and_fades_where_nothing_is_tried) {
  PredictionBias bias;
  bias.learn(-0.1, 0);
  EXPECT_EQ(bias.value(), 0);
  PredictionBias other;
  other.learn(0.1, 0);
  const double before = other.value();
  other.relax();
  EXPECT_LT(other.value(), before);
}

} // namespace
} // namespace hypermile::runtime
