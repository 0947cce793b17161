#include "steer/simulated.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <set>

namespace hypermile::steer {
namespace {

using test::Behaviour;
using test::Simulated;
using test::Steered;

/// With chance in everything that is measured.
Simulated noisy(double noise = 0.02) {
  Simulated program;
  program.noise = noise;
  return program;
}

/// Behaves otherwise from one time to another.
Simulated changing(const Behaviour& then, double from, double to) {
  Simulated program = noisy(0.005);
  program.phases.push_back(then);
  program.phase = [=](double time) -> std::size_t { return time > from && time < to ? 1 : 0; };
  return program;
}

TEST(controller, settles_in_the_best_configuration) {
  for (const Bounds& bounds :
       {Bounds{.throughput = Rate{300}}, Bounds{.power = Watts{35}},
        Bounds{.power = Watts{35}, .throughput = Rate{300}},
        Bounds{.power = Watts{40}, .objective = Objective::least_energy}, Bounds{}}) {
    Steered steered(Simulated{}, bounds);
    steered.settle();
    EXPECT_TRUE(steered.steady()) << steered.story();
    EXPECT_LT(steered.loss(), 0.01) << steered.story();
    EXPECT_TRUE(steered.account().keeps_bounds);
    const std::string story = steered.story();
    steered.run_until(100);
    EXPECT_EQ(steered.story(), story); // nothing more was decided
    EXPECT_EQ(steered.account().calibrations, 1U);
  }
}

TEST(controller, measures_shortly_while_it_calibrates_and_longer_while_it_is_steady) {
  const Sampling sampling{.calibration_sample = Seconds{0.2}, .steady_sample = Seconds{3}};
  Steered steered(Simulated{}, {.throughput = Rate{300}}, "adaptive", sampling);
  EXPECT_EQ(steered.controller.action().mode, Mode::calibrating);
  EXPECT_EQ(steered.controller.action().sample, Seconds{0.2});
  steered.settle();
  EXPECT_EQ(steered.controller.action().sample, Seconds{3});
}

TEST(controller, keeps_its_bounds_however_noisy_its_samples_are) {
  for (const double noise : {0.01, 0.05, 0.1})
    for (const Bounds& bounds : {Bounds{.throughput = Rate{310}}, Bounds{.power = Watts{34}}}) {
      Steered steered(noisy(noise), bounds);
      steered.run_until(300);
      EXPECT_TRUE(steered.steady()) << steered.story();
      EXPECT_LT(steered.loss(), 0.1) << steered.story();
      EXPECT_EQ(steered.account().phase_changes, 0U) << steered.story();
      EXPECT_LT(steered.moves_since(100), 3U) << steered.story();
    }
}

TEST(controller, measures_slow_programs_by_enough_items) {
  for (const double unit : {0.5, 1.0, 3.0, 10.0}) {
    Simulated program;
    program.phases = {Behaviour{.unit = unit}};
    program.whole_items = true;
    Steered steered(program, {.throughput = Rate{3 * unit}});
    steered.run_until(200);
    EXPECT_EQ(steered.account().phase_changes, 0U) << unit << "\n" << steered.story();
    EXPECT_LT(steered.loss(), 0.1) << unit << "\n" << steered.story();
  }
}

TEST(controller, measures_very_slow_programs_where_it_is_given_time) {
  Simulated program;
  program.phases = {Behaviour{.unit = 0.1}};
  program.whole_items = true;
  const Sampling patient{.calibration_sample = Seconds{15}, .longest_calibration = Seconds{300}};
  Steered steered(program, {.throughput = Rate{0.25}}, "adaptive", patient);
  steered.run_until(2000);
  EXPECT_EQ(steered.account().phase_changes, 0U) << steered.story();
  EXPECT_TRUE(steered.account().keeps_bounds);
  EXPECT_GT(steered.program.items(), 0.24 * 2000);
}

TEST(controller, comes_closest_to_bounds_that_nothing_keeps_and_says_so) {
  Steered weak(Simulated{}, {.power = Watts{10}});
  weak.settle();
  const std::string story = weak.story();
  weak.run_until(60);
  EXPECT_EQ(weak.story(), story); // there is nothing to be mended
  EXPECT_FALSE(weak.account().keeps_bounds);
  EXPECT_EQ(weak.program.space()[weak.configuration()], (Configuration{.cores = 1, .gear = 4}));

  Steered fast(Simulated{}, {.throughput = Rate{1e4}});
  fast.run_until(60);
  EXPECT_FALSE(fast.account().keeps_bounds);
  EXPECT_EQ(fast.program.space()[fast.configuration()], (Configuration{.cores = 8, .gear = 0}));
}

TEST(controller, follows_bounds_that_are_changed_without_calibrating_again) {
  Steered steered(noisy(), {.throughput = Rate{300}});
  steered.settle();
  for (const Bounds& bounds : {Bounds{.throughput = Rate{450}}, Bounds{.throughput = Rate{150}},
                               Bounds{.power = Watts{35}}, Bounds{.power = Watts{28}},
                               Bounds{.power = Watts{40}, .throughput = Rate{350}}}) {
    steered.controller.set_bounds(bounds);
    steered.run_until(steered.program.time().value() + 30);
    EXPECT_LT(steered.loss(), 0.03) << steered.story();
    EXPECT_TRUE(steered.account().keeps_bounds);
  }
  EXPECT_EQ(steered.account().calibrations, 1U);
  EXPECT_EQ(steered.account().arrival_changes, 0U);
}

TEST(controller, follows_bounds_that_are_changed_by_little) {
  Steered steered(Simulated{}, {.throughput = Rate{300}});
  steered.settle();
  for (const double wanted : {305.0, 295.0}) {
    steered.controller.set_bounds({.throughput = Rate{wanted}});
    steered.run_until(steered.program.time().value() + 20);
    EXPECT_EQ(steered.account().goal.least_throughput, Rate{wanted});
  }
}

TEST(controller, follows_bounds_that_are_changed_while_it_calibrates) {
  Steered steered(Simulated{}, {.power = Watts{50}});
  steered.run_until(0.5);
  ASSERT_FALSE(steered.steady());
  steered.controller.set_bounds({.power = Watts{35}});
  steered.settle();
  EXPECT_EQ(steered.account().goal.most_power, Watts{35});
  EXPECT_LT(steered.loss(), 0.01) << steered.story();
}

TEST(controller, refuses_bounds_that_make_no_sense_or_that_its_method_cannot_meet) {
  Steered steered(Simulated{}, {.power = Watts{35}}, "bisect");
  const auto refused = [&](const Bounds& bounds, ErrorKind kind) {
    try {
      steered.controller.set_bounds(bounds);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
    }
    EXPECT_EQ(steered.controller.bounds(), Bounds{.power = Watts{35}});
  };
  refused({.deadline = Seconds{1}}, ErrorKind::config);
  refused({.power = Watts{35}, .throughput = Rate{100}}, ErrorKind::unsupported);
  EXPECT_THROW(Controller(steered.program.space(), "adaptive", {.items = 1}, {}), Error);
  EXPECT_THROW(Controller(steered.program.space(), "bisect", {}, {}), Error);
  EXPECT_THROW(Controller(steered.program.space(), "magic", {}, {}), Error);
}

/// Of 40 configurations in 0.2 s each.
TEST(controller, calibrates_no_longer_than_it_may) {
  const Sampling sampling{.longest_calibration = Seconds{2}};
  Steered steered(Simulated{}, {.throughput = Rate{300}}, "exhaustive", sampling);
  steered.settle();
  EXPECT_TRUE(steered.steady());
  EXPECT_LT(steered.program.time(), Seconds{2.5});
  EXPECT_NE(steered.story().find("the longest calibration"), std::string::npos);
  const auto visited = [&] {
    std::set<std::size_t> all;
    for (const Steered::Moment& one : steered.moments)
      all.insert(one.configuration);
    return all;
  };
  const std::set<std::size_t> before = visited();
  EXPECT_TRUE(before.contains(steered.configuration()));
  steered.run_until(10);
  EXPECT_EQ(visited(), before);
  steered.controller.set_bounds({.throughput = Rate{350}}); // it has as much time for these
  steered.run_until(20);
  EXPECT_GT(visited().size(), before.size() + 5);
}

TEST(controller, mends_a_bound_that_drifts_out_of_reach) {
  for (const Bounds& bounds : {Bounds{.throughput = Rate{300}}, Bounds{.power = Watts{35}}}) {
    Steered steered(changing({.unit = 88, .core_watts = 4.5}, 30, 1e9), bounds);
    steered.run_until(29);
    ASSERT_LT(steered.loss(0), 0.01) << steered.story();
    const std::size_t before = steered.configuration();
    ASSERT_GT(
        excess(steered.account().goal, steered.program.truth(before, steered.account().goal, 1)),
        0.02);
    steered.run_until(60);
    EXPECT_LT(steered.loss(1), 0.1) << steered.story();
    EXPECT_EQ(steered.account().calibrations, 1U) << steered.story();
    EXPECT_EQ(steered.account().phase_changes, 0U) << steered.story();
  }
}

/// The slower it may be, the less it draws; what was not done in time has to be caught up with.
TEST(controller, meets_a_deadline_though_the_program_changes_its_pace) {
  for (const double unit : {60.0, 88.0, 120.0}) {
    const double items = 48000;
    Simulated program = changing({.unit = unit}, 30, 60);
    program.idle_watts = 2;
    Steered steered(program, {.deadline = Seconds{120}, .items = items});
    while (steered.program.items() < items && steered.program.time() < Seconds{200})
      steered.step();
    EXPECT_LE(steered.program.time(), Seconds{120}) << unit << "\n" << steered.story();
    EXPECT_GT(steered.program.time(), Seconds{100}) << unit << "\n" << steered.story();
  }
}

TEST(controller, does_not_hurry_once_all_items_are_done) {
  Steered steered(Simulated{}, {.deadline = Seconds{60}, .items = 10000});
  while (steered.program.items() < 10000)
    steered.step();
  steered.run_until(59);
  const std::size_t before = steered.configuration();
  steered.run_until(90);
  EXPECT_EQ(steered.configuration(), before) << steered.story();
}

TEST(controller, keeps_an_energy_budget_though_the_program_draws_more_for_a_while) {
  const double items = 40000;
  const Bounds bounds{.energy = Joules{0.08 * items}, .items = items};
  Steered steered(changing({.core_watts = 4.6}, 20, 60), bounds);
  while (steered.program.items() < items)
    steered.step();
  EXPECT_LE(steered.program.energy(), *bounds.energy * 1.01) << steered.story();
}

TEST(controller, makes_use_of_energy_that_it_has_saved) {
  const double items = 60000;
  Simulated program = changing({.core_watts = 2.9}, 15, 60);
  Steered steered(program, {.energy = Joules{0.0725 * items}, .items = items});
  steered.run_until(14);
  const auto capacity = [&] {
    return steered.program.truth(steered.configuration(), steered.account().goal).capacity;
  };
  const Rate before = capacity();
  steered.run_until(60);
  EXPECT_GT(capacity(), before) << steered.story();
}

TEST(controller, works_with_every_method) {
  const std::vector<Bounds> all{{.throughput = Rate{250}},
                                {.power = Watts{36}},
                                {.power = Watts{36}, .throughput = Rate{250}},
                                {.deadline = Seconds{150}, .items = 40000}};
  std::size_t combinations = 0;
  for (const SearchMethod& method : methods())
    for (const Bounds& bounds : all) {
      if (!supports(method.name, goal_of(bounds, {})))
        continue;
      ++combinations;
      SCOPED_TRACE(method.name);
      Steered steered(changing({.unit = 70, .core_watts = 3}, 60, 120), bounds, method.name);
      for (const auto& [time, phase] : {std::pair(58.0, 0U), {118.0, 1U}, {140.0, 0U}}) {
        steered.run_until(time);
        EXPECT_TRUE(steered.steady()) << steered.story();
        if (method.name != "nornir-literal") { // which believes what it never measured
          EXPECT_LT(steered.loss(phase), 0.2) << time << "\n" << steered.story();
        }
      }
      EXPECT_EQ(steered.account().calibrations, 2U) << steered.story();
      EXPECT_EQ(steered.account().phase_changes, 2U) << steered.story();
    }
  EXPECT_EQ(combinations, 19U);
}

} // namespace
} // namespace hypermile::steer
