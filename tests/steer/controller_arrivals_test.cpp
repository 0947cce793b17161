#include "steer/simulated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace hypermile::steer {
namespace {

using test::Behaviour;
using test::Simulated;
using test::Steered;

/// A server that so much work reaches.
Simulated server(std::function<double(double)> arrivals) {
  Simulated program;
  program.noise = 0.02;
  program.by_chance = true;
  program.whole_items = true;
  program.arrivals = std::move(arrivals);
  return program;
}

double doubling_and_halving(double time) {
  if (time < 60 || time >= 120)
    return time < 180 ? 150 : 75;
  return 300;
}

TEST(arrivals, that_double_and_halve_lead_to_another_choice_but_no_calibration) {
  for (const Bounds& bounds : {Bounds{.utilisation = 0.9}, Bounds{.power = Watts{45}}}) {
    Steered steered(server(doubling_and_halving), bounds);
    for (const double time : {59.0, 119.0, 179.0, 239.0}) {
      steered.run_until(time);
      EXPECT_LT(steered.loss(), 0.05) << steered.story();
      EXPECT_NEAR(steered.account().arrivals->value(), doubling_and_halving(time - 1),
                  0.2 * doubling_and_halving(time - 1));
      EXPECT_LT(steered.program.waiting(), 50);
    }
    EXPECT_EQ(steered.account().calibrations, 1U) << steered.story();
    EXPECT_EQ(steered.account().phase_changes, 0U) << steered.story();
    EXPECT_GE(steered.account().arrival_changes, 3U) << steered.story();
  }
}

/// Twice as much for three seconds, then half of it: shorter than what arrivals are smoothed over.
double short_rush(double time) { return static_cast<int>(time / 3) % 2 == 0 ? 1000 : 2000; }

/// One core that does 4000 items/s in its fastest gear, half as many in its slowest. (With more
/// cores there are several best answers: a core that idles draws nothing here.)
Simulated small_server(std::function<double(double)> arrivals) {
  Simulated program(1, 3);
  program.phases = {Behaviour{.unit = 4000, .contention = 0, .memory = 0, .core_watts = 40}};
  program.by_chance = true;
  program.whole_items = true;
  program.arrivals = std::move(arrivals);
  return program;
}

TEST(arrivals, that_double_are_served_after_two_samples_though_they_soon_halve_again) {
  const Sampling sampling{.steady_sample = Seconds{0.5}};
  Steered steered(small_server(short_rush), {.utilisation = 0.9}, "adaptive", sampling);
  for (int rush = 1; rush < 20; rush += 2) {
    steered.run_until(3 * rush + 1.75);
    const Rate served = steered.program.truth(steered.configuration(), {}).capacity;
    EXPECT_GE(served, Rate{2000 / 0.9 * 0.95}) << steered.story();
    EXPECT_NEAR(steered.account().arrivals->value(), 2000, 200);
    steered.run_until(3 * rush + 5.5);
    EXPECT_NEAR(steered.account().arrivals->value(), 1000, 150);
  }
  EXPECT_EQ(steered.account().calibrations, 1U) << steered.story();
  EXPECT_EQ(steered.account().phases, 1U) << steered.story();
  EXPECT_GE(steered.account().arrival_changes, 19U) << steered.story();
}

TEST(arrivals, that_come_in_bursts_are_no_change) {
  Simulated program = small_server([](double) { return 1000.0; });
  program.burst = 50; // items that arrive at once
  Steered steered(program, {.utilisation = 0.9});
  steered.run_until(600);
  EXPECT_LE(steered.moves_since(60), 12U) << steered.story();
  EXPECT_EQ(steered.account().phase_changes, 0U) << steered.story();
}

TEST(arrivals, that_are_random_but_the_same_on_average_hardly_move_it) {
  for (const double rate : {20.0, 150.0}) {
    Steered steered(server([=](double) { return rate; }), {.utilisation = 0.9});
    steered.run_until(600);
    EXPECT_LE(steered.moves_since(60), 12U) << steered.story();
    EXPECT_EQ(steered.account().calibrations, 1U) << steered.story();
    EXPECT_EQ(steered.account().phase_changes, 0U) << steered.story();
  }
}

TEST(arrivals, that_are_few_are_not_taken_for_more_than_chance) {
  for (const double unit : {2.0, 5.0}) {
    Simulated program = server([=](double) { return 1.5 * unit; });
    program.phases = {Behaviour{.unit = unit}};
    Steered steered(program, {.utilisation = 0.9});
    steered.run_until(600);
    EXPECT_LE(steered.moves_since(60), 30U) << steered.story();
    EXPECT_EQ(steered.account().phase_changes, 0U) << steered.story();
  }
}

TEST(arrivals, that_ask_for_no_other_choice_are_not_told_of) {
  Steered steered(server([](double time) { return 150 + 20 * std::sin(time / 20); }),
                  {.utilisation = 0.9});
  steered.run_until(300);
  for (const Steered::Moment& one : steered.moments)
    EXPECT_FALSE(one.mode == Mode::steady && one.reason.find("stays") != std::string::npos)
        << one.reason;
}

TEST(arrivals, are_served_by_a_method_that_knows_one_bound_only) {
  Simulated program = server([](double) { return 150.0; });
  program.phases.push_back({.unit = 70});
  program.phase = [](double time) -> std::size_t { return time > 60 ? 1 : 0; };
  Steered steered(program, {.power = Watts{40}}, "bisect");
  steered.run_until(120);
  EXPECT_LT(steered.loss(1), 0.1) << steered.story();
}

TEST(arrivals, that_follow_a_day_are_followed) {
  const auto day = [](double time) { return 200 + 150 * std::sin(time / 50); };
  Steered steered(server(day), {.utilisation = 0.8});
  double late = 0;
  steered.run_until(20);
  while (steered.program.time() < Seconds{600}) {
    steered.step();
    late = std::max(late, steered.program.waiting());
  }
  EXPECT_EQ(steered.account().calibrations, 1U) << steered.story();
  EXPECT_LT(late, 100);
  EXPECT_GT(steered.account().arrival_changes, 10U);
}

TEST(arrivals, that_are_more_than_can_be_served_get_the_most_that_the_bounds_allow) {
  const auto rush = [](double time) { return time > 60 && time < 90 ? 900.0 : 150.0; };
  Steered free(server(rush), {.utilisation = 0.9});
  free.run_until(89);
  EXPECT_FALSE(free.account().keeps_bounds);
  EXPECT_EQ(free.program.space()[free.configuration()], (Configuration{.cores = 8, .gear = 0}));

  Steered bounded(server(rush), {.power = Watts{36}});
  bounded.run_until(89);
  EXPECT_FALSE(bounded.account().keeps_bounds) << bounded.story();
  const Goal most{.objective = Objective::most_throughput, .most_power = Watts{36}};
  const Performance chosen = bounded.program.truth(bounded.configuration(), most);
  EXPECT_LE(chosen.power, Watts{36} * 1.01) << bounded.story();
  EXPECT_GT(chosen.capacity,
            bounded.program.truth(*bounded.program.best(most), most).capacity * 0.97)
      << bounded.story();
  for (Steered* steered : {&free, &bounded}) {
    steered->run_until(300);
    EXPECT_TRUE(steered->account().keeps_bounds) << steered->story();
    EXPECT_LT(steered->loss(), 0.05) << steered->story();
    EXPECT_EQ(steered->account().calibrations, 1U) << steered->story();
    EXPECT_LT(steered->program.waiting(), 20);
  }
}

TEST(arrivals, that_begin_late_are_waited_for) {
  const auto late = [](double time) { return time < 12 ? 0.0 : 150.0; };
  Steered steered(server(late), {.utilisation = 0.9});
  steered.run_until(11);
  EXPECT_EQ(steered.account().arrivals, Rate{0});
  EXPECT_TRUE(steered.steady());
  steered.run_until(60);
  EXPECT_LT(steered.loss(), 0.02) << steered.story();
  EXPECT_EQ(steered.account().calibrations, 1U) << steered.story();
}

TEST(arrivals, that_stop_and_go_on_find_what_was_learnt) {
  const auto pause = [](double time) { return time > 60 && time < 120 ? 0.0 : 150.0; };
  Steered steered(server(pause), {.utilisation = 0.9});
  steered.run_until(59);
  const std::size_t before = steered.configuration();
  steered.run_until(180);
  EXPECT_EQ(steered.configuration(), before) << steered.story();
  EXPECT_EQ(steered.account().calibrations, 1U) << steered.story();
  EXPECT_EQ(steered.account().phase_changes, 0U) << steered.story();
}

TEST(work, that_stops_within_a_calibration_lets_it_go_on_later) {
  for (const double begins : {0.15, 0.35, 0.65}) {
    Simulated program;
    program.phases = {Behaviour{}, Behaviour{.unit = 0}};
    program.phase = [=](double time) -> std::size_t { return time > begins && time < 10 ? 1 : 0; };
    Steered steered(program, {.power = Watts{35}});
    steered.run_until(60);
    EXPECT_TRUE(steered.steady()) << steered.story();
    EXPECT_LT(steered.loss(), 0.01) << begins << "\n" << steered.story();
  }
}

TEST(work, that_stops_and_goes_on_is_no_other_phase) {
  Simulated program;
  program.phases = {Behaviour{}, Behaviour{.unit = 0}};
  program.phase = [](double time) -> std::size_t { return time > 30 && time < 60 ? 1 : 0; };
  Steered steered(program, {.throughput = Rate{300}});
  steered.settle();
  const std::size_t before = steered.configuration();
  steered.run_until(100);
  EXPECT_EQ(steered.configuration(), before) << steered.story();
  EXPECT_EQ(steered.account().phase_changes, 0U) << steered.story();
}

TEST(work, that_never_comes_is_waited_for_in_peace) {
  Steered steered(server([](double) { return 0.0; }), {.power = Watts{40}});
  steered.run_until(100);
  EXPECT_TRUE(steered.steady());
  EXPECT_EQ(steered.moves_since(0), 0U) << steered.story();
}

} // namespace
} // namespace hypermile::steer
