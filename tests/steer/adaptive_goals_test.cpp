// What the adaptive search makes of what it knows when its goal changes, or its load.

#include "steer/adaptive.hpp"
#include "steer/made_up.hpp"
#include "steer/replay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

namespace hypermile::steer {
namespace {

using test::Machine;
using test::MadeUp;

constexpr unsigned programs_per_machine = 25; ///< for each machine

TEST(adaptive, needs_fewer_visits_for_another_goal_than_from_scratch) {
  std::size_t from_scratch = 0;
  std::size_t aimed = 0;
  double lost_from_scratch = 0;
  double lost_aimed = 0;
  for (unsigned seed = 0; seed < 8; ++seed) {
    MadeUp random(seed);
    const Table table = random.program(Machine::four_sockets);
    AdaptiveSearch search(table.space, {});
    test::run(search, table);
    for (int change = 0; change < 20; ++change) { // more than the visits that one goal may take
      const Goal goal{.objective = Objective::most_throughput,
                      .most_power = test::power_at(table, random.uniform(0.1, 0.9))};
      search.aim(goal);
      aimed += test::run(search, table);
      lost_aimed += test::loss(table, goal, search.next().configuration);
      EXPECT_TRUE(search.next().keeps_bounds);
      const Replay fresh = replay(table, "adaptive", goal, {});
      from_scratch += fresh.observations.size();
      lost_from_scratch += test::loss(table, goal, fresh.settled.configuration);
    }
  }
  EXPECT_LT(aimed * 2, from_scratch);
  EXPECT_LE(lost_aimed, lost_from_scratch);
}

TEST(adaptive, keeps_to_its_choice_when_a_goal_comes_back) {
  for (unsigned seed = 0; seed < programs_per_machine; ++seed) {
    const Table table = MadeUp(seed).program(Machine::interleaved);
    const Goal goal{.least_throughput = test::throughput_at(table, 0.5)};
    AdaptiveSearch search(table.space, goal);
    test::run(search, table);
    const Step settled = search.next();
    search.aim(goal);
    EXPECT_EQ(test::run(search, table), 0U);
    EXPECT_EQ(search.next().configuration, settled.configuration);
    search.aim({.most_power = test::power_at(table, 0.5)});
    test::run(search, table);
    search.aim(goal); // what was seen meanwhile may have shown that another one is better
    EXPECT_LE(test::run(search, table), 4U);
    EXPECT_LE(test::loss(table, goal, search.next().configuration),
              test::loss(table, goal, settled.configuration));
  }
}

TEST(adaptive, expects_what_it_saw_and_about_what_it_will_see) {
  const Table table = MadeUp(3).program(Machine::interleaved);
  AdaptiveSearch search(table.space, {.least_throughput = test::throughput_at(table, 0.6)});
  EXPECT_FALSE(search.expected(0));
  test::run(search, table);
  const std::size_t settled = search.next().configuration;
  const auto seen = search.expected(settled);
  ASSERT_TRUE(seen);
  EXPECT_NEAR(seen->capacity / table.performance[settled].capacity, 1, 1e-4);
  EXPECT_NEAR(seen->power / table.performance[settled].power, 1, 1e-4);
  for (std::size_t index = 0; index < table.space.size(); ++index) {
    const auto expected = search.expected(index);
    EXPECT_NEAR(expected->capacity / table.performance[index].capacity, 1, 0.3) << index;
    EXPECT_NEAR(expected->power / table.performance[index].power, 1, 0.3) << index;
  }
}

TEST(adaptive, leaves_a_configuration_that_was_corrected_to_miss_the_bound) {
  const Table table = MadeUp(3).program(Machine::interleaved);
  const Goal goal{.least_throughput = test::throughput_at(table, 0.6)};
  AdaptiveSearch search(table.space, goal);
  test::run(search, table);
  const std::size_t settled = search.next().configuration;
  Measurement worse = test::seen_of(table, settled);
  worse.capacity = *goal.least_throughput * 0.9;
  search.correct(settled, worse);
  test::run(search, table);
  EXPECT_NE(search.next().configuration, settled);
  EXPECT_TRUE(search.next().keeps_bounds);
}

/// A node whose power follows its load, between what it draws idle and at full load.
Performance under_load(const Table& table, std::size_t configuration, const Goal& goal) {
  const Performance& full = table.performance[configuration];
  const Watts idle = test::power_at(table, 0) * 0.5;
  return {full.capacity, idle + (full.power - idle) * load(goal, full.capacity)};
}

/// Of what serves all that arrives; none: nothing does.
std::optional<Watts> least_power(const Table& table, const Goal& goal) {
  std::optional<Watts> least;
  for (std::size_t index = 0; index < table.space.size(); ++index) {
    const Performance one = under_load(table, index, goal);
    if (excess(goal, one) <= 0 && (!least || one.power < *least))
      least = one.power;
  }
  return least;
}

TEST(adaptive, serves_what_arrives_at_little_power) {
  double lost = 0;
  double cases = 0;
  for (const Machine machine : {Machine::ordinary, Machine::interleaved, Machine::one_gear})
    for (unsigned seed = 0; seed < programs_per_machine; ++seed) {
      MadeUp random(seed);
      const Table table = random.program(machine);
      const Rate arrivals = test::throughput_at(table, random.uniform(0.1, 0.85));
      const Goal goal{.least_throughput = arrivals / 0.9, .arrivals = arrivals};
      AdaptiveSearch search(table.space, goal);
      for (Step step = search.next(); step.what == Step::What::visit; step = search.next()) {
        const auto [capacity, power] = under_load(table, step.configuration, goal);
        search.observe(step.configuration, {capacity, power, load(goal, capacity)});
      }
      const Performance chosen = under_load(table, search.next().configuration, goal);
      const std::optional<Watts> least = least_power(table, goal);
      EXPECT_EQ(excess(goal, chosen) <= 0, least.has_value()) << describe(goal);
      ++cases;
      lost += least ? chosen.power / *least - 1 : 0;
    }
  EXPECT_LE(lost / cases, 0.03); // 0.014 seen
}

/// What a configuration draws is predicted for the load that it would have.
TEST(adaptive, expects_a_configuration_with_little_to_do_to_draw_less) {
  double off = 0;
  double cases = 0;
  for (unsigned seed = 0; seed < programs_per_machine; ++seed) {
    const Table table = MadeUp(seed).program(Machine::interleaved);
    const Rate arrivals = test::throughput_at(table, 0.3);
    const Goal goal{.least_throughput = arrivals / 0.9, .arrivals = arrivals};
    AdaptiveSearch search(table.space, goal);
    for (std::size_t index = 0; index < table.space.size(); index += 7) {
      const auto [capacity, power] = under_load(table, index, goal);
      search.observe(index, {capacity, power, load(goal, capacity)});
    }
    for (std::size_t index = 0; index < table.space.size(); ++index, ++cases)
      off += std::abs(search.expected(index)->power / under_load(table, index, goal).power - 1);
  }
  EXPECT_LE(off / cases, 0.05);
}

} // namespace
} // namespace hypermile::steer
