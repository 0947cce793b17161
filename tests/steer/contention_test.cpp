// Other programs that use the same cores.

#include "steer/simulated.hpp"

#include <gtest/gtest.h>

namespace hypermile::steer {
namespace {

using test::Behaviour;
using test::Simulated;
using test::Steered;

/// From 30 s to 90 s other programs take a part of its cores.
Simulated disturbed(double left) {
  Simulated program;
  program.noise = 0.02;
  program.left = [=](double time) { return time > 30 && time < 90 ? left : 1.0; };
  return program;
}

Sample sample_of(double items, double busy, double contended) {
  Sample sample{};
  sample.length = Seconds{1};
  sample.items = items;
  sample.busy = busy;
  sample.contended = contended;
  sample.power = Watts{50};
  return sample;
}

TEST(contention, does_not_change_what_a_program_could_do) {
  EXPECT_EQ(granted(sample_of(100, 0.5, 0)), 1);
  EXPECT_DOUBLE_EQ(granted(sample_of(100, 0.5, 0.25)), 2.0 / 3);
  EXPECT_EQ(granted(sample_of(0, 0, 0)), 1);
  EXPECT_EQ(capacity_of(sample_of(100, 1, 0)), Rate{100});
  EXPECT_EQ(capacity_of(sample_of(50, 0.5, 0.5)), Rate{100});
  EXPECT_DOUBLE_EQ(capacity_of(sample_of(40, 0.4, 0.2)).value().value(), 60); // it would still idle
  Sample open = sample_of(30, 0.3, 0.3); // it did all that came
  open.arrivals = 30;
  EXPECT_EQ(load_of(open), 0.3);
  EXPECT_EQ(capacity_of(open), Rate{100});
  open = sample_of(50, 0.5, 0.5); // more comes than it gets to
  open.arrivals = 90;
  EXPECT_EQ(load_of(open), 1);
  EXPECT_EQ(capacity_of(open), Rate{100});
}

TEST(contention, is_part_of_samples_that_are_joined) {
  const Sample both = joined(sample_of(10, 0.5, 0.5), sample_of(20, 1, 0));
  EXPECT_EQ(both.busy, 0.75);
  EXPECT_EQ(both.contended, 0.25);
}

TEST(contention, is_no_phase) {
  for (const double left : {0.8, 0.5})
    for (const Bounds& bounds : {Bounds{.throughput = Rate{200}}, Bounds{.power = Watts{36}}}) {
      Steered steered(disturbed(left), bounds);
      steered.run_until(29);
      const std::size_t before = steered.configuration();
      steered.run_until(130);
      EXPECT_EQ(steered.account().phase_changes, 0U) << left << "\n" << steered.story();
      EXPECT_EQ(steered.account().calibrations, 1U) << left << "\n" << steered.story();
      EXPECT_LT(steered.loss(), 0.03) << left << "\n" << steered.story();
      EXPECT_TRUE(!bounds.power || steered.configuration() == before) << steered.story();
    }
}

TEST(contention, that_nobody_tells_of_is_taken_for_a_phase) {
  Simulated program = disturbed(0.5);
  program.tells_contention = false;
  Steered steered(program, {.throughput = Rate{200}});
  steered.run_until(130);
  EXPECT_GE(steered.account().phase_changes, 2U) << steered.story();
}

TEST(contention, is_made_up_for_where_throughput_is_asked_for) {
  Steered steered(disturbed(0.6), {.throughput = Rate{300}});
  steered.run_until(60);
  const double items = steered.program.items();
  steered.run_until(85);
  EXPECT_GE((steered.program.items() - items) / 25, 300 * 0.97) << steered.story();
  EXPECT_TRUE(steered.account().keeps_bounds);
  EXPECT_NE(steered.story().find("which leave it"), std::string::npos) << steered.story();
}

TEST(contention, of_a_server_changes_neither_its_phase_nor_what_it_serves) {
  for (const double left : {0.7, 0.5}) {
    Simulated program = disturbed(left);
    program.by_chance = true;
    program.arrivals = [](double) { return 150.0; };
    Steered steered(program, {.utilisation = 0.9});
    steered.run_until(29);
    steered.run_until(85);
    EXPECT_LT(steered.program.waiting(), 50) << steered.story();
    steered.run_until(150);
    EXPECT_EQ(steered.account().phase_changes, 0U) << left << "\n" << steered.story();
    EXPECT_LT(steered.loss(), 0.05) << left << "\n" << steered.story();
  }
}

TEST(contention, does_not_hide_a_phase_that_begins_meanwhile) {
  Simulated program = disturbed(0.6);
  program.phases.push_back({.unit = 40});
  program.phase = [](double time) -> std::size_t { return time > 60 ? 1 : 0; };
  Steered steered(program, {.throughput = Rate{100}});
  steered.run_until(59);
  EXPECT_EQ(steered.account().phase_changes, 0U) << steered.story();
  steered.run_until(80);
  EXPECT_EQ(steered.account().phase_changes, 1U) << steered.story();
  steered.run_until(150);
  EXPECT_EQ(steered.account().phases, 2U) << steered.story();
  EXPECT_LT(steered.loss(1), 0.05) << steered.story();
}

TEST(contention, while_it_calibrates_does_not_spoil_what_is_learnt) {
  Simulated program;
  program.left = [](double time) { return time < 20 ? 0.5 : 1.0; };
  Steered steered(program, {.throughput = Rate{200}});
  steered.run_until(60);
  EXPECT_EQ(steered.account().phases, 1U) << steered.story();
  EXPECT_LT(steered.loss(), 0.03) << steered.story();
}

} // namespace
} // namespace hypermile::steer
