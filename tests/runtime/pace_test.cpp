#include "runtime/pace.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime {
namespace {

struct PaceTest : testing::Test {
  Seconds now{100};
  Pace pace{[this] { return now; }, Seconds{0.05}};
};

TEST_F(PaceTest, allows_a_hundredth_of_the_time_since_the_last_choice) {
  pace.begin(Seconds{2});
  EXPECT_NEAR(pace.left().value(), 0.02, 1e-12);
  pace.begin(Seconds{5});
  EXPECT_NEAR(pace.left().value(), 0.03, 1e-12);
  now += Seconds{0.01};
  EXPECT_NEAR(pace.left().value(), 0.02, 1e-12);
  now += Seconds{1};
  EXPECT_EQ(pace.left(), Seconds{});
}

TEST_F(PaceTest, allows_a_millisecond_at_least_and_what_was_asked_for_at_most) {
  pace.begin(Seconds{0.01});
  EXPECT_NEAR(pace.left().value(), 0.001, 1e-12);
  pace.begin(Seconds{1000});
  EXPECT_NEAR(pace.left().value(), 0.05, 1e-12);
}

TEST_F(PaceTest, learns_how_many_events_a_model_can_be_built_from) {
  pace.begin(Seconds{2});
  const std::size_t guess = pace.most_events();
  EXPECT_GE(guess, 100U);
  for (int choice = 0; choice < 20; ++choice) {
    pace.begin(Seconds{2.0 * choice});
    now += Seconds{1e-7} * 20'000; // 0.1 us per event
    pace.built(20'000);
  }
  pace.begin(Seconds{40});
  EXPECT_NEAR(static_cast<double>(pace.most_events()), 0.5 * 0.02 / 1e-7, 500);
  EXPECT_GT(pace.most_events(), guess);
}

TEST(pace, knows_no_limit_where_nobody_waits) {
  Pace pace{{}, Seconds{0.05}};
  EXPECT_FALSE(pace.limited());
  pace.begin(Seconds{1});
  pace.built(1000);
  EXPECT_EQ(pace.left(), Seconds{0.05});
}

} // namespace
} // namespace hypermile::runtime
