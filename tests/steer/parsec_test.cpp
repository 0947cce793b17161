// What the methods achieve on programs that were really measured, data/parsec. [N16] 5

#include "io/steer_table.hpp"
#include "io/text_file.hpp"
#include "steer/evaluate.hpp"
#include "steer/prior.hpp"
#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace hypermile::steer {
namespace {

const std::string folder = HYPERMILE_SOURCE_DIR "/data/parsec/";

std::vector<Table> tables_with(const io::TableMachine& machine) {
  std::vector<Table> tables;
  for (const std::string name :
       {"blackscholes", "bodytrack", "canneal", "dedup", "ferret", "swaptions"}) {
    const std::string file = folder + name + ".csv";
    tables.push_back(io::parse_steer_table(io::read_text_file(file), file, machine));
  }
  return tables;
}

const std::vector<Table>& tables() {
  static const std::vector<Table> all = tables_with(
      {.voltages = io::parse_voltages(io::read_text_file(folder + "voltage.csv"), "voltage.csv")});
  return all;
}

Summary summary_of(const std::vector<Table>& programs, const std::string& method, BoundKind kind,
                   const Noise& noise = {}) {
  const Evaluation evaluation = evaluate(programs, {method}, noise, {});
  return *std::ranges::find(evaluation.summary, kind, &Summary::kind);
}

TEST(parsec, has_six_programs_in_312_configurations_on_two_sockets) {
  for (const Table& table : tables()) {
    EXPECT_EQ(table.space.size(), 312U) << table.name;
    EXPECT_EQ(table.space.node.sockets, 2U);
    EXPECT_EQ(table.space.node.cores_per_socket, 12U);
    EXPECT_EQ(table.space.node.gears.size(), 13U);
    EXPECT_EQ(io::missing_rows(table), 0U);
  }
}

TEST(parsec, adaptive_keeps_all_bounds_at_next_to_no_loss_in_six_visits) {
  const Summary throughput = summary_of(tables(), "adaptive", BoundKind::throughput);
  const Summary power = summary_of(tables(), "adaptive", BoundKind::power);
  EXPECT_LE(throughput.mean_loss, 0.0010);
  EXPECT_LE(power.mean_loss, 0.0020);
  for (const Summary& summary : {throughput, power}) {
    EXPECT_EQ(summary.cases, 54U);
    EXPECT_EQ(summary.violations, 0U);
    EXPECT_LE(summary.worst_loss, 0.06);
    EXPECT_LE(summary.mean_visits, 6.5);
    EXPECT_EQ(summary.mean_visits, summary.mean_measurements); // nothing is measured twice
  }
}

/// Each program with a prior that was fitted to the five others.
TEST(parsec, adaptive_is_as_good_at_programs_that_it_was_not_fitted_to) {
  const Evaluation left_out = leave_one_out(tables(), {});
  ASSERT_EQ(left_out.summary.size(), 2U);
  for (const Summary& summary : left_out.summary) {
    EXPECT_EQ(summary.cases, 54U);
    EXPECT_EQ(summary.violations, 0U);
    EXPECT_LE(summary.mean_loss, 0.0015); // 0.0002 and 0.0011 seen
    EXPECT_LE(summary.worst_loss, 0.06);
    EXPECT_LE(summary.mean_visits, 7);
  }
}

TEST(parsec, a_prior_is_fitted_to_programs_in_any_order_and_changes_with_them) {
  std::vector<Table> reversed(tables().rbegin(), tables().rend());
  const Prior prior = fit_prior(tables());
  const Prior same = fit_prior(reversed);
  for (std::size_t effect = 0; effect < effects; ++effect)
    EXPECT_NEAR(prior.throughput[effect], same.throughput[effect], 1e-9);
  EXPECT_EQ(prior.throughput[unit], default_prior().throughput[unit]);
  reversed.pop_back();
  EXPECT_GT(std::abs(fit_prior(reversed).throughput[scaling] - prior.throughput[scaling]), 1e-3);
}

TEST(parsec, adaptive_keeps_nearly_all_bounds_when_measurements_deviate_by_1_percent) {
  constexpr std::uint64_t seeds{test::cases(3)};
  std::map<BoundKind, double> lost;
  std::map<BoundKind, double> violations;
  std::map<BoundKind, double> cases;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    for (const Summary& one : evaluate(tables(), {"adaptive"}, {0.01, 1000 * seed}, {}).summary) {
      lost[one.kind] += one.mean_loss / seeds;
      violations[one.kind] += static_cast<double>(one.violations);
      cases[one.kind] += static_cast<double>(one.cases);
    }
  EXPECT_LE(lost[BoundKind::throughput], 0.005);
  EXPECT_LE(lost[BoundKind::power], 0.012);
  for (const BoundKind kind : {BoundKind::throughput, BoundKind::power})
    EXPECT_LE(violations[kind] / cases[kind], 0.01) << name_of(kind);
}

/// Other bounds than those it was built with: 39 instead of 9.
struct Finer {
  double mean_loss = 0;
  double worst_loss = 0;
  double mean_visits = 0;
  std::size_t violations = 0;
};
Finer finer(BoundKind kind) {
  constexpr int parts = 40;
  Finer sum;
  double cases = 0;
  for (const Table& table : tables()) {
    const auto tenths = interior_bounds(table, kind);
    const double tenth = tenths[1] - tenths[0];
    for (int part = 1; part < parts; ++part) {
      const Goal goal = goal_of(kind, tenths[0] + tenth * (10.0 * part / parts - 1));
      const Replay replayed = replay(table, "adaptive", goal, {});
      const Performance& chosen = table.performance[replayed.settled.configuration];
      const Performance& best = table.performance[optimum(table, goal).configuration];
      const double loss = kind == BoundKind::power ? 1 - chosen.capacity / best.capacity
                                                   : chosen.power / best.power - 1;
      sum.mean_loss += loss;
      sum.worst_loss = std::max(sum.worst_loss, loss);
      sum.mean_visits += static_cast<double>(replayed.visits);
      sum.violations += excess(goal, chosen) > 0 ? 1 : 0;
      ++cases;
    }
  }
  sum.mean_loss /= cases;
  sum.mean_visits /= cases;
  return sum;
}

TEST(parsec, adaptive_is_as_good_at_other_bounds) {
  for (const BoundKind kind : {BoundKind::throughput, BoundKind::power}) {
    const Finer result = finer(kind);
    EXPECT_LE(result.mean_loss, 0.001); // 0.0006 and 0.0004 seen
    EXPECT_LE(result.worst_loss, 0.05);
    EXPECT_LE(result.mean_visits, 6.5);
    EXPECT_EQ(result.violations, 0U);
  }
}

TEST(parsec, adaptive_does_without_a_table_of_voltages) {
  const auto programs = tables_with({.sockets = 2});
  for (const BoundKind kind : {BoundKind::throughput, BoundKind::power}) {
    const Summary summary = summary_of(programs, "adaptive", kind);
    EXPECT_LE(summary.mean_loss, 0.001); // 0.0003 seen
    EXPECT_LE(summary.worst_loss, 0.03);
    EXPECT_EQ(summary.violations, 0U);
    EXPECT_LE(summary.mean_visits, 6.8);
  }
}

/// Replayed elsewhere, the paper's method with each pick verified loses 1.2 and 1.3 % in about 8
/// visits. It leaves open in which order it calibrates.
TEST(parsec, nornir_does_as_when_it_was_replayed_elsewhere) {
  for (const BoundKind kind : {BoundKind::throughput, BoundKind::power}) {
    const Summary summary = summary_of(tables(), "nornir", kind);
    EXPECT_EQ(summary.violations, 0U);
    EXPECT_GE(summary.mean_loss, 0.010);
    EXPECT_LE(summary.mean_loss, 0.016);
    EXPECT_NEAR(summary.mean_visits, 8, 0.6);
  }
}

TEST(parsec, nornir_as_printed_misses_most_bounds_on_power) {
  const Summary power = summary_of(tables(), "nornir-literal", BoundKind::power);
  EXPECT_GE(static_cast<double>(power.violations) / static_cast<double>(power.cases), 0.5);
}

/// Elsewhere 0.43 and 1.04 % in under 6 visits.
TEST(parsec, bisection_is_cheap_and_good) {
  const Summary throughput = summary_of(tables(), "bisect", BoundKind::throughput);
  const Summary power = summary_of(tables(), "bisect", BoundKind::power);
  EXPECT_LE(throughput.mean_loss, 0.0050);
  EXPECT_LE(power.mean_loss, 0.0115);
  for (const Summary& summary : {throughput, power}) {
    EXPECT_EQ(summary.violations, 0U);
    EXPECT_LT(summary.mean_visits, 6);
    EXPECT_GE(summary.mean_loss, 0.002); // adaptive beats it by far
  }
}

TEST(parsec, limartinez_needs_more_visits_than_the_others) {
  const Summary summary = summary_of(tables(), "limartinez", BoundKind::throughput);
  EXPECT_EQ(summary.violations, 0U);
  EXPECT_LE(summary.mean_loss, 0.02);
  EXPECT_NEAR(summary.mean_visits, 10.8, 1);
}

} // namespace
} // namespace hypermile::steer
