#include "steer/evaluate.hpp"
#include "steer/made_up.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace hypermile::steer {
namespace {

/// Ten cores, throughput 10 to 100 items/s, power 30 to 120 W.
Table staircase() {
  std::vector<std::size_t> cores;
  std::vector<Performance> performance;
  for (std::size_t count = 1; count <= 10; ++count) {
    cores.push_back(count);
    performance.push_back(
        {Rate{10.0 * static_cast<double>(count)}, Watts{20.0 + 10.0 * static_cast<double>(count)}});
  }
  Table table = test::table_of(cores, {1e9}, performance);
  table.name = "staircase";
  return table;
}

TEST(evaluate, bounds_cut_the_range_of_a_table_into_ten_equal_parts) {
  const auto throughput = interior_bounds(staircase(), BoundKind::throughput);
  const auto power = interior_bounds(staircase(), BoundKind::power);
  ASSERT_EQ(throughput.size(), 9U);
  ASSERT_EQ(power.size(), 9U);
  for (std::size_t part = 0; part < 9; ++part) {
    EXPECT_DOUBLE_EQ(throughput[part], 10 + 9 * static_cast<double>(part + 1));
    EXPECT_DOUBLE_EQ(power[part], 30 + 9 * static_cast<double>(part + 1));
  }
}

TEST(evaluate, goals_are_those_of_the_paper) {
  EXPECT_EQ(describe(goal_of(BoundKind::power, 90)), "at most 90 W; most throughput");
  EXPECT_EQ(describe(goal_of(BoundKind::throughput, 90)), "at least 90 items/s; least power");
}

TEST(evaluate, exhaustive_search_loses_nothing_and_visits_everything) {
  const Evaluation evaluation = evaluate({staircase()}, {"exhaustive"}, {}, {});
  ASSERT_EQ(evaluation.cases.size(), 18U);
  for (const Case& one : evaluation.cases) {
    EXPECT_EQ(one.table, "staircase");
    EXPECT_EQ(one.method, "exhaustive");
    EXPECT_EQ(one.loss, 0);
    EXPECT_FALSE(one.violated);
    EXPECT_EQ(one.visits, 10U);
    EXPECT_EQ(one.measurements, 10U);
  }
  // At 19 items/s: one core misses by 9/19. At 39 W: ten cores miss by 81/39.
  EXPECT_DOUBLE_EQ(evaluation.cases[0].worst_excess, 9.0 / 19);
  EXPECT_DOUBLE_EQ(evaluation.cases[9].worst_excess, 81.0 / 39);
  ASSERT_EQ(evaluation.summary.size(), 2U);
  EXPECT_EQ(evaluation.summary[1].kind, BoundKind::power);
  EXPECT_EQ(evaluation.summary[1].cases, 9U);
  EXPECT_EQ(evaluation.summary[1].mean_visits, 10);
  EXPECT_DOUBLE_EQ(evaluation.summary[1].worst_excess, 81.0 / 39);
}

TEST(evaluate, says_what_a_method_does_not_answer_by_leaving_it_out) {
  const Evaluation evaluation = evaluate({staircase()}, {"limartinez"}, {}, {});
  EXPECT_EQ(evaluation.cases.size(), 9U);
  ASSERT_EQ(evaluation.summary.size(), 1U);
  EXPECT_EQ(evaluation.summary[0].kind, BoundKind::throughput);
}

TEST(evaluate, summaries_are_the_means_of_their_cases) {
  const std::vector<Table> tables{test::MadeUp(1).program(test::Machine::interleaved),
                                  test::MadeUp(2).program(test::Machine::four_sockets)};
  const Evaluation evaluation = evaluate(tables, {"nornir-literal", "adaptive"}, {0.01, 1}, {});
  ASSERT_EQ(evaluation.summary.size(), 4U);
  std::size_t violations = 0;
  for (const Summary& summary : evaluation.summary) {
    double loss = 0;
    double measurements = 0;
    std::size_t kept = 0;
    std::size_t violated = 0;
    for (const Case& one : evaluation.cases)
      if (one.method == summary.method && one.kind == summary.kind) {
        (one.violated ? violated : kept) += 1;
        loss += one.violated ? 0 : one.loss;
        measurements += static_cast<double>(one.measurements);
        EXPECT_LE(one.visits, one.measurements + 1);
        if (!one.violated) {
          EXPECT_GE(one.loss, 0);
          EXPECT_LE(one.loss, summary.worst_loss);
        }
      }
    EXPECT_EQ(summary.cases, 18U);
    EXPECT_EQ(summary.violations, violated);
    EXPECT_NEAR(summary.mean_loss, loss / static_cast<double>(kept), 1e-12);
    EXPECT_NEAR(summary.mean_measurements, measurements / 18, 1e-12);
    violations += violated;
  }
  EXPECT_GT(violations, 0U); // of nornir-literal
}

TEST(evaluate, tells_how_far_it_has_come) {
  std::vector<std::size_t> told;
  evaluate({staircase(), staircase()}, {"bisect", "limartinez"}, {},
           [&](std::size_t done, std::size_t all) {
             EXPECT_EQ(all, 8U);
             told.push_back(done);
           });
  EXPECT_EQ(told, (std::vector<std::size_t>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(replay, the_same_seed_deviates_in_the_same_way) {
  const Table table = staircase();
  const Goal goal = goal_of(BoundKind::power, 75);
  const auto powers = [&](std::uint64_t seed) {
    std::vector<double> seen;
    for (const Observation& one : replay(table, "adaptive", goal, {0.02, seed}).observations)
      seen.push_back(one.seen.power.value());
    return seen;
  };
  EXPECT_EQ(powers(1), powers(1));
  EXPECT_NE(powers(1), powers(2));
}

TEST(replay, noise_is_normal_and_known_to_the_search) {
  const Table table = staircase();
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    for (const Observation& one : replay(table, "exhaustive", {}, {0.05, seed}).observations) {
      const double deviation =
          one.seen.capacity / table.performance[one.configuration].capacity - 1;
      EXPECT_EQ(one.seen.relative_error, 0.05);
      sum += deviation;
      squares += deviation * deviation;
      ++count;
    }
  EXPECT_NEAR(sum / count, 0, 0.005);
  EXPECT_NEAR(std::sqrt(squares / count), 0.05, 0.005);
}

TEST(replay, counts_what_it_settled_in_though_it_was_never_measured) {
  const Table table = test::MadeUp(4).program(test::Machine::interleaved);
  for (const double share : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    const Goal goal{.least_throughput = test::throughput_at(table, share)};
    const Replay replayed = replay(table, "nornir-literal", goal, {});
    std::set<std::size_t> different{replayed.settled.configuration};
    for (const Observation& one : replayed.observations)
      different.insert(one.configuration);
    EXPECT_EQ(replayed.visits, different.size());
    EXPECT_GE(replayed.worst_excess, 0);
  }
}

} // namespace
} // namespace hypermile::steer
