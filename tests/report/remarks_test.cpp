#include "report/remarks.hpp"

#include "report/runs.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace hypermile::report {
namespace {

using test::contains;
using test::decision;
using test::scaled_run;
using test::unscaled_run;

/// Without its line breaks.
std::string remarks(const simulate::SimulatedRun& run) {
  std::string text;
  std::istringstream words(remarks_on(run, unscaled_run()));
  for (std::string word; words >> word;)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

// --- Predictions that are off ---

TEST(misprediction, of_up_to_five_percent_needs_no_words) {
  for (const double expected : {9.51, 10.0, 10.49})
    EXPECT_EQ(misprediction(scaled_run({1}, {1}, expected), unscaled_run()), "");
  EXPECT_NE(misprediction(scaled_run({1}, {1}, 9.49), unscaled_run()), "");
  EXPECT_NE(misprediction(scaled_run({1}, {1}, 10.51), unscaled_run()), "");
}

TEST(misprediction, cannot_be_where_nothing_was_predicted) {
  auto run = scaled_run({1}, {1}, 5);
  run.expected.reset();
  EXPECT_EQ(misprediction(run, unscaled_run()), "");
}

TEST(misprediction, without_a_visible_reason_is_put_down_to_the_iterations) {
  EXPECT_EQ(misprediction(scaled_run({1}, {1}, 9), unscaled_run()),
            "the cluster model predicts a time that is 10.0 % too short. Probably the iterations "
            "vary more than those that were measured.");
  EXPECT_TRUE(misprediction(scaled_run({1}, {1}, 12), unscaled_run())
                  .starts_with("the cluster model predicts a time that is 20.0 % too long. "
                               "Probably"));
}

TEST(misprediction, names_that_the_loop_was_measured_again) {
  EXPECT_EQ(misprediction(scaled_run({1, 4}, {1, 4.5}, 9), unscaled_run()),
            "the cluster model predicts a time that is 10.0 % too short. Likely reasons: the loop "
            "was measured again while the program ran (2 choices of gears, the last in effect from "
            "4.5 s on).");
}

TEST(misprediction, names_that_the_main_loop_has_changed) {
  auto run = scaled_run({1, 4}, {1, 4}, 9);
  run.report.decisions[1].baseline.time = Seconds{0.13};
  EXPECT_TRUE(contains(misprediction(run, unscaled_run()),
                       "; another loop became the main loop, as in a new phase of the program "
                       "(iterations of 0.1 s and of 0.13 s)"));
  run.report.decisions[1].baseline.time = Seconds{0.11};
  EXPECT_FALSE(contains(misprediction(run, unscaled_run()), "another loop"));
}

TEST(misprediction, names_what_is_outside_the_loop) {
  auto unscaled = unscaled_run();
  unscaled.report.ranks[1].loop.total = Seconds{6};
  EXPECT_TRUE(contains(misprediction(scaled_run({1}, {1}, 9), unscaled),
                       "Likely reasons: much of the time was spent outside the loop (40 %)."));
}

TEST(misprediction, names_waiting_that_explains_a_good_part_of_it) {
  auto run = scaled_run({1}, {1}, 9); // a second too short
  for (auto& rank : run.report.ranks)
    rank.communication = Seconds{2.3}; // where it was 2 s
  EXPECT_TRUE(contains(misprediction(run, unscaled_run()),
                       "Likely reasons: ranks waited for each other in ways that this model does "
                       "not describe (each was in MPI for at least 2.3 s, and for 2 s in the "
                       "unscaled run)."));
  run.report.ranks[1].communication = Seconds{2.2}; // who waits least counts
  EXPECT_FALSE(contains(misprediction(run, unscaled_run()), "wait"));
  run.report.ranks[1].communication = Seconds{2.3};
  run.expected->time = Seconds{11}; // too long: waiting is no excuse
  EXPECT_FALSE(contains(misprediction(run, unscaled_run()), "wait"));
}

// --- Nodes in gear 0 on purpose ---

TEST(remarks, say_that_nodes_were_left_in_gear_0) {
  auto run = scaled_run({1}, {1}, 10);
  run.report.decisions = {decision("the ranks hardly compute in this loop")};
  EXPECT_EQ(remarks(run), "exact: all nodes were left in gear 0: the ranks hardly compute in this "
                          "loop.");
}

TEST(remarks, say_that_nodes_were_put_back_to_gear_0) {
  auto run = scaled_run({1, 4, 8}, {1, 4, 8}, 10);
  run.report.decisions = {decision(), decision("another loop begins"), decision("no gain")};
  EXPECT_EQ(remarks(run), "exact: all nodes were put back to gear 0: no gain.");
}

TEST(remarks, say_that_nodes_should_have_been_put_back_to_gear_0) {
  auto run = scaled_run({1, 4}, {1}, 10);
  run.report.decisions = {decision(), decision("it does not pay")};
  EXPECT_EQ(remarks(run), "exact: all nodes were to be put back to gear 0, but the program ended "
                          "before all ranks had received the order: it does not pay.");
}

TEST(remarks, do_not_speak_of_gear_0_where_gears_were_set_in_the_end) {
  auto run = scaled_run({1, 4}, {1, 4}, 10);
  run.report.decisions = {decision("too little"), decision()};
  EXPECT_EQ(remarks(run), "");
}

// --- The rest ---

TEST(remarks, name_the_rank_that_could_not_set_its_gear) {
  auto run = scaled_run({1}, {1}, 10);
  run.report.ranks[1].failure = "cannot set the gear";
  EXPECT_EQ(remarks(run), "exact: rank 1: cannot set the gear");
}

TEST(remarks, say_that_gears_came_too_late) {
  auto run = scaled_run({1}, {}, 10);
  run.expected.reset();
  EXPECT_TRUE(contains(remarks(run), "exact: gears were chosen, but the program ended before all "
                                     "ranks had received them"));
}

TEST(remarks, call_the_run_without_gears_unscaled) {
  auto run = unscaled_run();
  run.report.ranks[0].divergences = 2;
  run.report.ranks[1].divergences = 1;
  EXPECT_TRUE(remarks(run).starts_with("unscaled: 3 MPI calls were not in the recording;"));
}

TEST(remarks, say_how_many_calls_got_the_computation_of_others) {
  auto run = unscaled_run();
  run.report.ranks[0].from_like_calls = 2;
  run.report.ranks[1].from_like_calls = 1;
  EXPECT_TRUE(contains(remarks(run), "unscaled: the program's course depends on timing: 3 of "));
}

} // namespace
} // namespace hypermile::report
