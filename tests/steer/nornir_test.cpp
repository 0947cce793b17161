#include "steer/made_up.hpp"
#include "steer/nornir.hpp"
#include "steer/replay.hpp"

#include <gtest/gtest.h>

namespace hypermile::steer {
namespace {

using model::Placement;
using test::Machine;
using test::MadeUp;

/// A program that is exactly as the models have it. T_S(n, f_min) = 0.9/n + 0.1 (n-1)/n
/// + 0.002 (n-1), 1.8 times faster in the highest gear; P = 2 [sockets (V - v_min) + K v_min]
/// + 3 V^2 f n. [N16] Eq. 2, 3, 10, 11
class Exact {
public:
  Exact() : table_{"exact", all_configurations(node()), {}} {
    for (const Configuration& one : table_.space.configurations)
      table_.performance.push_back({Rate{1 / seconds(one)}, watts(one)});
  }
  [[nodiscard]] const Table& table() const { return table_; }

private:
  static NodeShape node() {
    return {2, 4, model::GearTable({Hertz{2e9}, Hertz{1.6e9}, Hertz{1e9}})};
  }
  [[nodiscard]] double seconds(const Configuration& one) const {
    const auto n = static_cast<double>(one.cores);
    const double slow = 0.9 / n + 0.1 * (n - 1) / n + 0.002 * (n - 1);
    const double fast = slow / 1.8;
    const double ghz = table_.space.node.gears.frequency(one.gear).value() / 1e9;
    return slow + (fast - slow) * (ghz - 1) / (2 - 1);
  }
  [[nodiscard]] Watts watts(const Configuration& one) const {
    const NodeShape& shape = table_.space.node;
    const double least = shape.volts(0, 2);
    const double volts = shape.volts(0, one.gear);
    const double ghz = shape.gears.frequency(one.gear).value() / 1e9;
    const double sockets = static_cast<double>(active_sockets(shape, one));
    return Watts{2 * (sockets * (volts - least) + 2 * least) +
                 3 * volts * volts * ghz * static_cast<double>(one.cores)};
  }
  Table table_;
};

TEST(nornir_model, predicts_everything_of_a_program_that_is_as_its_equations_have_it) {
  const Table table = Exact().table();
  Visits visits;
  for (const Configuration one :
       {Configuration{1, 2}, Configuration{1, 0}, Configuration{4, 2}, Configuration{8, 2},
        Configuration{3, 2, Placement::interleaved}, Configuration{5, 2, Placement::interleaved}}) {
    const auto index = table.space.find(one);
    ASSERT_TRUE(index);
    visits.add(*index, test::seen_of(table, *index));
  }
  const auto model = NornirModel::fit(table.space, visits);
  ASSERT_TRUE(model);
  for (std::size_t index = 0; index < table.space.size(); ++index) {
    const Performance predicted = model->predict(table.space[index]);
    const Performance& real = table.performance[index];
    EXPECT_NEAR(predicted.capacity / real.capacity, 1, 1e-9) << index;
    EXPECT_NEAR(predicted.power / real.power, 1, 1e-9) << index;
  }
}

TEST(nornir_model, needs_one_core_in_the_lowest_and_the_highest_gear) {
  const Table table = Exact().table();
  Visits visits;
  const auto visit = [&](const Configuration& one) {
    const std::size_t index = table.space.find(one).value();
    visits.add(index, test::seen_of(table, index));
  };
  visit({1, 2});
  visit({8, 2});
  visit({4, 2, Placement::interleaved});
  EXPECT_FALSE(NornirModel::fit(table.space, visits));
  visit({1, 0});
  EXPECT_TRUE(NornirModel::fit(table.space, visits));
}

TEST(nornir, finds_the_optimum_of_a_program_that_is_as_its_equations_have_it) {
  const Table table = Exact().table();
  for (const std::string method : {"nornir", "nornir-literal"})
    for (const double share : {0.1, 0.3, 0.5, 0.7, 0.9})
      for (const Goal& goal : {Goal{.least_throughput = test::throughput_at(table, share)},
                               Goal{.objective = Objective::most_throughput,
                               .most_power = test::power_at(table, share)}}) {
        const Replay replayed = replay(table, method, goal, {});
        const Performance& chosen = table.performance[replayed.settled.configuration];
        const Performance& best = table.performance[optimum(table, goal).configuration];
        EXPECT_LE(excess(goal, chosen), 0.01) << method << ", " << describe(goal);
        EXPECT_NEAR(worth(goal, chosen) / worth(goal, best), 1, 0.02)
            << method << ", " << describe(goal);
        EXPECT_LE(replayed.visits, 12U);
      }
}

TEST(nornir, verified_keeps_bounds_that_literal_only_predicts_to_keep) {
  std::size_t literal = 0;
  std::size_t verified = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Table table = MadeUp(seed).program(Machine::interleaved);
    for (const double share : {0.2, 0.5, 0.8}) {
      const Goal goal{.objective = Objective::most_throughput,
                      .most_power = test::power_at(table, share)};
      const auto missed = [&](const std::string& method) {
        const Step settled = replay(table, method, goal, {}).settled;
        return excess(goal, table.performance[settled.configuration]) > 0 ? 1U : 0U;
      };
      literal += missed("nornir-literal");
      verified += missed("nornir");
    }
  }
  EXPECT_EQ(verified, 0U);
  EXPECT_GT(literal, 20U);
}

TEST(nornir, calibrates_in_the_lowest_gear_and_with_one_core_in_the_highest) {
  const Table table = MadeUp(5).program(Machine::interleaved);
  const model::Gear slowest = table.space.node.gears.size() - 1;
  const Replay replayed = replay(table, "nornir", {.least_throughput = Rate{1e-9}}, {});
  std::size_t fast = 0;
  for (const Observation& one : replayed.observations)
    if (one.reason == "calibration" && table.space[one.configuration].gear != slowest) {
      EXPECT_EQ(table.space[one.configuration], (Configuration{1, 0}));
      ++fast;
    }
  EXPECT_EQ(fast, 1U);
}

TEST(nornir, uses_what_it_knows_for_another_goal) {
  const Table table = Exact().table();
  NornirSearch search(table.space, {.least_throughput = test::throughput_at(table, 0.5)},
                      NornirSearch::Pick::verified);
  const auto run = [&] {
    std::size_t visits = 0;
    for (Step step = search.next(); step.what == Step::What::visit; step = search.next(), ++visits)
      search.observe(step.configuration, test::seen_of(table, step.configuration));
    return visits;
  };
  EXPECT_GT(run(), 4U);
  search.aim({.least_throughput = test::throughput_at(table, 0.7)});
  EXPECT_LE(run(), 2U);
}

/// A machine on which the models' configurations were not measured.
TEST(nornir, settles_in_the_best_it_saw_where_its_models_cannot_be_fitted) {
  Table table = test::table_of(
      {2, 4}, {2e9, 1e9},
      {{Rate{20}, Watts{40}}, {Rate{10}, Watts{25}}, {Rate{36}, Watts{60}}, {Rate{19}, Watts{35}}});
  for (const std::string method : {"nornir", "nornir-literal"}) {
    const Replay replayed = replay(table, method, {.least_throughput = Rate{8}}, {});
    EXPECT_EQ(replayed.settled.configuration, 1U) << method;
    EXPECT_TRUE(replayed.settled.keeps_bounds) << method;
  }
}

} // namespace
} // namespace hypermile::steer
