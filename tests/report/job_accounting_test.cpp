#include "report/job_accounting.hpp"

#include "report/jobs.hpp"

#include <gtest/gtest.h>

namespace hypermile::report {
namespace {

using accounting::EnergyBy;
using accounting::JobLine;

TEST(job_line, of_a_job_in_gears_says_what_it_saved) {
  const Job job = test::job(test::job_in_gears());
  const JobSummary summary = summarize(job);
  const JobLine line = job_line(job);
  EXPECT_TRUE(line.gears_set);
  EXPECT_EQ(line.nodes, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(line.ranks, 4U);
  EXPECT_EQ(line.time, Seconds{10});
  ASSERT_TRUE(summary.whole_run && summary.whole_run->energy && summary.table_energy);
  EXPECT_EQ(line.energy_by, EnergyBy::power_tables);
  EXPECT_EQ(line.energy, summary.table_energy);
  EXPECT_DOUBLE_EQ(line.saving.value(), 1 - *summary.whole_run->energy);
  EXPECT_DOUBLE_EQ(line.energy.value() / line.gear0_energy.value(), *summary.whole_run->energy);
  EXPECT_DOUBLE_EQ(line.slowdown.value(), summary.whole_run->time - 1);
  EXPECT_EQ(line.possible_saving, std::nullopt);
  EXPECT_FALSE(line.verdict.empty());
}

TEST(job_line, of_a_job_that_may_set_nothing_says_what_gears_would_have_saved) {
  auto run = test::job_in_gears();
  for (auto& rank : run.ranks) {
    rank.changes.front().gear = 0;
    rank.changes.front().in_effect = false;
    rank.gear = 0;
  }
  const JobLine line = job_line(test::job(std::move(run)));
  EXPECT_FALSE(line.gears_set);
  EXPECT_EQ(line.saving, 0);
  EXPECT_EQ(line.gear0_energy, line.energy);
  EXPECT_NEAR(line.possible_saving.value(), 0.2, 1e-12); // job_choice()
  EXPECT_NEAR(line.possible_slowdown.value(), 0.25, 1e-12);
}

TEST(job_line, has_measured_energy_where_all_nodes_have_a_meter) {
  auto run = test::job_in_gears();
  for (auto& rank : run.ranks)
    if (rank.access) {
      rank.access->meter = "package";
      rank.energy = Joules{50};
    }
  const JobLine line = job_line(test::job(std::move(run)));
  EXPECT_EQ(line.energy_by, EnergyBy::meters);
  EXPECT_EQ(line.energy, Joules{100});
}

TEST(job_line, has_no_joules_of_assumed_power) {
  auto run = test::job_in_gears();
  for (auto& rank : run.ranks)
    if (rank.access)
      rank.access->power_assumed = true;
  const JobLine line = job_line(test::job(std::move(run)));
  EXPECT_EQ(line.energy_by, EnergyBy::assumption);
  EXPECT_EQ(line.energy, std::nullopt);
  EXPECT_EQ(line.gear0_energy, std::nullopt);
  EXPECT_TRUE(line.saving.has_value());
}

TEST(job_line, has_the_bound_and_the_way_gears_were_chosen) {
  Job job = test::job(test::job_in_gear0());
  job.settings.max_slowdown = 0.03;
  job.settings.objective = "edp";
  const JobLine line = job_line(job);
  EXPECT_EQ(line.max_slowdown, 0.03);
  EXPECT_EQ(line.objective, "edp");
  EXPECT_EQ(line.method, "exact");
}

} // namespace
} // namespace hypermile::report
