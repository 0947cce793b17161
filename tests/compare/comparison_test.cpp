#include "compare/comparison.hpp"

#include "compare/runs.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace hypermile::compare {
namespace {

using test::compared;
using test::measured_run;
using test::simulated_run;
using Texts = std::vector<std::string>;

compare::Run with_fact(const Fact& fact) {
  compare::Run run = measured_run(10, 100);
  run.facts = {fact};
  return run;
}

Texts differing(const std::vector<compare::Run>& a, const std::vector<compare::Run>& b) {
  Texts texts;
  for (const Difference& difference : compared(a, b).differences)
    texts.push_back(difference.what + ": A: " + difference.a + ", B: " + difference.b);
  return texts;
}

TEST(a_comparison, of_one_run_each_has_differences_without_intervals) {
  const auto pairs = compared({measured_run(10, 200)}, {measured_run(12, 150)}).pairs;
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_DOUBLE_EQ(pairs[0].time.more(), 2);
  EXPECT_DOUBLE_EQ(pairs[0].time.times(), 1.2);
  EXPECT_DOUBLE_EQ(pairs[0].energy->times(), 0.75);
  EXPECT_FALSE(pairs[0].time.difference);
  EXPECT_FALSE(pairs[0].time.ratio);
  EXPECT_FALSE(pairs[0].time.shown());
}

TEST(a_comparison, of_several_runs_takes_their_means_whatever_their_order) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> time(8, 12);
  std::vector<compare::Run> a;
  std::vector<compare::Run> b;
  double sum_a = 0;
  double sum_b = 0;
  for (int i = 0; i < 4; ++i) {
    a.push_back(measured_run(time(random), 1));
    sum_a += a.back().time.value();
  }
  for (int i = 0; i < 6; ++i) {
    b.push_back(measured_run(time(random), 1));
    sum_b += b.back().time.value();
  }
  const Quantity once = compared(a, b).pairs.at(0).time;
  EXPECT_EQ(once.a.count, 4U);
  EXPECT_EQ(once.b.count, 6U);
  EXPECT_NEAR(once.more(), sum_b / 6 - sum_a / 4, 1e-12);
  std::ranges::shuffle(a, random);
  const Quantity again = compared(a, b).pairs.at(0).time;
  EXPECT_NEAR(once.difference->low, again.difference->low, 1e-12);
  EXPECT_NEAR(once.ratio->high, again.ratio->high, 1e-12);
}

TEST(a_comparison, shows_a_difference_exactly_where_its_interval_leaves_out_0) {
  std::mt19937_64 random(6);
  std::normal_distribution<double> noise(0, 1);
  int shown = 0;
  constexpr int comparisons = 300;
  for (int i = 0; i < comparisons; ++i) {
    std::vector<compare::Run> a;
    std::vector<compare::Run> b;
    for (int run = 0; run < 4; ++run) {
      a.push_back(measured_run(100 + noise(random), 1));
      b.push_back(measured_run(101 + noise(random), 1));
    }
    const Quantity time = compared(a, b).pairs.at(0).time;
    const bool holds_0 = time.difference->low <= 0 && 0 <= time.difference->high;
    EXPECT_EQ(time.shown(), !holds_0);
    shown += holds_0 ? 0 : 1;
  }
  EXPECT_GT(shown, 0);
  EXPECT_LT(shown, comparisons);
}

TEST(energy, is_compared_by_the_best_way_that_all_runs_share) {
  compare::Run both = measured_run(10, 100);
  both.energies.push_back({EnergyBy::power_tables, Joules{300}});
  compare::Run tables = measured_run(10, 0);
  tables.energies = {{EnergyBy::power_tables, Joules{330}}};
  const auto shared = compared({both}, {tables});
  EXPECT_DOUBLE_EQ(shared.pairs[0].energy->times(), 1.1);
  EXPECT_EQ(shared.pairs[0].energy_a, std::vector{EnergyBy::power_tables});
  EXPECT_TRUE(shared.differences.empty());
  const auto best = compared({both}, {both});
  EXPECT_EQ(best.pairs[0].energy_b, std::vector{EnergyBy::meters});
  EXPECT_DOUBLE_EQ(best.pairs[0].energy->b.mean, 100);
}

TEST(energy, that_is_measured_on_one_side_and_estimated_on_the_other_is_told) {
  compare::Run estimated = measured_run(10, 0);
  estimated.energies = {{EnergyBy::power_tables, Joules{330}}};
  EXPECT_EQ(differing({measured_run(10, 300)}, {estimated}),
            Texts{"energy: A: measured by meters, B: estimated by power tables"});
  EXPECT_EQ(
      differing({measured_run(10, 300), estimated}, {measured_run(10, 300), estimated}).size(),
      1U); // both sides mix them
}

TEST(energy, that_is_not_known_of_a_run_is_not_compared) {
  compare::Run unknown = measured_run(10, 0);
  unknown.energies.clear();
  EXPECT_FALSE(compared({measured_run(10, 300), unknown}, {measured_run(10, 300)}).pairs[0].energy);
  EXPECT_FALSE(compared({measured_run(10, 0)}, {measured_run(10, 300)}).pairs[0].energy);
}

TEST(facts, that_differ_are_told_with_both_sides) {
  EXPECT_EQ(differing({with_fact({"ranks", "4"})}, {with_fact({"ranks", "4"})}), Texts{});
  EXPECT_EQ(differing({with_fact({"ranks", "4"})}, {with_fact({"ranks", "8"})}),
            Texts{"ranks: A: 4, B: 8"});
  EXPECT_EQ(differing({with_fact({"ranks", "4"}), with_fact({"ranks", "8"})},
                      {with_fact({"ranks", "4"})}),
            Texts{"ranks: A: 4 or 8, B: 4"});
}

TEST(facts, that_are_numbers_are_alike_within_their_tolerance) {
  const auto iterations = [](double number) {
    return with_fact({"iterations", std::to_string(number), number, 0.02});
  };
  EXPECT_TRUE(differing({iterations(100)}, {iterations(98.5)}).empty());
  EXPECT_FALSE(differing({iterations(100)}, {iterations(97.5)}).empty());
  EXPECT_FALSE(differing({iterations(97.5)}, {iterations(100)}).empty());
}

TEST(facts, that_one_side_knows_nothing_of_are_left_out) {
  EXPECT_EQ(differing({with_fact({"meters", "2 packages"})}, {measured_run(1, 1)}), Texts{});
}

TEST(simulated_runs, are_compared_method_by_method) {
  const auto comparison = compared({simulated_run("none", 10, 100), simulated_run("exact", 11, 80)},
                                   {simulated_run("exact", 11, 78), simulated_run("alg5", 12, 70)});
  ASSERT_EQ(comparison.pairs.size(), 1U);
  EXPECT_EQ(name_of(comparison.pairs[0]), "exact");
  EXPECT_DOUBLE_EQ(comparison.pairs[0].energy->more(), -2);
  EXPECT_EQ(comparison.only_in_a, Texts{"unscaled"});
  EXPECT_EQ(comparison.only_in_b, Texts{"alg5"});
}

TEST(simulated_runs, of_two_methods_are_compared_where_they_are_named) {
  const std::vector<compare::Run> runs{simulated_run("none", 10, 100),
                                       simulated_run("exact", 11, 80)};
  const auto comparison = compared(runs, runs, "unscaled", "exact");
  ASSERT_EQ(comparison.pairs.size(), 1U);
  EXPECT_DOUBLE_EQ(comparison.pairs[0].energy->times(), 0.8);
  EXPECT_EQ(name_of(comparison.pairs[0]), "exact against unscaled");
  ASSERT_EQ(comparison.differences.size(), 1U);
  EXPECT_EQ(comparison.differences[0].what, "method");
}

TEST(simulated_runs, are_compared_with_measured_ones_where_one_method_is_named) {
  const auto comparison =
      compared({measured_run(10, 90)},
               {simulated_run("none", 10, 100), simulated_run("exact", 11, 81)}, "", "exact");
  EXPECT_DOUBLE_EQ(comparison.pairs.at(0).energy->times(), 0.9);
}

/// What the error says.
std::string refusal(const std::vector<compare::Run>& a, const std::vector<compare::Run>& b,
                    const std::string& method = "") {
  try {
    (void)compared(a, b, method, method);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(simulated_runs, without_a_method_in_common_are_refused_with_those_that_there_are) {
  const std::vector<compare::Run> a{simulated_run("none", 1, 1), simulated_run("exact", 1, 1)};
  const std::vector<compare::Run> b{simulated_run("alg5", 1, 1), simulated_run("edp", 1, 1)};
  EXPECT_EQ(refusal(a, b), "A and B have no run in common; try: --method and --with-method; A has "
                           "unscaled, exact; B has alg5, edp");
  EXPECT_EQ(refusal(a, a, "edp"), "A has no run of method 'edp'; try: unscaled, exact");
}

TEST(cells_of_a_study, are_compared_each_and_by_the_geometric_mean) {
  const auto comparison =
      compared({simulated_run("exact", 10, 100, "cg"), simulated_run("exact", 10, 100, "ep"),
                simulated_run("exact", 1, 1, "ft")},
               {simulated_run("exact", 20, 50, "ep"), simulated_run("exact", 5, 50, "cg")});
  ASSERT_EQ(comparison.pairs.size(), 2U);
  EXPECT_EQ(name_of(comparison.pairs[0]), "cg: exact");
  EXPECT_EQ(comparison.only_in_a, Texts{"ft: exact"});
  ASSERT_EQ(comparison.means.size(), 1U);
  EXPECT_EQ(comparison.means[0].cells, 2U);
  EXPECT_NEAR(comparison.means[0].time.ratio, 1, 1e-12); // half and twice
  EXPECT_NEAR(comparison.means[0].energy->ratio, 0.5, 1e-12);
  EXPECT_TRUE(comparison.means[0].time.interval);
}

TEST(cells_of_a_study, that_were_repeated_have_intervals) {
  std::vector<compare::Run> a;
  std::vector<compare::Run> b;
  for (int repetition = 0; repetition < 3; ++repetition) {
    a.push_back(simulated_run("exact", 10 + repetition, 100, "cg"));
    b.push_back(simulated_run("exact", 20 + repetition, 100, "cg"));
  }
  const auto comparison = compared(a, b);
  ASSERT_EQ(comparison.pairs.size(), 1U);
  EXPECT_EQ(comparison.pairs[0].time.a.count, 3U);
  EXPECT_EQ(comparison.pairs[0].time.shown(), true);
}

TEST(remarks, tell_of_busy_machines_and_of_programs_that_failed) {
  compare::Run busy = measured_run(1, 1);
  busy.taken_by_others = 0.31;
  compare::Run failed = measured_run(1, 1);
  failed.exit_code = 3;
  const auto remarks = compared({measured_run(1, 1), busy}, {failed}).remarks;
  ASSERT_EQ(remarks.size(), 2U);
  EXPECT_EQ(remarks[0],
            "A: the machine was busy. Other programs took 31 % of the ranks' time in run.json.");
  EXPECT_EQ(remarks[1], "B: the program in run.json ended with exit code 3.");
}

} // namespace
} // namespace hypermile::compare
