// Numbers that are hard on the algebra: tiny and huge, equal, contradictory.

#include "steer/adaptive.hpp"
#include "steer/made_up.hpp"
#include "steer/replay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace hypermile::steer {
namespace {

using test::Machine;
using test::MadeUp;

void expect_finite(const Space& space, const Visits& visits) {
  const ThroughputModel throughput(space);
  const auto posteriors = throughput.fit(visits);
  const PowerModel power(space, visits, throughput.per_core_and_hertz(visits));
  for (std::size_t index = 0; index < space.size(); ++index) {
    EXPECT_TRUE(std::isfinite(posteriors[index].log_mean));
    EXPECT_TRUE(std::isfinite(posteriors[index].log_deviation));
    const PowerPosterior watts =
        power.predict({.configuration = index,
                       .share = 1,
                       .throughput = Rate{std::exp(posteriors[index].log_mean)}});
    EXPECT_TRUE(std::isfinite(watts.mean.value()));
    EXPECT_TRUE(std::isfinite(watts.deviation.value()));
  }
}

Table scaled(Table table, double capacity, double power) {
  for (Performance& one : table.performance)
    one = {one.capacity * capacity, one.power * power};
  return table;
}

/// Units are the user's: items may be bytes or frames, the node a phone or a room.
TEST(numbers, the_unit_of_throughput_and_power_does_not_matter) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Table table = MadeUp(seed).program(Machine::interleaved);
    for (const auto& [capacity, power] :
         {std::pair{1e-9, 1.0}, {1e12, 1.0}, {1.0, 1e-9}, {1.0, 1e12}, {1e-12, 1e-12}}) {
      const Table other = scaled(table, capacity, power);
      for (const double share : {0.2, 0.6}) {
        const Goal goal{.least_throughput = test::throughput_at(table, share),
                        .most_power = test::power_at(table, 0.8)};
        const Goal same{.least_throughput = *goal.least_throughput * capacity,
                        .most_power = *goal.most_power * power};
        for (const std::string method : {"adaptive", "nornir"}) {
          const Replay first = replay(table, method, goal, {});
          const Replay second = replay(other, method, same, {});
          EXPECT_EQ(first.settled.configuration, second.settled.configuration)
              << method << ", seed " << seed << ", x " << capacity << ", x " << power;
          EXPECT_EQ(first.observations.size(), second.observations.size());
        }
      }
    }
  }
}

TEST(numbers, posteriors_stay_finite_after_many_measurements_of_everything) {
  for (const Machine machine : test::machines) {
    const Table table = MadeUp(7).program(machine);
    for (const double error : {0.0, 1e-9, 0.02, 0.9}) {
      Visits visits;
      for (int times = 0; times < 100; ++times)
        for (std::size_t index = 0; index < table.space.size(); ++index) {
          const Performance& truth = table.performance[index];
          visits.add(index,
                     {.capacity = truth.capacity, .power = truth.power, .relative_error = error});
        }
      expect_finite(table.space, visits);
    }
  }
}

TEST(numbers, posteriors_stay_finite_where_measurements_contradict_each_other) {
  const Table table = MadeUp(8).program(Machine::four_sockets);
  Visits visits;
  for (std::size_t index = 0; index < table.space.size(); index += 2) {
    const double size = index % 4 == 0 ? 1e6 : 1e-6;
    visits.add(index, {.capacity = Rate{size}, .power = Watts{1 / size}});
    expect_finite(table.space, visits);
  }
}

TEST(numbers, configurations_that_do_exactly_the_same_are_no_trouble) {
  Table table = MadeUp(9).program(Machine::four_sockets);
  std::ranges::fill(table.performance, Performance{Rate{100}, Watts{50}});
  for (const Goal& goal :
       {Goal{.least_throughput = Rate{100}}, Goal{.least_throughput = Rate{101}},
        Goal{.objective = Objective::most_throughput, .most_power = Watts{50}}}) {
    const Replay replayed = replay(table, "adaptive", goal, {});
    EXPECT_EQ(replayed.settled.keeps_bounds, goal.least_throughput != Rate{101});
  }
}

TEST(numbers, a_single_configuration_is_all_there_is_to_choose) {
  const Table table = test::table_of({1}, {1e9}, {{Rate{100}, Watts{50}}});
  for (const SearchMethod& method : methods())
    for (const double bound : {50.0, 150.0}) {
      const Goal goal{.least_throughput = Rate{bound}};
      const Replay replayed = replay(table, method.name, goal, {});
      EXPECT_EQ(replayed.settled.configuration, 0U) << method.name;
      EXPECT_EQ(replayed.visits, 1U) << method.name;
      EXPECT_EQ(replayed.worst_excess, 0) << method.name; // not of what it settled in
      EXPECT_EQ(replayed.settled.keeps_bounds, bound < 100) << method.name;
    }
}

TEST(numbers, gears_may_be_all_but_equal) {
  const Table table = test::table_of(
      {1, 2}, {1e9 + 1, 1e9},
      {{Rate{10}, Watts{30}}, {Rate{10}, Watts{30}}, {Rate{20}, Watts{40}}, {Rate{20}, Watts{40}}});
  for (const SearchMethod& method : methods()) {
    const Goal goal{.least_throughput = Rate{15}};
    const Replay replayed = replay(table, method.name, goal, {});
    EXPECT_EQ(table.space[replayed.settled.configuration].cores, 2U) << method.name;
  }
}

/// A socket's voltage may fall as more of its cores work, and need not depend on the gear.
TEST(numbers, voltages_need_not_rise) {
  double lost = 0;
  double cases = 0;
  for (const double of_all_cores : {0.92, 0.9600000001})
    for (unsigned seed = 0; seed < 20; ++seed) {
      Table table = MadeUp(seed).program(Machine::four_sockets);
      NodeShape& node = table.space.node;
      node.voltage.emplace();
      for (std::size_t active = 0; active <= node.cores_per_socket; ++active) {
        const double volts = active == node.cores_per_socket
                                 ? of_all_cores
                                 : 0.96 + 0.01 * static_cast<double>(active);
        node.voltage->emplace_back(node.gears.size(), volts);
      }
      for (const double share : {0.2, 0.4, 0.6, 0.8}) {
        const Goal goal{.objective = Objective::most_throughput,
                        .most_power = test::power_at(table, share)};
        const Step settled = replay(table, "adaptive", goal, {}).settled;
        EXPECT_TRUE(settled.keeps_bounds) << "seed " << seed;
        const std::size_t best = optimum(table, goal).configuration;
        lost += 1 - table.performance[settled.configuration].capacity /
                        table.performance[best].capacity;
        ++cases;
      }
    }
  EXPECT_LE(lost / cases, 0.012); // 0.005 seen
}

} // namespace
} // namespace hypermile::steer
