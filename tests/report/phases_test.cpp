#include "report/jobs.hpp"
#include "report/phases.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hypermile::report {
namespace {

/// From 3 s to 6 s in gears for the first phase, which takes 25 % longer in them; then in gear 0
/// for the second. Each rank is in the phases for 5 s and 3 s.
runtime::RunReport two_phases() {
  runtime::RunReport run = test::job_in_gears();
  run.decisions.push_back(test::job_choice({0, 0}));
  run.decisions.back().phase = 1;
  for (auto& rank : run.ranks) {
    rank.phases = {rank.loop, rank.loop};
    rank.phases[0].total = Seconds{5};
    rank.phases[0].times = 2;
    rank.phases[1].phase = 4;
    rank.phases[1].total = Seconds{3};
    rank.phases[1].description = "9 MPI calls";
    rank.changes.push_back(test::job_change(6, 0, 100, 2.5));
    rank.gear = 0;
  }
  run.phases = {{0, 0, 0, 0}, {4, 4, 4, 4}};
  return run;
}

TEST(phases, are_told_with_their_share_of_the_time_their_gears_and_what_these_came_to) {
  const runtime::RunReport run = two_phases();
  const auto phases = phases_of(run);
  ASSERT_EQ(phases.size(), 2u);
  EXPECT_DOUBLE_EQ(phases[0].share, 0.5);
  EXPECT_EQ(phases[0].times, 2u);
  ASSERT_TRUE(phases[0].ratio);
  EXPECT_DOUBLE_EQ(phases[0].ratio->time, 1.25);
  EXPECT_DOUBLE_EQ(*phases[0].ratio->energy, 0.8);
  EXPECT_EQ(phases[0].choice, &run.decisions[0]);
  EXPECT_DOUBLE_EQ(phases[1].share, 0.3);
  EXPECT_EQ(phases[1].iteration, "9 MPI calls");
  EXPECT_DOUBLE_EQ(phases[1].ratio->time, 1);
  EXPECT_EQ(phases[1].choice, nullptr);
}

TEST(phases, count_no_time_in_which_the_program_was_away_from_them) {
  runtime::RunReport run = two_phases();
  run.decisions[1] = test::job_choice({1, 1});
  run.decisions[1].phase = 1;
  for (auto& rank : run.ranks)
    for (auto& change : rank.changes)
      change.away = change.time == Seconds{6} ? Seconds{4} : Seconds{};
  EXPECT_FALSE(phases_of(run)[1].ratio); // nothing was left of it
}

TEST(phases, are_a_table_where_there_are_several) {
  runtime::RunReport run = two_phases();
  const std::string text = phases_text(run);
  EXPECT_NE(text.find("phase 1       50 %       2         140   +25.0 %   -20.0 %"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("One iteration: 9 MPI calls."), std::string::npos) << text;
  for (auto& rank : run.ranks)
    rank.phases.pop_back();
  EXPECT_EQ(phases_text(run), "");
  EXPECT_EQ(phases_json(run).size(), 2u);
  EXPECT_EQ(phases_json(run)[1]["share"], 0.0);
  EXPECT_EQ(phases_json(test::job_in_gear0()).size(), 0u);
}

} // namespace
} // namespace hypermile::report
