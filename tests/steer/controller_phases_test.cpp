#include "steer/simulated.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile::steer {
namespace {

using test::Behaviour;
using test::Simulated;
using test::Steered;

const Behaviour ordinary{};
const Behaviour slow{.unit = 60, .contention = 0.05, .memory = 0.5, .core_watts = 3};
const Behaviour fast{.unit = 200, .contention = 0, .memory = 0, .core_watts = 5};

/// One phase after the other, each for a minute, the last for ever.
Simulated in_phases(const std::vector<std::size_t>& order) {
  Simulated program;
  program.noise = 0.02;
  program.phases = {ordinary, slow, fast};
  program.phase = [order](double time) {
    return order[std::min(static_cast<std::size_t>(time / 60), order.size() - 1)];
  };
  return program;
}

TEST(phase, that_is_new_is_calibrated_once_after_a_few_samples) {
  Steered steered(in_phases({0, 1}), {.throughput = Rate{200}});
  steered.run_until(59);
  EXPECT_EQ(steered.account().calibrations, 1U);
  steered.run_until(65);
  EXPECT_EQ(steered.account().phase_changes, 1U) << steered.story();
  EXPECT_EQ(steered.account().phase, 1U);
  steered.run_until(200);
  EXPECT_EQ(steered.account().calibrations, 2U) << steered.story();
  EXPECT_EQ(steered.account().phases, 2U);
  EXPECT_LT(steered.loss(1), 0.01) << steered.story();
}

TEST(phase, that_was_seen_before_is_not_calibrated_again) {
  for (const std::vector<std::size_t>& order :
       {std::vector<std::size_t>{0, 1, 0, 1, 0}, {0, 1, 2, 0, 1, 2, 1, 0}, {2, 0, 2, 1, 0, 1, 2}}) {
    Steered steered(in_phases(order), {.throughput = Rate{200}});
    std::vector<std::size_t> known;
    for (std::size_t minute = 0; minute < order.size(); ++minute) {
      steered.run_until(60 * static_cast<double>(minute) + 50);
      if (std::ranges::find(known, order[minute]) == known.end())
        known.push_back(order[minute]);
      const auto number = std::ranges::find(known, order[minute]) - known.begin();
      EXPECT_EQ(steered.account().phase, static_cast<std::size_t>(number)) << steered.story();
      EXPECT_EQ(steered.account().calibrations, known.size()) << steered.story();
      EXPECT_EQ(steered.account().phase_changes, minute) << steered.story();
      EXPECT_LT(steered.loss(order[minute]), 0.1) << steered.story();
    }
  }
}

TEST(phase, that_was_seen_before_needs_few_samples) {
  Steered steered(in_phases({0, 1, 0}), {.throughput = Rate{200}});
  steered.run_until(125);
  EXPECT_EQ(steered.account().phase, 0U) << steered.story();
  EXPECT_TRUE(steered.steady()) << steered.story();
}

TEST(phase, is_told_by_its_power_too) {
  Simulated program = in_phases({0, 1, 0});
  program.phases[1] = {.core_watts = 8};
  Steered steered(program, {.power = Watts{36}});
  steered.run_until(110);
  EXPECT_EQ(steered.account().calibrations, 2U) << steered.story();
  EXPECT_LT(steered.loss(1), 0.02) << steered.story();
  steered.run_until(170);
  EXPECT_EQ(steered.account().calibrations, 2U) << steered.story();
  EXPECT_LT(steered.loss(0), 0.02) << steered.story();
}

TEST(phase, is_no_single_odd_sample) {
  Simulated program = in_phases({0});
  program.phase = [](double time) -> std::size_t { return time > 30.2 && time < 31.1 ? 2 : 0; };
  Steered steered(program, {.throughput = Rate{200}});
  steered.settle();
  const std::size_t settled = steered.configuration();
  steered.run_until(60);
  EXPECT_EQ(steered.account().phase_changes, 0U) << steered.story();
  EXPECT_EQ(steered.configuration(), settled) << steered.story();
}

TEST(phase, is_what_changes_by_more_than_a_user_says) {
  for (const double tolerance : {0.2, 0.7}) {
    Simulated program = in_phases({0, 1});
    program.noise = 0;
    program.phases[1] = {.unit = 150};
    Steered steered(program, {.power = Watts{36}}, "adaptive", {.phase_change = tolerance});
    steered.run_until(100);
    EXPECT_EQ(steered.account().calibrations, tolerance < 0.5 ? 2U : 1U) << steered.story();
  }
}

/// What was visited before it is not true any more.
TEST(phase, may_begin_while_another_is_calibrated) {
  for (const double begins : {0.15, 0.55, 0.95}) {
    Simulated program = in_phases({0});
    program.noise = 0;
    program.phases = {ordinary, Behaviour{.unit = 50}};
    program.phase = [=](double time) -> std::size_t { return time < begins ? 0 : 1; };
    Steered steered(program, {.throughput = Rate{200}});
    steered.run_until(60);
    EXPECT_TRUE(steered.steady()) << steered.story();
    EXPECT_LT(steered.loss(1), 0.05) << begins << "\n" << steered.story();
  }
}

TEST(phase, is_told_from_arrivals_that_change_at_the_same_time) {
  Simulated program = in_phases({0, 1, 0, 1, 2, 0});
  program.by_chance = true;
  program.arrivals = [](double time) {
    return 100 + 50 * static_cast<double>(static_cast<int>(time / 60) % 2);
  };
  Steered steered(program, {.utilisation = 0.9});
  steered.run_until(400);
  EXPECT_EQ(steered.account().calibrations, 3U) << steered.story();
  EXPECT_EQ(steered.account().phase, 0U);
  EXPECT_LT(steered.loss(0), 0.05) << steered.story();
}

TEST(phase, is_recognised_under_another_load) {
  Simulated program = in_phases({0, 1, 0, 0, 1});
  program.noise = 0;
  program.phases[1] = {.unit = 60};
  program.arrivals = [](double time) { return time < 150 ? 50.0 : 150.0; };
  Steered steered(program, {.utilisation = 0.9});
  steered.run_until(300);
  EXPECT_EQ(steered.account().calibrations, 2U) << steered.story();
  EXPECT_LT(steered.loss(1), 0.02) << steered.story();
}

} // namespace
} // namespace hypermile::steer
