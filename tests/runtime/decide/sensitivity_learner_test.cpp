#include "runtime/decide/sensitivity_learner.hpp"

#include "model/sensitivity.hpp"
#include "support/recorded.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace hypermile::runtime {
namespace {

constexpr double work = 0.001; // s, in gear 0
constexpr double slow = 2;     // S of gear 1 of test::node()

/// Iterations of a program that reacts by `sensitivity`, as ranks that take it to react in full
/// tell them. `first`: of the iterations, of which each has two events.
std::vector<Measurement> measured(std::size_t ranks, std::size_t gear, double sensitivity,
                                  std::size_t first, std::size_t orders, double noise = 0) {
  constexpr std::size_t iterations = 10;
  std::mt19937 engine(static_cast<unsigned>(first + 1));
  std::normal_distribution<double> normal;
  auto all = test::recorded(std::vector<test::RecordedRank>(ranks, {work, gear}), iterations);
  const double scale = gear == 0 ? 1 : slow;
  for (Measurement& m : all) {
    m.orders = orders;
    for (std::size_t i = 0; i < iterations; ++i) {
      const double time =
          work * model::stretch(scale, sensitivity) * std::exp(noise * normal(engine));
      m.timeline->events[2 * i].computation = static_cast<float>(time);
      m.iterations[i] = 2 * (first + i);
      m.computations.emplace_back(time / scale);
      m.scales.push_back(scale);
    }
    m.iterations.back() = 2 * (first + iterations);
    m.timeline->before.assign(m.timeline->operations.size(), 0);
    m.timeline->before[0] = 2 * first;
    for (model::Operation& operation : m.timeline->operations)
      operation.site = 1;
    m.computation = m.computations[0] * scale;
    m.computation_in_gear0 = m.computations[0];
  }
  return all;
}

TEST(sensitivity_learner, knows_nothing_of_one_gear_and_changes_nothing) {
  SensitivityLearner learner;
  auto all = measured(4, 0, 0.5, 0, 0);
  learner.learn(all);
  auto after = measured(4, 1, 0.5, 10, 1);
  const auto before = after;
  learner.apply(after, false);
  for (std::size_t r = 0; r < after.size(); ++r) {
    EXPECT_EQ(after[r].sensitivity, 1);
    EXPECT_EQ(after[r].computation_in_gear0, before[r].computation_in_gear0);
    EXPECT_EQ(after[r].computations, before[r].computations);
    EXPECT_TRUE(after[r].timeline->sensitivity.empty());
  }
  EXPECT_TRUE(learner.report({}).empty());
}

TEST(sensitivity_learner, scales_back_to_gear_0_by_what_it_has_learnt) {
  for (const double b : {0.0, 0.3, 0.6, 0.8}) {
    SensitivityLearner learner;
    learner.learn(measured(4, 0, b, 0, 0, 0.01));
    auto slower = measured(4, 1, b, 10, 1, 0.01);
    learner.learn(slower);
    learner.apply(slower, false);
    for (const Measurement& m : slower) {
      EXPECT_NEAR(m.sensitivity, b, 0.04);
      EXPECT_NEAR(computed_in_gear0(*m.timeline, 0, 20).value(), 10 * work, 10 * work * 0.03);
      for (const Seconds computation : m.computations)
        EXPECT_NEAR(computation.value(), work, work * 0.06);
    }
    EXPECT_LE(learner.of_rank(0, false), learner.of_rank(0, true));
  }
}

TEST(sensitivity_learner, takes_what_reacts_in_full_for_that_exactly) {
  SensitivityLearner learner;
  learner.learn(measured(4, 0, 1, 0, 0, 0.02));
  auto slower = measured(4, 1, 1, 10, 1, 0.02);
  learner.learn(slower);
  const auto before = slower;
  learner.apply(slower, false);
  for (std::size_t r = 0; r < slower.size(); ++r) {
    EXPECT_EQ(slower[r].sensitivity, 1);
    EXPECT_EQ(slower[r].computations, before[r].computations);
  }
}

TEST(sensitivity_learner, counts_no_iteration_twice) {
  SensitivityLearner once;
  SensitivityLearner twice;
  const auto first = measured(4, 0, 0.5, 0, 0, 0.05);
  const auto second = measured(4, 1, 0.5, 10, 1, 0.05);
  once.learn(first);
  once.learn(second);
  for (int i = 0; i < 5; ++i)
    twice.learn(first);
  for (int i = 0; i < 5; ++i)
    twice.learn(second);
  const std::vector<std::string> functions(10, "Any");
  ASSERT_EQ(once.report(functions).size(), 1u);
  EXPECT_EQ(once.report(functions).front().low, twice.report(functions).front().low);
}

TEST(sensitivity_learner, learns_from_means_where_events_are_not_told) {
  SensitivityLearner learner;
  for (const std::size_t gear : {0U, 1U}) {
    auto all = measured(4, gear, 0.4, 10 * gear, gear, 0.01);
    for (Measurement& m : all) {
      m.timeline.reset();
      m.iterations.clear();
    }
    learner.learn(all);
    if (gear == 1) {
      learner.apply(all, false);
      EXPECT_NEAR(all[0].sensitivity, 0.4, 0.04);
      EXPECT_NEAR(all[0].computations[0].value(), work, work * 0.05);
    }
  }
}

/// Work that grows on the way looks like a gear that slows down.
TEST(sensitivity_learner, learns_nothing_from_single_iterations_in_nearly_the_same_gear) {
  // The second one, in a gear that is 4 % slower, has 10 % less to compute, on all ranks.
  SensitivityLearner learner;
  for (std::size_t orders = 0; orders < 2; ++orders) {
    auto all = measured(8, 1, 1, 10 * orders, orders);
    for (Measurement& m : all) {
      m.iterations = {m.iterations[0], m.iterations[1]};
      m.timeline->scale = orders == 0 ? slow : slow * 1.04;
      if (orders == 1)
        for (model::Event& event : m.timeline->events)
          event.computation *= 0.94F;
    }
    learner.learn(all);
  }
  EXPECT_TRUE(learner.report(std::vector<std::string>(10, "Any")).empty());
}

TEST(sensitivity_learner, is_less_sure_of_a_program_whose_work_changes_by_itself) {
  const auto width = [](double growth) {
    SensitivityLearner learner;
    for (const std::size_t gear : {0U, 1U}) {
      auto all = measured(4, gear, 0.3, 10 * gear, gear);
      for (Measurement& m : all)
        for (std::size_t i = 0; i < 10; ++i)
          m.timeline->events[2 * i].computation *=
              static_cast<float>(1 + growth * static_cast<double>(i));
      learner.learn(all);
    }
    const auto report = learner.report(std::vector<std::string>(10, "Any"));
    return report.empty() ? 1 : report.front().high - report.front().low;
  };
  EXPECT_GT(width(0.01), 3 * width(0));
}

/// All ranks compute half as long again in the first of two iterations, and are then in gears half
/// as fast.
TEST(sensitivity_learner, does_not_mistake_a_longer_first_iteration_of_all_ranks) {
  SensitivityLearner learner;
  for (const std::size_t gear : {0U, 1U}) {
    auto all = measured(64, gear, 1, 2 * gear, gear, 0.01);
    for (Measurement& m : all) {
      m.iterations.resize(3);
      m.timeline->events.resize(4);
      m.computations.resize(2);
      m.scales.resize(2);
      if (gear == 0) {
        m.timeline->events[0].computation *= 1.5F;
        m.computations[0] = m.computations[0] * 1.5;
      }
    }
    learner.learn(all);
  }
  EXPECT_EQ(learner.of_rank(0, false), 1);
}

/// Gears become a little slower with each choice, work a little less with each iteration, but for
/// 90 iterations between choices of which nothing is told.
TEST(sensitivity_learner, takes_no_work_that_becomes_less_for_computation_that_does_not_react) {
  constexpr double shrinking = 0.999; // in each iteration
  for (const bool with_events : {true, false}) {
    SensitivityLearner learner;
    for (std::size_t choice = 0; choice < 6; ++choice) {
      const std::size_t first = 100 * choice;
      auto all = measured(16, 1, 1, first, choice, 0.002);
      for (std::size_t r = 0; r < all.size(); ++r) {
        Measurement& m = all[r];
        const double scale =
            1.05 + 0.05 * static_cast<double>(r) + 0.02 * static_cast<double>(choice);
        m.node.type.gears = model::GearTable{{Hertz{2e9 * scale}, Hertz{2e9}}};
        m.timeline->scale = scale;
        m.timeline->begin = Seconds{work * static_cast<double>(first)};
        m.elapsed = m.timeline->begin + Seconds{work * 10};
        for (std::size_t i = 0; i < 10; ++i) {
          const double less = std::pow(shrinking, static_cast<double>(first + i));
          m.timeline->events[2 * i].computation *= static_cast<float>(less * scale / slow);
          m.computations[i] = m.computations[i] * less;
          m.scales[i] = scale;
        }
        if (!with_events)
          m.timeline.reset();
      }
      learner.learn(all);
    }
    EXPECT_EQ(learner.of_rank(0, false), 1) << with_events;
  }
}

} // namespace
} // namespace hypermile::runtime
