#include "steer/adaptive.hpp"
#include "steer/made_up.hpp"
#include "steer/replay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace hypermile::steer {
namespace {

using test::Machine;
using test::MadeUp;

constexpr unsigned programs = 25; ///< for each machine

/// Every kind of goal, with bounds somewhere within what the program can do.
std::vector<Goal> goals(const Table& table, MadeUp& random) {
  const Rate rate = test::throughput_at(table, random.uniform(0.05, 0.95));
  const Watts watts = test::power_at(table, random.uniform(0.05, 0.95));
  const Optimum thriftiest = optimum(table, {.objective = Objective::least_energy});
  const Performance& thrifty = table.performance[thriftiest.configuration];
  const Joules joules{thrifty.power.value() / thrifty.capacity.value() * random.uniform(1.05, 2)};
  return {{.objective = Objective::least_power, .least_throughput = rate},
          {.objective = Objective::most_throughput, .most_power = watts},
          {.objective = Objective::most_throughput, .least_throughput = rate, .most_power = watts},
          {.objective = Objective::least_power, .least_throughput = rate, .most_power = watts},
          {.objective = Objective::least_energy, .least_throughput = rate},
          {.objective = Objective::most_throughput, .most_energy_per_item = joules},
          {.objective = Objective::least_energy}};
}

/// Of what is lost against the optimum, as a share.
double loss(const Table& table, const Goal& goal, std::size_t configuration) {
  const std::size_t best = optimum(table, goal).configuration;
  return 1 - worth(goal, table.performance[configuration]) / worth(goal, table.performance[best]);
}

/// Calls `check(table, goal)` for programs of all machines and goals of all kinds.
template <class Check> void for_all_programs(const Check& check) {
  for (const Machine machine : test::machines)
    for (unsigned seed = 0; seed < programs; ++seed) {
      MadeUp random(seed);
      const Table table = random.program(machine);
      for (const Goal& goal : goals(table, random)) {
        SCOPED_TRACE(testing::Message() << "machine " << static_cast<int>(machine) << ", seed "
                                        << seed << ", " << describe(goal));
        check(table, goal);
      }
    }
}

TEST(adaptive, settles_in_the_best_of_what_it_visited_whatever_the_program) {
  for_all_programs([](const Table& table, const Goal& goal) {
    const Replay replayed = replay(table, "adaptive", goal, {});
    Visits visits;
    for (const Look& look : replayed.looks)
      visits.add(look.configuration, look.seen);
    const Pick best = best_visited(visits, goal);
    EXPECT_EQ(replayed.settled.configuration, best.configuration);
    EXPECT_EQ(replayed.settled.keeps_bounds, best.keeps_bounds);
  });
}

TEST(adaptive, keeps_bounds_that_can_be_kept_and_loses_little) {
  double cases = 0;
  double missed = 0;
  double lost = 0;
  for_all_programs([&](const Table& table, const Goal& goal) {
    if (!optimum(table, goal).keeps_bounds)
      return;
    const Step settled = replay(table, "adaptive", goal, {}).settled;
    ++cases;
    if (settled.keeps_bounds)
      lost += loss(table, goal, settled.configuration);
    else
      ++missed;
  });
  ASSERT_GT(cases, 1000);
  EXPECT_LE(missed / cases, 0.004); // 0.001 seen
  EXPECT_LE(lost / cases, 0.006);   // 0.003 seen
}

TEST(adaptive, says_when_no_configuration_keeps_the_bounds) {
  for (const Machine machine : test::machines)
    for (unsigned seed = 0; seed < programs; ++seed) {
      const Table table = MadeUp(seed).program(machine);
      const Rate most = test::throughput_at(table, 1);
      const Watts least = test::power_at(table, 0);
      for (const Goal& goal :
           {Goal{.least_throughput = most * 1.02}, Goal{.least_throughput = most * 100},
            Goal{.objective = Objective::most_throughput, .most_power = least * 0.97},
            Goal{.least_throughput = most, .most_power = least * 0.999}}) {
        SCOPED_TRACE(testing::Message()
                     << static_cast<int>(machine) << ", seed " << seed << ", " << describe(goal));
        const Replay replayed = replay(table, "adaptive", goal, {});
        EXPECT_FALSE(replayed.settled.keeps_bounds);
        EXPECT_NE(replayed.settled.reason.find("no configuration keeps the bounds"),
                  std::string::npos);
        const double missed = excess(goal, table.performance[replayed.settled.configuration]);
        for (const Look& look : replayed.looks)
          EXPECT_LE(missed, excess(goal, table.performance[look.configuration]));
        const Optimum closest = optimum(table, goal);
        EXPECT_LE(missed, excess(goal, table.performance[closest.configuration]) + 0.1);
      }
    }
}

/// What is 0.5 % within the bound, measured to 1 %, could well be outside.
TEST(adaptive, measures_again_what_is_too_close_to_a_bound_for_the_error) {
  const Table table = test::table_of({1}, {1e9}, {{Rate{100}, Watts{50}}});
  const Measurement seen{.capacity = Rate{100}, .power = Watts{50}, .relative_error = 0.01};
  const auto times_until_settled = [&](Rate bound) {
    AdaptiveSearch search(table.space, {.least_throughput = bound});
    std::size_t times = 0;
    for (Step step = search.next(); step.what == Step::What::visit; step = search.next()) {
      search.observe(step.configuration, seen);
      ++times;
    }
    return std::pair(times, search.next().keeps_bounds);
  };
  EXPECT_EQ(times_until_settled(Rate{90}), std::pair(std::size_t{1}, true));
  EXPECT_EQ(times_until_settled(Rate{110}), std::pair(std::size_t{1}, false));
  // 0.5 % are two standard errors of 16 measurements, about.
  const auto [times, keeps] = times_until_settled(Rate{99.5});
  EXPECT_GE(times, 12U);
  EXPECT_LE(times, 20U);
  EXPECT_TRUE(keeps);
  EXPECT_FALSE(times_until_settled(Rate{100.5}).second);
  // What will never be told apart is measured often, but not for ever.
  EXPECT_EQ(times_until_settled(Rate{100}).first, 50U);
}

TEST(adaptive, seldom_misses_bounds_however_noisy_the_measurements) {
  double cases = 0;
  double missed = 0;
  for_all_programs([&](const Table& table, const Goal& goal) {
    const double noise = std::fmod(cases, 3) * 0.01 + 0.005; // 0.5, 1.5, 2.5 %
    const auto seed = static_cast<std::uint64_t>(++cases);
    const Replay replayed = replay(table, "adaptive", goal, {noise, seed});
    EXPECT_LE(replayed.visits, 25U);
    if (replayed.settled.keeps_bounds)
      missed += excess(goal, table.performance[replayed.settled.configuration]) > 0 ? 1 : 0;
  });
  EXPECT_LE(missed / cases, 0.01); // 0.001 seen
}

/// Until it settles; how many measurements that took.
std::size_t run(Search& search, const Table& table) {
  std::size_t looks = 0;
  for (Step step = search.next(); step.what == Step::What::visit; step = search.next()) {
    search.observe(step.configuration, test::seen_of(table, step.configuration));
    ++looks;
  }
  return looks;
}

TEST(adaptive, needs_fewer_visits_for_another_goal_than_from_scratch) {
  std::size_t from_scratch = 0;
  std::size_t aimed = 0;
  double lost_from_scratch = 0;
  double lost_aimed = 0;
  for (unsigned seed = 0; seed < 8; ++seed) {
    MadeUp random(seed);
    const Table table = random.program(Machine::four_sockets);
    AdaptiveSearch search(table.space, {});
    run(search, table);
    for (int change = 0; change < 20; ++change) { // more than the visits that one goal may take
      const Goal goal{.objective = Objective::most_throughput,
                      .most_power = test::power_at(table, random.uniform(0.1, 0.9))};
      search.aim(goal);
      aimed += run(search, table);
      lost_aimed += loss(table, goal, search.next().configuration);
      EXPECT_TRUE(search.next().keeps_bounds);
      const Replay fresh = replay(table, "adaptive", goal, {});
      from_scratch += fresh.looks.size();
      lost_from_scratch += loss(table, goal, fresh.settled.configuration);
    }
  }
  EXPECT_LT(aimed * 2, from_scratch);
  EXPECT_LE(lost_aimed, lost_from_scratch);
}

TEST(adaptive, keeps_to_its_choice_when_a_goal_comes_back) {
  for (unsigned seed = 0; seed < programs; ++seed) {
    const Table table = MadeUp(seed).program(Machine::interleaved);
    const Goal goal{.least_throughput = test::throughput_at(table, 0.5)};
    AdaptiveSearch search(table.space, goal);
    run(search, table);
    const Step settled = search.next();
    search.aim(goal);
    EXPECT_EQ(run(search, table), 0U);
    EXPECT_EQ(search.next().configuration, settled.configuration);
    search.aim({.most_power = test::power_at(table, 0.5)});
    run(search, table);
    search.aim(goal); // what was seen meanwhile may have shown that another one is better
    EXPECT_LE(run(search, table), 4U);
    EXPECT_LE(loss(table, goal, search.next().configuration),
              loss(table, goal, settled.configuration));
  }
}

TEST(adaptive, expects_what_it_saw_and_about_what_it_will_see) {
  const Table table = MadeUp(3).program(Machine::interleaved);
  AdaptiveSearch search(table.space, {.least_throughput = test::throughput_at(table, 0.6)});
  EXPECT_FALSE(search.expected(0));
  run(search, table);
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
  run(search, table);
  const std::size_t settled = search.next().configuration;
  Measurement worse = test::seen_of(table, settled);
  worse.capacity = *goal.least_throughput * 0.9;
  search.correct(settled, worse);
  run(search, table);
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
    for (unsigned seed = 0; seed < programs; ++seed) {
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
  for (unsigned seed = 0; seed < programs; ++seed) {
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
