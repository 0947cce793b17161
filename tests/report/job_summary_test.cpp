#include "report/job_summary.hpp"

#include "report/jobs.hpp"

#include <gtest/gtest.h>

namespace hypermile::report {
namespace {

using test::job;
using test::job_change;
using test::job_choice;
using test::job_in_gear0;
using test::job_in_gears;
using test::job_rank;
using Texts = std::vector<std::string>;

void expect_ratio(const std::optional<Ratio>& ratio, double time, double energy) {
  ASSERT_TRUE(ratio);
  EXPECT_NEAR(ratio->time, time, 1e-12);
  ASSERT_TRUE(ratio->energy);
  EXPECT_NEAR(*ratio->energy, energy, 1e-12);
}

/// The ratio of a job of 10 s, 4.4 ms of them hypermile's own, to what would have taken so long in
/// gear 0.
double against(double in_gear0) { return 10 / (in_gear0 - 0.0044); }

void expect_joules(const std::optional<Joules>& energy, double joules) {
  ASSERT_TRUE(energy);
  EXPECT_NEAR(energy->value(), joules, 1e-9);
}

// --- Energy ---

TEST(table_energy, adds_what_nodes_draw_while_they_wait_and_while_ranks_compute) {
  // Per node 4 W x 10 s, and 8 W for each of 2 ranks x 5 s.
  expect_joules(summarize(job(job_in_gear0())).table_energy, 2 * (40 + 2 * 8 * 5.0));
}

TEST(table_energy, follows_the_gears_from_when_they_were_set) {
  // Node a as before; node b 40 J, 2 x 1.5 s x 8 W before the choice, 2 x 5 s x 1 W after it.
  expect_joules(summarize(job(job_in_gears())).table_energy, 112 + (40 + 24 + 10));
}

TEST(table_energy,
     is_that_of_gear_0_while_the_program_was_away_from_what_the_gears_were_chosen_for) {
  auto run = job_in_gears();
  for (auto& rank : run.ranks) { // 2 of the 7 s after the choice, with 1 of 5 s of computation
    rank.changes[0].away = Seconds{2};
    rank.changes[0].computation_away = Seconds{1};
  }
  const auto summary = summarize(job(run));
  expect_joules(summary.table_energy, 112 + (40 + 24 + 2 * (4 * 1 + 1 * 8)));
  ASSERT_TRUE(summary.whole_run);
  EXPECT_NEAR(summary.whole_run->time, against(3 + 2 + 5 / 1.25), 1e-12);
}

TEST(whole_run, allows_for_the_time_until_gears_were_left_that_no_longer_fitted) {
  auto run = job_in_gears();
  const double usual = summarize(job(run)).whole_run->time;
  EXPECT_NEAR(usual, against(3 + 7 / 1.25), 1e-12);
  run.decisions[0].misfit = {.time = Seconds{2}, .time_ratio = 2, .energy_ratio = 1};
  EXPECT_NEAR(summarize(job(run)).whole_run->time, against(3 + 5 / 1.25 + 2 / 2.0), 1e-12);
  run.decisions[0].misfit->time = Seconds{100}; // no longer than the gears were there
  EXPECT_NEAR(summarize(job(run)).whole_run->time, against(3 + 7 / 2.0), 1e-12);
}

TEST(table_energy, is_that_of_gears_that_were_given_from_the_begin) {
  auto run = job_in_gear0();
  run.ranks[2].gear = 1;
  run.ranks[3].gear = 1;
  const auto summary = summarize(job(run));
  expect_joules(summary.table_energy, 120 + (40 + 2 * 1 * 5));
  EXPECT_TRUE(summary.gears_in_effect);
  EXPECT_FALSE(summary.whole_run); // nothing is known of gear 0
  EXPECT_FALSE(summary.measured);
}

TEST(table_energy, takes_the_gear_of_a_node_from_the_rank_that_sets_it) {
  auto run = job_in_gears();
  for (auto* const order_that_was_not_followed :
       {&run.ranks[3].changes[0].gear, &run.ranks[3].gear})
    *order_that_was_not_followed = 0;
  expect_joules(summarize(job(run)).table_energy, 186);
  run.ranks[2].changes[0].gear = 0;
  run.ranks[2].gear = 0;
  run.ranks[3].changes[0].gear = 1;
  expect_joules(summarize(job(run)).table_energy, 112 + 40 + 2 * 6.5 * 8);
  EXPECT_FALSE(summarize(job(run)).gears_in_effect);
}

TEST(table_energy, is_not_known_where_the_power_of_a_node_is_not) {
  auto run = job_in_gears();
  for (const int rank : {2, 3})
    run.ranks[static_cast<std::size_t>(rank)].node.type.power.assign(2, {});
  const auto summary = summarize(job(run));
  EXPECT_FALSE(summary.table_energy);
  EXPECT_FALSE(summary.measured);
  EXPECT_FALSE(summary.whole_run);
  EXPECT_TRUE(summary.predicted);
}

TEST(table_energy, counts_the_power_of_a_node_once_though_none_of_its_ranks_could_look_at_it) {
  auto run = job_in_gear0();
  for (auto& rank : run.ranks)
    rank.access.reset();
  const auto summary = summarize(job(run));
  EXPECT_EQ(summary.nodes, 2U);
  expect_joules(summary.table_energy, 240);
}

TEST(measured_energy, is_the_sum_of_the_nodes_meters) {
  auto run = job_in_gears();
  run.ranks[0].energy = Joules{100};
  run.ranks[0].access->meter = "1 package";
  run.ranks[2].energy = Joules{50};
  run.ranks[2].access->meter = "2 packages";
  const auto summary = summarize(job(run));
  expect_joules(summary.measured_energy, 150);
  EXPECT_EQ(summary.meters, (Texts{"1 package on a", "2 packages on b"}));
}

TEST(measured_energy, says_on_how_many_nodes_the_same_is_measured) {
  auto run = job_in_gears();
  for (const std::size_t rank : {0U, 2U}) {
    run.ranks[rank].energy = Joules{100};
    run.ranks[rank].access->meter = "1 package";
  }
  EXPECT_EQ(summarize(job(run)).meters, (Texts{"1 package on each of 2 nodes"}));
}

TEST(measured_energy, is_not_known_where_a_node_has_no_meter) {
  auto run = job_in_gears();
  run.ranks[0].energy = Joules{100};
  run.ranks[0].access->meter = "1 package";
  EXPECT_FALSE(summarize(job(run)).measured_energy);
}

TEST(energy, is_not_told_where_the_user_wants_none) {
  auto j = job(job_in_gears());
  j.settings.meter = "none";
  j.run.ranks[0].energy = j.run.ranks[2].energy = Joules{100};
  j.baseline = job_in_gear0();
  const auto summary = summarize(j);
  EXPECT_FALSE(summary.measured_energy);
  EXPECT_FALSE(summary.table_energy);
  EXPECT_FALSE(summary.measured->energy);
  EXPECT_FALSE(summary.whole_run->energy);
  EXPECT_FALSE(summary.against_baseline->energy);
  EXPECT_FALSE(summary.baseline_energy);
  expect_ratio(summary.predicted, 1.25, 0.8); // what the choice rests on
}

TEST(power, is_assumed_where_it_is_of_one_node) {
  auto run = job_in_gears();
  EXPECT_FALSE(summarize(job(run)).power_assumed);
  run.ranks[2].access->power_assumed = true;
  EXPECT_TRUE(summarize(job(run)).power_assumed);
}

// --- Ratios ---

TEST(ratios, compare_iterations_after_the_choice_with_those_before) {
  const auto summary = summarize(job(job_in_gears()));
  expect_ratio(summary.predicted, 1.25, 0.8);
  // All 140 calls at 0.06 s instead of 0.05 s. Energy of the loop as it was before the choice: per
  // node (4 W x 2 s + 2 x 8 W x 1 s) x 140/40 = 84 J; after it: node a (24 + 2 x 20) x 140/100,
  // node b (24 + 2 x 4.5) x 140/100.
  expect_ratio(summary.measured, 1.2, (64 + 33) * 1.4 / (2 * 84));
}

TEST(ratios, of_the_whole_run_rest_on_what_was_predicted_of_each_choice) {
  // 3 s as they were, 7 s that would have taken 7 s / 1.25; 72 J as they were, 114 J that would
  // have been 114 J / 0.8.
  expect_ratio(summarize(job(job_in_gears())).whole_run, against(3 + 7 / 1.25),
               186 / (72 + 114 / 0.8));
}

TEST(ratios, of_the_whole_run_rest_on_what_was_measured_of_a_choice_where_that_is_known) {
  auto run = job_in_gears();
  run.decisions.back().measured_time_ratio = 1.4; // 1.25 was predicted
  expect_ratio(summarize(job(run)).whole_run, against(3 + 7 / 1.4),
               186 / (72 + 114 / (0.8 * 1.4 / 1.25)));
}

TEST(ratios, count_choices_of_gear_0_before_the_first_gears_as_gear_0) {
  auto run = job_in_gears();
  run.decisions.insert(run.decisions.begin(), job_choice({0, 0}));
  for (auto& rank : run.ranks)
    rank.changes.insert(rank.changes.begin(), job_change(2, 0, 30, 1));
  expect_ratio(summarize(job(run)).measured, 1.2, (64 + 33) * 1.4 / (2 * 84));
}

TEST(ratios, are_of_the_last_gears_where_all_went_back_to_gear_0) {
  auto run = job_in_gears();
  run.decisions.push_back(job_choice({0, 0}));
  run.decisions.back().prediction.p_norm = run.decisions.back().prediction.e_norm = 1;
  for (auto& rank : run.ranks) { // at the end of the loop
    rank.changes.push_back(job_change(9, 0, 150, rank.computation.value() - 0.5));
    rank.gear = 0;
  }
  const auto summary = summarize(job(run));
  EXPECT_TRUE(summary.gears_in_effect);
  expect_ratio(summary.predicted, 1.25, 0.8);
  expect_ratio(summary.measured, 1.2, (64 + 33) * 1.4 / (2 * 84));
  // The last second as it was: 2 x 4 J, 4 ranks x 0.5 s x 8 W. From 3 s to 9 s: 64 J + 33 J.
  expect_ratio(summary.whole_run, against(4 + 6 / 1.25), (72 + 97 + 24) / (72 + 97 / 0.8 + 24));
}

TEST(ratios, of_gears_that_seem_to_make_the_program_faster_are_not_believed) {
  auto run = job_in_gears();
  run.decisions.back().measured_time_ratio = 0.8;
  expect_ratio(summarize(job(run)).whole_run, against(3 + 7 / 1.25), 186 / (72 + 114 / 0.8));
  for (auto& rank : run.ranks) // nothing in gear 0 to compare with
    rank.changes[0].time = rank.loop.first_iteration;
  EXPECT_FALSE(summarize(job(run)).measured);
  run.decisions.back().measured_time_ratio = 1.1;
  ASSERT_TRUE(summarize(job(run)).measured);
  EXPECT_DOUBLE_EQ(summarize(job(run)).measured->time, 1.1);
}

TEST(ratios, of_iterations_that_became_longer_or_shorter_by_themselves_are_not_measured) {
  for (const double computation : {4.0, 2.0}) { // instead of 3 s, in gear 0
    auto run = job_in_gears();
    run.ranks[1] = test::job_rank(1, computation);
    run.ranks[1].changes = run.ranks[0].changes;
    EXPECT_FALSE(summarize(job(run)).measured) << computation;
  }
}

TEST(ratios, of_iterations_that_wait_for_memory_are_measured) {
  auto run = job_in_gears();
  for (const std::size_t rank : {2U, 3U}) { // as much computation in gear 1 as in gear 0
    const auto changes = run.ranks[rank].changes;
    run.ranks[rank] = test::job_rank(static_cast<int>(rank), 3);
    run.ranks[rank].changes = changes;
  }
  EXPECT_TRUE(summarize(job(run)).measured);
}

/// The choice came after 3 of 10 s.
TEST(ratios, of_iterations_while_other_programs_had_the_cores_are_not_measured) {
  for (const auto& [before, in_all] : {std::pair{0.4, 0.4}, std::pair{0.0, 0.8}}) {
    Job j = job(job_in_gears());
    ASSERT_TRUE(summarize(j).measured);
    j.run.ranks[1].changes[0].stolen = Seconds{before};
    j.run.ranks[1].stolen = Seconds{in_all};
    EXPECT_FALSE(summarize(j).measured);
    j.run.decisions[0].measured_time_ratio = 1.2; // in another part of the run
    EXPECT_DOUBLE_EQ(summarize(j).measured->time, 1.2);
  }
  Job little = job(job_in_gears());
  little.run.ranks[1].stolen = Seconds{0.3};
  EXPECT_TRUE(summarize(little).measured);
}

TEST(ratios, of_a_choice_that_a_rank_did_not_hear_of_are_not_measured) {
  auto run = job_in_gears();
  run.ranks[1].changes.clear();
  const auto summary = summarize(job(run));
  EXPECT_TRUE(summary.predicted);
  EXPECT_FALSE(summary.measured);
  // Rank 1 computes 3 s at 8 W as it would have.
  expect_ratio(summary.whole_run, against((4 * 3 + 3 * 7 / 1.25 + 7) / 4),
               186 / (72 + (114 - 24) / 0.8 + 24));
}

TEST(ratios, of_a_choice_that_a_leader_did_not_hear_of_keep_the_gear_that_the_node_had) {
  auto run = job_in_gears();
  run.decisions.push_back(job_choice({0, 0}));
  for (const std::size_t rank : {0U, 1U, 3U}) // not rank 2, which sets the gear of node b
    run.ranks[rank].changes.push_back(
        job_change(9, 0, 150, run.ranks[rank].computation.value() - 0.5));
  expect_joules(summarize(job(run)).table_energy, 186);
}

TEST(ratios, of_a_choice_after_which_nobody_called_mpi_are_not_measured) {
  auto run = job_in_gears();
  for (auto& rank : run.ranks)
    rank.changes = {job_change(9, rank.gear, 150, rank.computation.value() - 0.5)};
  EXPECT_FALSE(summarize(job(run)).measured);
}

TEST(ratios, of_gears_from_the_begin_of_the_loop_on_are_not_measured) {
  auto run = job_in_gears();
  for (auto& rank : run.ranks)
    rank.changes = {job_change(1, rank.gear, 10, 0.5)};
  EXPECT_FALSE(summarize(job(run)).measured);
}

TEST(ratios, of_time_are_those_of_the_runtime_where_iterations_cannot_be_compared_here) {
  auto run = job_in_gears();
  run.decisions[0].measured_time_ratio = 1.1;
  expect_ratio(summarize(job(run)).measured, 1.2, (64 + 33) * 1.4 / (2 * 84));
  run.ranks[1].changes.clear();
  const auto measured = summarize(job(run)).measured;
  ASSERT_TRUE(measured);
  EXPECT_EQ(measured->time, 1.1);
  EXPECT_FALSE(measured->energy);
}

TEST(ratios, of_gears_that_only_some_nodes_took_are_not_estimated) {
  auto run = job_in_gears();
  EXPECT_TRUE(summarize(job(run)).all_in_effect);
  run.decisions[0].gears = {1, 1};
  run.ranks[0].changes[0].in_effect = false;
  const auto summary = summarize(job(run));
  EXPECT_FALSE(summary.all_in_effect);
  EXPECT_TRUE(summary.predicted);
  EXPECT_FALSE(summary.whole_run);
}

TEST(ratios, of_gears_that_no_node_took_count_as_gear_0) {
  auto run = job_in_gears();
  run.decisions.insert(run.decisions.begin(), job_choice({0, 1}));
  for (auto& rank : run.ranks) {
    rank.changes.insert(rank.changes.begin(), job_change(2, 0, 30, 1));
    rank.changes[0].in_effect = rank.node.name == "a";
  }
  expect_ratio(summarize(job(run)).whole_run, against(3 + 7 / 1.25), 186 / (72 + 114 / 0.8));
}

TEST(ratios, of_a_dry_run_are_predicted_only) {
  auto run = job_in_gears();
  for (auto& rank : run.ranks) {
    rank.changes[0].gear = rank.access ? 0 : rank.changes[0].gear;
    rank.gear = 0;
  }
  const auto summary = summarize(job(run));
  EXPECT_FALSE(summary.gears_in_effect);
  expect_ratio(summary.predicted, 1.25, 0.8);
  EXPECT_FALSE(summary.measured);
  EXPECT_FALSE(summary.whole_run);
}

TEST(ratios, are_none_where_nothing_was_chosen) {
  const auto summary = summarize(job(job_in_gear0()));
  EXPECT_FALSE(summary.predicted);
  EXPECT_FALSE(summary.measured);
  EXPECT_FALSE(summary.whole_run);
  EXPECT_FALSE(summary.against_baseline);
}

// --- Against a run in gear 0 ---

Job against_gear0() {
  Job j = job(job_in_gears());
  j.baseline = job_in_gear0();
  for (auto& rank : j.baseline->ranks)
    rank.time = Seconds{8};
  return j;
}

TEST(baseline, is_compared_by_power_tables_where_nothing_is_measured) {
  const auto summary = summarize(against_gear0());
  EXPECT_EQ(summary.baseline_basis, EnergyBasis::tables);
  expect_joules(summary.baseline_energy, 240 - 2 * 8);
  expect_ratio(summary.against_baseline, 10.0 / 8, 186.0 / 224);
}

TEST(baseline, is_compared_by_the_nodes_meters_where_both_were_measured) {
  Job j = against_gear0();
  j.run.ranks[0].energy = j.run.ranks[2].energy = Joules{60};
  j.baseline->ranks[0].energy = Joules{60};
  EXPECT_EQ(summarize(j).baseline_basis, EnergyBasis::tables);
  j.baseline->ranks[2].energy = Joules{90};
  const auto summary = summarize(j);
  EXPECT_EQ(summary.baseline_basis, EnergyBasis::meters);
  expect_ratio(summary.against_baseline, 1.25, 120.0 / 150);
}

TEST(baseline, is_compared_by_an_external_meter_that_missed_nothing) {
  Job j = against_gear0();
  j.external = Job::External{Joules{300}, 1, "power.csv"};
  j.baseline_external = Job::External{Joules{400}, 0.5, "power.csv"};
  EXPECT_EQ(summarize(j).baseline_basis, EnergyBasis::tables);
  j.baseline_external->coverage = 1;
  const auto summary = summarize(j);
  EXPECT_EQ(summary.baseline_basis, EnergyBasis::external);
  expect_joules(summary.baseline_energy, 400);
  expect_ratio(summary.against_baseline, 1.25, 0.75);
}

TEST(baseline, is_compared_by_time_where_no_energy_is_known) {
  Job j = against_gear0();
  for (auto& rank : j.run.ranks)
    rank.node.type.power.assign(2, {});
  const auto summary = summarize(j);
  EXPECT_EQ(summary.baseline_basis, EnergyBasis::none);
  ASSERT_TRUE(summary.against_baseline);
  EXPECT_NEAR(summary.against_baseline->time, 1.25, 1e-12);
  EXPECT_FALSE(summary.against_baseline->energy);
}

TEST(baseline, says_little_where_other_programs_had_the_cores_in_either_run) {
  Job j = job(job_in_gears());
  j.baseline = job_in_gear0();
  EXPECT_FALSE(summarize(j).contended);
  j.baseline->ranks[2].stolen = Seconds{1.1};
  EXPECT_TRUE(summarize(j).contended);
  j.baseline->ranks[2].stolen = Seconds{0.9};
  EXPECT_FALSE(summarize(j).contended);
  j.run.ranks[0].stolen = Seconds{1.1};
  EXPECT_TRUE(summarize(j).contended);
}

TEST(baseline, that_took_no_time_is_not_compared) {
  Job j = against_gear0();
  for (auto& rank : j.baseline->ranks)
    rank.time = Seconds{};
  EXPECT_FALSE(summarize(j).against_baseline);
}

// --- The rest ---

TEST(run, that_took_no_time_has_no_ratios) {
  runtime::RunReport run;
  run.ranks.push_back({.rank = 0, .node = test::node("a")});
  run.ranks[0].changes = {{.time = Seconds{}, .gear = 1, .energy = std::nullopt}};
  run.ranks[0].gear = 1;
  run.decisions = {job_choice({1})};
  const auto summary = summarize(job(run));
  expect_joules(summary.table_energy, 0);
  EXPECT_FALSE(summary.measured);
  EXPECT_FALSE(summary.whole_run);
}

TEST(run, of_no_rank_is_summarized) {
  const auto summary = summarize(job({}));
  EXPECT_EQ(summary.nodes, 0U);
  EXPECT_FALSE(summary.measured_energy);
  EXPECT_FALSE(summary.table_energy);
}

TEST(run, takes_as_long_as_its_slowest_rank) {
  auto run = job_in_gear0();
  run.ranks[1].time = Seconds{11};
  EXPECT_EQ(summarize(job(run)).time, Seconds{11});
}

TEST(overhead, is_that_of_the_rank_that_has_most_of_it) {
  const auto summary = summarize(job(job_in_gear0()));
  EXPECT_NEAR(summary.overhead.value(), 0.004, 1e-12);
  EXPECT_NEAR(summary.watching.value(), 0.0004, 1e-12);
}

TEST(overhead, is_part_of_what_a_run_cost) {
  auto run = job_in_gear0();
  EXPECT_NEAR(summarize(job(run)).own_ratio, 10 / (10 - 0.0044), 1e-12);
  for (auto& rank : run.ranks)
    rank.in_init = Seconds{0.1 + rank.rank};
  run.ranks[1].watching = Seconds{1};
  EXPECT_NEAR(summarize(job(run)).own_ratio, 10.1 / (10 - 1.002), 1e-12);

  auto in_gears = test::job_in_gears();
  const double before = summarize(job(in_gears)).whole_run->time;
  for (auto& rank : in_gears.ranks)
    rank.watching += Seconds{0.5};
  EXPECT_NEAR(summarize(job(in_gears)).whole_run->time, before * (1 + 0.5 / (10 / before - 0.5)),
              1e-4);
}

TEST(gears, are_unknown_where_those_of_one_node_are) {
  auto run = job_in_gear0();
  EXPECT_TRUE(summarize(job(run)).gears_known);
  auto& type = run.ranks[2].node.type;
  type.gears = model::GearTable{{Hertz{1}}};
  type.power.resize(1);
  type.frequencies_known = false;
  EXPECT_FALSE(summarize(job(run)).gears_known);
}

TEST(remarks, of_all_nodes_name_none) {
  auto run = job_in_gear0();
  run.ranks[0].access->remarks = run.ranks[2].access->remarks = {"no sensor"};
  EXPECT_EQ(summarize(job(run)).remarks, (Texts{"no sensor"}));
}

TEST(remarks, of_some_nodes_name_them) {
  auto run = job_in_gear0();
  run.ranks[0].access->remarks = {"both", "no sensor"};
  run.ranks[2].access->remarks = {"both"};
  run.ranks[3].failure = "gear 1 was refused";
  EXPECT_EQ(summarize(job(run)).remarks, (Texts{"both", "a: no sensor", "b: gear 1 was refused"}));
}

TEST(remarks, of_a_node_are_told_once_however_many_ranks_have_them) {
  auto run = job_in_gear0();
  run.ranks[2].failure = run.ranks[3].failure = "gear 1 was refused";
  EXPECT_EQ(summarize(job(run)).remarks, (Texts{"b: gear 1 was refused"}));
}

TEST(remarks, of_many_nodes_name_three_and_count_the_others) {
  const auto of_nodes = [](int count) {
    runtime::RunReport run;
    for (int rank = 0; rank < 10; ++rank) {
      run.ranks.push_back({.rank = rank, .node = test::node("n" + std::to_string(rank))});
      run.ranks.back().failure = rank < count ? "no" : "";
    }
    return summarize(job(run)).remarks.at(0);
  };
  EXPECT_EQ(of_nodes(3), "n0, n1, n2: no");
  EXPECT_EQ(of_nodes(4), "n0, n1, n2 and 1 more node: no");
  EXPECT_EQ(of_nodes(9), "n0, n1, n2 and 6 more nodes: no");
  EXPECT_EQ(of_nodes(10), "no");
}

TEST(remarks, of_the_launcher_come_last) {
  auto j = job(job_in_gear0());
  j.run.ranks[0].access->remarks = {"no sensor"};
  j.remarks = {"power.csv is missing"};
  EXPECT_EQ(summarize(j).remarks, (Texts{"a: no sensor", "power.csv is missing"}));
}

} // namespace
} // namespace hypermile::report
