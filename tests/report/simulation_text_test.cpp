#include "report/simulation_text.hpp"

#include "report/runs.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace hypermile::report {
namespace {

using test::decision;
using test::scaled_run;
using test::unscaled_run;

simulate::Simulation simulation(std::vector<simulate::SimulatedRun> runs) {
  simulate::Simulation s;
  s.platform = "two";
  s.ranks = 2;
  s.program = {"./app"};
  s.runs = std::move(runs);
  return s;
}

void expect_line(const std::string& text, const std::string& line) {
  EXPECT_NE(("\n" + text).find("\n" + line + "\n"), std::string::npos) << line << "\nis not in\n"
                                                                       << text;
}

TEST(loop, on_which_all_ranks_agree_is_told_without_a_span) {
  const auto text = print_simulation(simulation({unscaled_run()}));
  expect_line(text, "Loop: 100 iterations from 0.5 s on, 95 % of the time; found by its repeating\n"
                    "  MPI calls.");
  expect_line(text, "One iteration: 2 MPI calls.");
}

TEST(loop, on_which_ranks_differ_is_told_as_a_span_with_the_ranks_named) {
  auto run = unscaled_run();
  auto& other = run.report.ranks[1].loop;
  other.iterations = 50;
  other.first_iteration = Seconds{0.75};
  other.total = Seconds{9};
  other.description = "3 MPI calls";
  const auto text = print_simulation(simulation({run}));
  expect_line(text,
              "Loop: 50..100 iterations by rank (100 on rank 0) from 0.5..0.75 s on, 90..95 %\n"
              "  of the time; found by its repeating MPI calls.");
  expect_line(text, "One iteration on rank 0: 2 MPI calls.");
}

TEST(loop, that_only_some_ranks_mark_is_told_so) {
  auto run = unscaled_run();
  run.report.ranks[1].loop.found = runtime::LoopReport::Found::marker;
  EXPECT_NE(print_simulation(simulation({run})).find("or its repeating MPI calls, by rank"),
            std::string::npos);
}

TEST(loop, that_is_not_found_names_the_ranks_within_the_width_of_a_terminal) {
  auto run = unscaled_run();
  for (int rank = 2; rank < 200; ++rank)
    run.report.ranks.push_back(test::rank_report(rank));
  for (auto& rank : run.report.ranks)
    if (rank.rank != 7)
      rank.loop.found = runtime::LoopReport::Found::nothing;
  const auto text = print_simulation(simulation({run}));
  EXPECT_NE(text.find("No loop found on ranks 0-6, 8-199: no pattern"), std::string::npos) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80U) << line;
}

TEST(changes, have_one_line_with_first_time_count_and_last_time_over_all_ranks) {
  const auto text =
      print_simulation(simulation({unscaled_run(), scaled_run({1.5, 4.25, 8}, {1, 4.5, 7}, 10)}));
  expect_line(text, "When gears were set");
  EXPECT_NE(text.find("\nexact: gears first set at 1 s, 3 times, last at 8 s; nothing is"),
            std::string::npos)
      << text;
}

TEST(changes, are_counted_from_the_first_choice_that_is_not_gear_0_for_all_nodes) {
  auto run = scaled_run({1, 4, 8}, {1, 4, 8}, 10);
  run.report.decisions[0] = decision("another loop begins");
  const auto text = print_simulation(simulation({unscaled_run(), run}));
  EXPECT_NE(text.find("\nexact: gears first set at 4 s, 2 times, last at 8 s;"), std::string::npos)
      << text;
}

TEST(changes, of_a_run_that_was_in_gear_0_throughout_are_none) {
  auto run = scaled_run({1}, {1}, 10);
  run.report.decisions = {decision("too little to gain")};
  expect_line(print_simulation(simulation({unscaled_run(), run})),
              "exact: all nodes stayed in gear 0");
}

TEST(changes, that_did_not_reach_all_ranks_are_counted) {
  auto run = scaled_run({1, 4}, {1}, 10);
  run.report.decisions.push_back(decision());
  const auto text = print_simulation(simulation({unscaled_run(), run}));
  EXPECT_NE(
      text.find("\nexact: gears first set at 1 s, 2 times, last at 4 s; the last 2 choices did "
                "not\n  reach all ranks; "),
      std::string::npos)
      << text;
}

TEST(changes, that_reached_no_rank_say_so) {
  auto run = scaled_run({}, {}, 10);
  run.report.decisions = {decision()};
  const auto text = print_simulation(simulation({unscaled_run(), run}));
  EXPECT_NE(text.find("\nexact: the program ended before the chosen gears could be set; "),
            std::string::npos)
      << text;
}

std::string text_of_last_choice(const runtime::Decision& last, const std::string& objective) {
  auto run = scaled_run({1}, {1}, 10);
  run.report.decisions = {last};
  auto s = simulation({unscaled_run(), run});
  s.objective = objective;
  return print_simulation(s);
}

TEST(last_choice, says_what_is_proven_of_it) {
  runtime::Decision last = decision();
  expect_line(text_of_last_choice(last, "maxdist"),
              "exact: gears set once, at 1 s; nothing is proven about the last choice (cluster\n"
              "  model)");
  last.exact = true;
  expect_line(text_of_last_choice(last, "maxdist"),
              "exact: gears set once, at 1 s; the last choice is proven to be the optimum of\n"
              "  the cluster model");
  last.exact = false;
  last.gap = 0.0123;
  last.time_model = runtime::TimeModelKind::dependency;
  expect_line(text_of_last_choice(last, "maxdist"),
              "exact: gears set once, at 1 s; the last choice is proven to be at most 1.2\n"
              "  points from the optimum of the dependency model");
  expect_line(text_of_last_choice(last, "energy"),
              "exact: gears set once, at 1 s; the last choice is proven to be at most 0.0123 J\n"
              "  per iteration from the optimum of the dependency model");
  expect_line(text_of_last_choice(decision("too noisy"), "maxdist"),
              "exact: all nodes stayed in gear 0");
}

TEST(forecasts, say_what_they_take_for_granted_of_messages) {
  auto s = simulation({unscaled_run(), scaled_run({1}, {1}, 10)});
  s.protocol = {.synchronous_from = 4096, .starts_at_receive = true, .known = true};
  expect_line(print_simulation(s),
              "In the dependency model a message takes as long as in the unscaled run. A send\n"
              "  of 4096 B or more waits for its receiver; a smaller message travels once its\n"
              "  receive is posted.");
  s.protocol = {.synchronous_from = 4096, .synchronous_from_seen = true};
  expect_line(print_simulation(s),
              "In the dependency model a message takes as long as in the unscaled run. A send\n"
              "  of 4096 B or more waits for its receiver (seen in the recording); a smaller\n"
              "  message travels as soon as it is sent (assumed).");
}

TEST(plan, says_how_many_runs_it_was_chosen_among_or_why_none_was_made) {
  auto s = simulation({unscaled_run(), scaled_run({1}, {1}, 10)});
  s.planned = simulate::WholeRunPlan{.gears = {1},
                                     .expected = {Seconds{11}, Joules{80}},
                                     .baseline = {Seconds{10}, Joules{100}},
                                     .repetitions = 9};
  expect_line(print_simulation(s),
              "planned: the best of gear 0 and 9 gear choices of the dependency model, as\n"
              "  repetitions of the recorded run showed.");
  s.planned->repetitions = 0;
  s.planned->not_repeated = "rank 0: the arguments of MPI_Bcast_init cannot be recorded";
  expect_line(print_simulation(s),
              "planned rests on the dependency model alone. The run was not repeated in other\n"
              "  gears: rank 0: the arguments of MPI_Bcast_init cannot be recorded.");
}

TEST(predictions, are_followed_by_their_error) {
  const auto text = print_simulation(simulation({unscaled_run(), scaled_run({1}, {1}, 9.8)}));
  expect_line(text, "predicted    time model        time s (error)        energy J (error)");
  expect_line(text, "exact        cluster           9.800 (-2.0 %)          80.00 (+0.0 %)");
}

TEST(predictions, of_given_gears_stay_in_their_columns) {
  auto run = scaled_run({1}, {1}, 9.8);
  run.method = "gears:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16";
  const auto text = print_simulation(simulation({unscaled_run(), run}));
  const auto header = text.find("\npredicted ");
  ASSERT_NE(header, std::string::npos) << text;
  const auto column = text.find("time model", header) - header;
  const auto row = text.find('\n', header + 1);
  EXPECT_EQ(text.substr(row + column, 7), "cluster") << text;
}

} // namespace
} // namespace hypermile::report
