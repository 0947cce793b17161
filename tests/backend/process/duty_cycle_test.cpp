#include "backend/process/duty_cycle.hpp"

#include <gtest/gtest.h>

namespace hypermile::backend::process {
namespace {

/// The share of a long time that a program runs whose phases all are switched this late.
double share(double scale, Seconds late) {
  DutyCycle cycle;
  Seconds now{1000};
  const Seconds begin = now;
  Seconds ran;
  cycle.start(scale, now);
  while (now - begin < Seconds{10}) {
    const Seconds next = cycle.switch_at() + late;
    if (!cycle.pauses())
      ran += next - now;
    now = next;
    cycle.switch_phase(now);
  }
  return ran / (now - begin);
}

TEST(DutyCycle, runs_its_share_of_the_time) {
  for (const double scale : {1.0, 1.02, 1.5, 2.0, 4.0, 10.0})
    EXPECT_NEAR(share(scale, Seconds{}), 1 / scale, 0.005) << scale;
}

TEST(DutyCycle, makes_up_for_phases_that_were_switched_late) {
  for (const double scale : {1.02, 1.5, 2.0, 4.0})
    EXPECT_NEAR(share(scale, Seconds{3e-3}), 1 / scale, 0.01) << scale;
}

TEST(DutyCycle, has_periods_of_20_ms) {
  DutyCycle cycle;
  cycle.start(4, Seconds{0});
  EXPECT_FALSE(cycle.pauses());
  EXPECT_DOUBLE_EQ(cycle.switch_at().value(), 0.005);
  cycle.switch_phase(Seconds{0.005});
  EXPECT_TRUE(cycle.pauses());
  EXPECT_DOUBLE_EQ(cycle.switch_at().value(), 0.020);
}

TEST(DutyCycle, never_pauses_at_full_speed) {
  DutyCycle cycle;
  cycle.start(1, Seconds{0});
  EXPECT_FALSE(cycle.slows());
  cycle.switch_phase(Seconds{1});
  EXPECT_FALSE(cycle.pauses());
}

TEST(DutyCycle, does_not_make_up_for_a_machine_that_slept) {
  DutyCycle cycle;
  cycle.start(2, Seconds{0});
  cycle.switch_phase(Seconds{3600});
  EXPECT_TRUE(cycle.pauses());
  EXPECT_LE(cycle.switch_at().value(), 3600.1);
}

} // namespace
} // namespace hypermile::backend::process
