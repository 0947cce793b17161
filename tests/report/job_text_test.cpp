#include "report/job_text.hpp"

#include "report/jobs.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace hypermile::report {
namespace {

using test::expect_part;
using test::job;
using test::job_choice;
using test::job_in_gear0;
using test::job_in_gears;

/// What every one of these jobs says of its loop.
constexpr const char* loop =
    "Loop: 140 iterations from 1 s on, 80 % of the time; found by its repeating MPI\n"
    "  calls.\n"
    "One iteration: 1 MPI call.\n";
constexpr const char* overhead =
    "\nhypermile itself cost 0.044 % of the time: 4 ms for choices and messages, and\n"
    "  0.4 ms in MPI calls.\n";

void expect_no_part(const std::string& text, const std::string& part) {
  EXPECT_EQ(text.find(part), std::string::npos) << part << "\nis in\n" << text;
}

void expect_to_fit_a_terminal(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80U) << line;
}

Job metered() {
  Job j = job(job_in_gears());
  j.run.ranks[0].energy = Joules{100};
  j.run.ranks[2].energy = Joules{60.25};
  j.run.ranks[0].access->meter = j.run.ranks[2].access->meter = "2 packages, 2 DRAM";
  return j;
}

TEST(text, of_a_job_in_gears_says_what_is_measured_and_what_is_not) {
  EXPECT_EQ(job_text(metered()),
            std::string("Failure: saved 13.3 % of the energy for 16.3 % more time (estimated from\n"
                        "  measured iterations; energy by power tables).\n"
                        "hypermile: mpirun -n 4 ./app\n"
                        "4 ranks on 2 nodes\n"
                        "time      10.000 s\n"
                        "energy    160.25 J (measured: 2 packages, 2 DRAM on each of 2 nodes)\n"
                        "energy    186.00 J (estimated from the platform's power tables)\n") +
                loop +
                "\n"
                "                time      energy  against gear 0\n"
                "predicted   +25.00 %    -20.00 %  per iteration, for the last choice\n"
                "measured    +20.00 %    -19.17 %  per iteration; energy by power tables\n"
                "whole run   +16.34 %    -13.29 %  estimated, choice by choice\n"
                "\n"
                "Gears at the end (nodes x setting)\n"
                "  two-gears  1 x 2 GHz, 1 x 1 GHz\n" +
                overhead);
}

TEST(text, of_a_job_with_a_baseline_compares_the_whole_run) {
  Job j = job(job_in_gears());
  j.baseline = job_in_gear0();
  const auto text = job_text(j);
  expect_part(text, "time      10.000 s\n"
                    "energy    186.00 J (estimated from the platform's power tables)\n"
                    "in gear 0 10.000 s, 240.00 J\n");
  expect_part(text, "whole run   +16.34 %    -13.29 %  estimated, choice by choice\n"
                    "whole run    +0.00 %    -22.50 %  measured; energy by power tables\n");
  for (auto* const run : {&j.run, &*j.baseline})
    run->ranks[0].energy = run->ranks[2].energy = Joules{50};
  expect_part(job_text(j), "whole run    +0.00 %     +0.00 %  measured\n");
}

TEST(text, of_an_emulated_job_says_so_first) {
  Job j = job(job_in_gears());
  j.settings.platform = "/usr/share/hypermile/platforms/two-types.yaml";
  for (const std::size_t rank : {0U, 2U})
    j.run.ranks[rank].access->backend = "emulated";
  expect_part(job_text(j),
              "hypermile: mpirun -n 4 ./app\n"
              "4 ranks on 2 emulated nodes of platform two-types: computation was stretched to\n"
              "  the time that it takes there; the figures below are not those of real nodes\n"
              "time      10.000 s\n");
}

TEST(text, of_a_dry_run_says_what_would_have_been_set) {
  Job j = job(job_in_gears());
  j.settings.dry_run = true;
  for (auto& rank : j.run.ranks)
    rank.changes[0].gear = rank.gear = 0;
  EXPECT_EQ(job_text(j),
            std::string(
                "Nothing saved: no gears were set. They would have saved 20.0 % of the energy of\n"
                "  an iteration for 25.0 % more time (predicted).\n"
                "hypermile: mpirun -n 4 ./app\n"
                "4 ranks on 2 nodes\n"
                "time      10.000 s\n"
                "energy    256.00 J (estimated from the platform's power tables)\n") +
                loop +
                "\n"
                "                time      energy  against gear 0\n"
                "predicted   +25.00 %    -20.00 %  per iteration, had the gears been set\n"
                "\n"
                "Gears that would have been set (nodes x setting)\n"
                "  two-gears  1 x 2 GHz, 1 x 1 GHz\n" +
                overhead);
}

TEST(text, of_gears_that_would_have_been_set_is_of_those_that_the_prediction_is_of) {
  Job j = job(job_in_gears());
  j.run.decisions.push_back(job_choice({0, 0}));
  for (auto& rank : j.run.ranks) {
    rank.changes[0].gear = rank.gear = 0;
    rank.changes.push_back(rank.changes[0]);
  }
  expect_part(job_text(j), "would have been set (nodes x setting)\n"
                           "  two-gears  1 x 2 GHz, 1 x 1 GHz\n");
}

TEST(text, counts_a_node_once_although_its_ranks_disagree) {
  Job j = job(job_in_gears());
  j.run.ranks[3].gear = 0; // an order that came too late for this one
  expect_part(job_text(j), "  two-gears  1 x 2 GHz, 1 x 1 GHz\n");
}

TEST(text, of_one_rank_on_one_node_is_in_the_singular) {
  Job j = job(job_in_gear0());
  j.command.clear();
  j.run.ranks.erase(j.run.ranks.begin() + 1, j.run.ranks.end());
  expect_part(job_text(j), "\n1 rank on 1 node\ntime ");
}

// --- Energy ---

TEST(text, of_assumed_power_gives_ratios_but_no_joules) {
  Job j = job(job_in_gears());
  j.baseline = job_in_gear0();
  for (const std::size_t rank : {0U, 2U})
    j.run.ranks[rank].access->power_assumed = true;
  const auto text = job_text(j);
  expect_part(text, "\nenergy    not measured; the nodes' power is assumed, so only ratios are\n"
                    "          meaningful\n"
                    "in gear 0 10.000 s\n");
  expect_part(text, "  per iteration; energy by assumed power\n");
  expect_part(text, "  measured; energy by assumed power\n");
  expect_no_part(text, " J (");
}

TEST(text, of_an_assumed_type_has_joules_and_says_so) {
  Job j = job(job_in_gears());
  for (const std::size_t rank : {0U, 2U}) {
    j.run.ranks[rank].access->power_assumed = true;
    j.run.ranks[rank].access->assumed = "xeon-x5660";
  }
  const auto text = job_text(j);
  expect_part(text, "(estimated from the platform's power tables; assumed:\n");
  expect_part(text, "  per iteration; energy assumed: xeon-x5660\n");
}

TEST(text, of_a_generic_machine_says_so_wherever_there_is_a_figure) {
  Job j = job(job_in_gears());
  for (auto& rank : j.run.ranks) {
    rank.gear = rank.changes[0].gear = 0; // nothing was set
    rank.changes[0].in_effect = rank.node.name == "a";
    if (rank.access) {
      rank.access->power_assumed = true;
      rank.access->assumed = "generic";
    }
  }
  j.run.trade_offs = {{.max_slowdown = 0, .time_ratio = 1, .energy_ratio = 0.9}};
  const auto text = job_text(j);
  expect_part(text, "(predicted; assumed: generic).");
  expect_part(text,
              "energy    not measured; the nodes' power is assumed (assumed: generic), so only\n");
  expect_part(text, "per iteration, if set; assumed: generic\n");
  expect_part(text, "\nGears that would have been set (nodes x setting; assumed: generic)\n");
  expect_part(text,
              "\nPredicted of an iteration under other bounds on slowdown (assumed: generic)\n");
  expect_no_part(text, " J (");
}

TEST(text, ends_with_what_other_bounds_would_have_given) {
  Job j = job(job_in_gears());
  j.run.trade_offs = {
      {.max_slowdown = 0, .time_ratio = 1, .energy_ratio = 0.97},
      {.max_slowdown = 0.05, .time_ratio = 1.0432, .energy_ratio = 0.85, .in_force = true},
      {.max_slowdown = {}, .time_ratio = 1.38, .energy_ratio = 0.62}};
  const auto text = job_text(j);
  expect_part(text, "\nPredicted of an iteration under other bounds on slowdown\n"
                    "bound           time      energy\n"
                    "0 %          +0.00 %     -3.00 %\n"
                    "5 %          +4.32 %    -15.00 %  this run\n"
                    "none        +38.00 %    -38.00 %\n");
}

TEST(text, of_an_external_meter_names_its_log_and_how_much_that_covers) {
  Job j = job(job_in_gears());
  j.external = Job::External{Joules{321}, 0.976, "/home/anna/power.csv"};
  expect_part(job_text(j),
              "energy    321.00 J (measured: /home/anna/power.csv, whose samples cover 98 % of\n"
              "          the time)\n");
}

TEST(text, without_a_meter_has_no_energy_if_that_is_wanted) {
  Job j = metered();
  j.settings.meter = "none";
  const auto text = job_text(j);
  expect_no_part(text, "\nenergy");
  expect_part(text, "measured    +20.00 %     unknown  per iteration\n");
}

TEST(text, of_unknown_power_says_so) {
  Job j = job(job_in_gear0());
  for (auto& rank : j.run.ranks)
    rank.node.type.power.assign(2, {});
  expect_part(job_text(j), "\nenergy    unknown\n");
}

// --- Why no gears ---

Job on_unknown_nodes() {
  Job j = job(job_in_gear0());
  for (auto& rank : j.run.ranks) {
    rank.node.type = {.name = "unknown",
                      .cores = 2,
                      .speed = Speed{1},
                      .gears = model::GearTable{{Hertz{1}}},
                      .power = {model::GearPower{}},
                      .frequencies_known = false};
    if (rank.access)
      rank.access->remarks = {"Linux sets no frequencies here"};
  }
  return j;
}

TEST(text, of_nodes_of_which_nothing_is_known_says_so) {
  EXPECT_EQ(job_text(on_unknown_nodes()),
            std::string("Nothing saved: no gears were set.\n"
                        "hypermile: mpirun -n 4 ./app\n"
                        "4 ranks on 2 nodes\n"
                        "time      10.000 s\n"
                        "energy    unknown\n") +
                loop +
                "\nThe nodes' frequencies are unknown, so no gears could be chosen. A platform\n"
                "  file (--platform) can state them.\n" +
                overhead + "Linux sets no frequencies here\n");
}

TEST(text, of_a_job_that_was_only_to_be_measured_does_not_explain_why_nothing_was_chosen) {
  for (const char* const method : {"none", "fixed"}) {
    Job j = on_unknown_nodes();
    j.settings.method = method;
    expect_no_part(job_text(j), "chosen");
    j.run.ranks = job_in_gear0().ranks;
    expect_no_part(job_text(j), "chosen");
  }
}

TEST(text, of_a_program_that_was_too_short_says_so) {
  Job j = job(job_in_gear0());
  expect_part(job_text(j), "\nNo gears were chosen: the program ended before its loop had repeated "
                           "for long\n  enough.\n");
  j.run.without_loop = {1, 2};
  expect_part(job_text(j),
              "\nNo gears were chosen: the program ended before the loop of ranks 1, 2 "
              "had\n  repeated for long enough.\n");
  j.run.without_loop = {0, 1, 2, 3};
  expect_part(job_text(j), "before its loop had");
}

TEST(text, of_a_program_without_a_loop_says_so_once) {
  Job j = job(job_in_gear0());
  j.run.ranks[1].loop = {};
  const auto text = job_text(j);
  expect_part(text, "No loop found on rank 1: ");
  expect_no_part(text, "No gears were chosen");
}

TEST(text, of_a_loop_that_was_lost_does_not_deny_the_gears_that_were_chosen) {
  Job j = job(job_in_gears());
  j.run.ranks[1].loop = {};
  const auto text = job_text(j);
  expect_part(text, "No loop found on rank 1 at the end of the program");
  expect_no_part(text, "no gears can be chosen");
}

TEST(text, of_a_choice_that_was_declined_says_why) {
  Job j = job(job_in_gears());
  auto declined = job_choice({0, 0});
  declined.declined = "the ranks hardly compute in this loop";
  j.run.decisions = {declined};
  for (auto& rank : j.run.ranks)
    rank.changes[0].gear = rank.gear = 0;
  expect_part(job_text(j), "\nAll nodes stay in gear 0: the ranks hardly compute in this loop.\n");
}

TEST(text, of_gears_that_were_taken_back_says_why) {
  Job j = job(job_in_gears());
  j.run.decisions.push_back(job_choice({0, 0}));
  j.run.decisions.back().declined = "it took longer than predicted";
  for (auto& rank : j.run.ranks) {
    rank.changes.push_back(test::job_change(9, 0, 150, rank.computation.value() - 0.5));
    rank.gear = 0;
  }
  const auto text = job_text(j);
  expect_part(text, "\nAll nodes were put back to gear 0: it took longer than predicted.\n");
  expect_part(text, "  per iteration, for the last gears other than 0\n");
  expect_part(text, "  two-gears  2 x 2 GHz\n");
}

TEST(text, of_gears_that_were_taken_again_says_why) {
  Job j = job(job_in_gears());
  j.run.decisions[0].stepped_back = "later ones took longer than predicted";
  expect_part(job_text(j),
              "\nThe last choice kept the gears of an earlier one: later ones took longer than\n"
              "  predicted.\n");
}

TEST(text, of_gears_that_only_some_nodes_took_says_so) {
  Job j = job(job_in_gears());
  j.run.ranks[0].changes[0].in_effect = false;
  const auto text = job_text(j);
  expect_part(text, "predicted   +25.00 %    -20.00 %  per iteration, had all gears been set\n");
  expect_no_part(text, "whole run");
}

TEST(text, of_a_choice_that_came_too_late_says_so) {
  Job j = job(job_in_gears());
  for (const std::size_t rank : {2U, 3U}) {
    j.run.ranks[rank].changes.clear();
    j.run.ranks[rank].gear = 0;
  }
  expect_part(job_text(j),
              "\nThe program ended before the last choice had reached 1 of 2 nodes.\n");
}

// --- The rest ---

TEST(text, keeps_remarks_apart_and_within_the_width_of_a_terminal) {
  Job j = metered();
  j.command = "mpirun -n 4 --bind-to core --map-by node --mca btl self,tcp ./application --input "
              "/home/anna/input.dat --output /home/anna/output.dat";
  j.settings.platform = "/home/anna/a-platform-with-quite-a-long-name.yaml";
  j.run.ranks[2].access->backend = "emulated";
  j.run.ranks[0].access->meter = "2 packages, 2 DRAM, of a machine that has four of everything";
  j.external = Job::External{Joules{1e9}, 1, "/home/anna/a/log/of/the/wattmeter/power.csv"};
  j.run.ranks[0].access->remarks = {
      "the governor of cpu 3 was changed to performance by somebody else; try: ask around"};
  j.run.ranks[1].failure = "gear 1 was refused";
  const auto text = job_text(j);
  expect_to_fit_a_terminal(text);
  expect_part(text, "\na: the governor of cpu 3 was changed to performance by somebody else; try: "
                    "ask\n  around\na: gear 1 was refused\n");
}

TEST(text, tells_what_the_start_and_the_end_took_the_rank_that_came_last) {
  Job j = metered();
  for (std::size_t rank = 0; rank < j.run.ranks.size(); ++rank) {
    j.run.ranks[rank].in_init = Seconds{0.02 + 0.1 * static_cast<double>(rank)};
    j.run.ranks[rank].in_finalize = Seconds{3.01 - static_cast<double>(rank)};
  }
  j.run.in_finalize = Seconds{0.005};
  expect_part(job_text(j),
              "hypermile itself cost 0.39 % of the time: 4 ms for choices and messages, "
              "35 ms\n  in MPI_Init and MPI_Finalize, and 0.4 ms in MPI calls.\n");
}

/// Each rank runs for 10 s.
TEST(text, says_how_much_other_programs_took_where_that_is_something) {
  Job j = job(job_in_gears());
  expect_no_part(job_text(j), "Other programs");
  for (auto& rank : j.run.ranks)
    rank.stolen = Seconds{0.2};
  expect_no_part(job_text(j), "Other programs");
  j.run.ranks[1].stolen = Seconds{4.2};
  expect_part(job_text(j),
              "\nOther programs took 12 % of the ranks' time on their cores (up to 42 % "
              "of one\n  rank's).\n");
  j.run.ranks[1].stolen = Seconds{0.3};
  expect_part(job_text(j), "took 2.2 % of");
  expect_to_fit_a_terminal(job_text(j));
}

TEST(text, tells_long_overheads_in_seconds) {
  Job j = job(job_in_gear0());
  j.run.ranks[0].overhead = Seconds{1.25};
  j.run.ranks[0].watching = Seconds{1.23};
  expect_part(job_text(j),
              "hypermile itself cost 33 % of the time: 1.2 s for choices and messages, "
              "and 1.2\n  s in MPI calls.\n");
}

TEST(text, of_a_run_that_took_no_time_has_figures_only) {
  runtime::RunReport run;
  run.ranks.push_back({.rank = 0, .node = test::node("a")});
  run.ranks[0].loop.found = runtime::LoopReport::Found::marker;
  for (const auto& text : {job_text(job(run)), job_text(job({}))}) {
    expect_no_part(text, "nan");
    expect_no_part(text, "inf");
  }
}

} // namespace
} // namespace hypermile::report
