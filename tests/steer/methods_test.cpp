#include "steer/made_up.hpp"
#include "steer/replay.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace hypermile::steer {
namespace {

using test::Machine;
using test::MadeUp;

const Goal throughput_goal{.objective = Objective::least_power, .least_throughput = Rate{10}};
const Goal power_goal{.objective = Objective::most_throughput, .most_power = Watts{50}};
const Goal both_bounds{
    .objective = Objective::least_power, .least_throughput = Rate{10}, .most_power = Watts{50}};
const Goal energy_bound{.objective = Objective::most_throughput, .most_energy_per_item = Joules{1}};
const Goal no_bound{.objective = Objective::least_energy};

std::vector<std::string> methods_for(const Goal& goal) {
  std::vector<std::string> names;
  for (const SearchMethod& method : methods())
    if (supports(method.name, goal))
      names.push_back(method.name);
  return names;
}

TEST(methods, say_which_goals_they_have_an_answer_to) {
  const std::vector<std::string> any{"adaptive", "nornir", "nornir-literal", "exhaustive"};
  for (const Goal& goal : {both_bounds, energy_bound, no_bound})
    EXPECT_EQ(methods_for(goal), any) << describe(goal);
  EXPECT_EQ(
      methods_for(power_goal),
      (std::vector<std::string>{"adaptive", "nornir", "nornir-literal", "bisect", "exhaustive"}));
  EXPECT_EQ(methods_for(throughput_goal).size(), methods().size());
}

TEST(methods, refuse_goals_that_they_have_no_answer_to) {
  const Table table = MadeUp(1).program(Machine::ordinary);
  for (const std::string name : {"bisect", "limartinez"})
    try {
      (void)make_search(name, table.space, both_bounds);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::unsupported);
      EXPECT_EQ(std::string(error.what()),
                "the method '" + name +
                    "' has no answer to the goal 'at least 10 items/s, at most 50 W; least power'; "
                    "try: the method 'adaptive'");
    }
  EXPECT_THROW((void)make_search("limartinez", table.space, power_goal), Error);
}

TEST(methods, that_do_not_exist_are_refused_with_those_that_do) {
  const Table table = MadeUp(1).program(Machine::ordinary);
  const auto refused = [](const auto& call) {
    try {
      call();
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config);
      EXPECT_STREQ(error.what(), "there is no method 'magic'; try: one of adaptive, nornir, "
                                 "nornir-literal, bisect, limartinez, exhaustive");
    }
  };
  refused([&] { (void)make_search("magic", table.space, no_bound); });
  refused([] { (void)supports("magic", no_bound); });
}

/// What every method owes its caller, whatever the program: it comes to an end, asks for the same
/// until it is told something, and all but one settle in what they visited.
TEST(methods, come_to_an_end_on_every_machine) {
  for (const Machine machine : test::machines)
    for (unsigned seed = 0; seed < 10; ++seed) {
      MadeUp random(seed);
      const Table table = random.program(machine);
      Goal by_throughput = throughput_goal;
      Goal by_power = power_goal;
      by_throughput.least_throughput = test::throughput_at(table, random.uniform(0, 1.1));
      by_power.most_power = test::power_at(table, random.uniform(0, 1.1));
      for (const Goal& goal : {by_throughput, by_power})
        for (const std::string& name : methods_for(goal)) {
          SCOPED_TRACE(testing::Message() << name << " on machine " << static_cast<int>(machine)
                                          << ", seed " << seed << ", " << describe(goal));
          const auto search = make_search(name, table.space, goal);
          std::vector<bool> visited(table.space.size());
          Step step = search->next();
          for (std::size_t visits = 0; step.what == Step::What::visit; step = search->next()) {
            ASSERT_LT(step.configuration, table.space.size());
            ASSERT_EQ(search->next().configuration, step.configuration);
            ASSERT_FALSE(visited[step.configuration]); // again, though it was measured exactly
            visited[step.configuration] = true;
            search->observe(step.configuration, test::seen_of(table, step.configuration));
            ASSERT_LE(++visits, table.space.size());
          }
          if (name == "nornir-literal")
            continue;
          EXPECT_TRUE(visited[step.configuration]);
          EXPECT_EQ(step.keeps_bounds, excess(goal, table.performance[step.configuration]) <= 0);
        }
    }
}

TEST(exhaustive, finds_the_optimum_of_every_program_and_goal) {
  for (const Machine machine : test::machines)
    for (unsigned seed = 0; seed < 5; ++seed) {
      MadeUp random(seed);
      const Table table = random.program(machine);
      const Rate rate = test::throughput_at(table, random.uniform(0, 1.1));
      const Watts watts = test::power_at(table, random.uniform(0, 1.1));
      for (const Goal& goal : {Goal{.least_throughput = rate, .most_power = watts}, no_bound,
                               Goal{.objective = Objective::most_throughput, .most_power = watts},
                               Goal{.objective = Objective::least_energy,
                               .least_throughput = rate,
                               .arrivals = rate * 0.9}}) {
        const Replay replayed = replay(table, "exhaustive", goal, {});
        const Optimum best = optimum(table, goal);
        EXPECT_EQ(replayed.visits, table.space.size());
        EXPECT_EQ(replayed.settled.configuration, best.configuration);
        EXPECT_EQ(replayed.settled.keeps_bounds, best.keeps_bounds);
      }
    }
}

/// Compares with the best of the whole table, found by hand.
TEST(exhaustive, agrees_with_a_table_read_by_hand) {
  //                      2 GHz                   1 GHz
  const Table table = test::table_of(
      {1, 2}, {2e9, 1e9},
      {{Rate{20}, Watts{30}}, {Rate{10}, Watts{20}}, {Rate{36}, Watts{50}}, {Rate{19}, Watts{28}}});
  const auto chosen = [&](const Goal& goal) {
    return replay(table, "exhaustive", goal, {}).settled.configuration;
  };
  EXPECT_EQ(chosen({.least_throughput = Rate{15}}), 3U);
  EXPECT_EQ(chosen({.least_throughput = Rate{19.5}}), 0U);
  EXPECT_EQ(chosen({.objective = Objective::most_throughput, .most_power = Watts{29}}), 3U);
  EXPECT_EQ(chosen({.objective = Objective::least_energy}), 2U);
  EXPECT_EQ(chosen({.least_throughput = Rate{40}}), 2U); // nothing: closest
}

/// The configurations between one core in the lowest gear and all cores in the highest, all cores
/// before higher gears.
std::vector<std::size_t> path_of(const Table& table) {
  const Configuration corner = table.space[wide_and_slow(table.space)];
  std::vector<std::size_t> path;
  for (std::size_t index = 0; index < table.space.size(); ++index) {
    const Configuration& one = table.space[index];
    if (one.placement == corner.placement && (one.gear == corner.gear || one.cores == corner.cores))
      path.push_back(index);
  }
  return path;
}

TEST(bisect, finds_the_best_of_its_path_where_more_is_faster) {
  for (const Machine machine : test::machines)
    for (unsigned seed = 0; seed < 20; ++seed) {
      MadeUp random(seed);
      const Table table = random.monotone(machine);
      Table path{"path", {table.space.node, {}}, {}};
      for (const std::size_t index : path_of(table)) {
        path.space.configurations.push_back(table.space[index]);
        path.performance.push_back(table.performance[index]);
      }
      Goal by_throughput = throughput_goal;
      Goal by_power = power_goal;
      by_throughput.least_throughput = test::throughput_at(path, random.uniform(0, 1.1));
      by_power.most_power = test::power_at(path, random.uniform(0, 1.1));
      for (const Goal& goal : {by_throughput, by_power}) {
        SCOPED_TRACE(testing::Message() << "machine " << static_cast<int>(machine) << ", seed "
                                        << seed << ", " << describe(goal));
        const Replay replayed = replay(table, "bisect", goal, {});
        const Optimum best = optimum(path, goal);
        EXPECT_EQ(table.space[replayed.settled.configuration], path.space[best.configuration]);
        EXPECT_EQ(replayed.settled.keeps_bounds, best.keeps_bounds);
        // The corner, then halves.
        EXPECT_LE(replayed.visits, 2 + std::bit_width(path.space.size()));
      }
    }
}

TEST(bisect, begins_anew_for_another_goal) {
  const Table table = MadeUp(3).monotone(Machine::powers_of_two);
  const auto search = make_search("bisect", table.space, throughput_goal);
  const std::size_t first = search->next().configuration;
  search->observe(first, test::seen_of(table, first));
  search->aim(power_goal);
  EXPECT_EQ(search->next().configuration, first);
}

/// Four cores, two gears; by hand: all cores first, in the lowest gear that would do were
/// throughput proportional to frequency, then fewer cores while these draw less.
TEST(limartinez, halves_the_cores_while_that_saves_power) {
  const Table table = test::table_of({1, 2, 4}, {2e9, 1e9},
                                     {{Rate{20}, Watts{24}},
                                      {Rate{10}, Watts{20}}, // one core
                                      {Rate{38}, Watts{29}},
                                      {Rate{19}, Watts{22}}, // two
                                      {Rate{60}, Watts{60}},
                                      {Rate{30}, Watts{30}}});
  const auto visited = [&](Rate bound) {
    std::vector<std::size_t> indices;
    const Replay replayed = replay(table, "limartinez", {.least_throughput = bound}, {});
    for (const Observation& one : replayed.observations)
      indices.push_back(one.configuration);
    return std::pair(indices, replayed.settled.configuration);
  };
  // 4 cores fast, then slow: both keep it. 2 cores slow, which by proportion do 15/s. 1 core fast,
  // as slow would do 7.5/s; slow too misses it, and fast draws more than 2 cores slow.
  EXPECT_EQ(visited(Rate{14.5}),
            std::pair(std::vector<std::size_t>{4, 5, 3, 0, 1}, std::size_t{3}));
  // 4 cores slow miss it; 2 cores fast draw less; 1 core does not do it.
  EXPECT_EQ(visited(Rate{35}), std::pair(std::vector<std::size_t>{4, 5, 2, 3, 0}, std::size_t{2}));
}

TEST(limartinez, settles_in_the_closest_where_nothing_keeps_the_bound) {
  const Table table = MadeUp(2).monotone(Machine::one_socket);
  const Replay replayed =
      replay(table, "limartinez", {.least_throughput = test::throughput_at(table, 1.5)}, {});
  EXPECT_FALSE(replayed.settled.keeps_bounds);
  const Configuration& settled = table.space[replayed.settled.configuration];
  EXPECT_EQ(settled.cores, table.space.node.cores());
  EXPECT_EQ(settled.gear, 0U);
}

} // namespace
} // namespace hypermile::steer
