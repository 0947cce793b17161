#include "accounting/prometheus.hpp"
#include "accounting/totals.hpp"

#include "accounting/some_jobs.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <regex>
#include <set>

namespace hypermile::accounting {
namespace {

using test::expect_part;
using test::some_job;

JobLine without_permission() {
  JobLine job = some_job("bert");
  job.gears_set = false;
  job.energy.reset();
  job.gear0_energy.reset();
  job.energy_by = EnergyBy::assumption;
  job.time = job.gear0_time.emplace(Seconds{10});
  job.possible_saving = 0.3;
  return job;
}

TEST(totals, add_up_by_user_and_in_all) {
  JobLine estimated = some_job();
  estimated.energy_by = EnergyBy::power_tables;
  const std::vector<JobLine> jobs{some_job(), estimated, without_permission()};
  const Totals totals = totals_of(jobs);
  // Each of anna's: 11 s for 10 s, 80 J for 100 J. Bert's: 10 s, no joules.
  EXPECT_EQ(totals.all.jobs, 3U);
  EXPECT_EQ(totals.all.gears_set, 2U);
  EXPECT_EQ(totals.all.time, Seconds{32});
  EXPECT_NEAR(totals.all.slowdown(), 32.0 / 30 - 1, 1e-12);
  EXPECT_EQ(totals.all.energy().saved(), Joules{40});
  EXPECT_NEAR(totals.all.saving().value(), 0.2, 1e-12);
  EXPECT_EQ(totals.by_user.at("anna").measured.jobs, 1U);
  EXPECT_EQ(totals.by_user.at("anna").estimated.jobs, 1U);
  EXPECT_EQ(totals.by_user.at("bert").saving(), std::nullopt);
  EXPECT_NEAR(totals.by_user.at("bert").possible_saving, 0.3, 1e-12);
}

TEST(totals, are_those_of_the_parts_whatever_the_jobs) {
  std::mt19937 random(2);
  std::vector<JobLine> jobs;
  for (int i = 0; i < 200; ++i) {
    jobs.push_back(test::random_job(random));
    jobs.back().step.user = random() % 2 == 0 ? "anna" : "bert";
  }
  const Totals totals = totals_of(jobs);
  Total sum;
  for (const auto& [user, total] : totals.by_user) {
    sum.jobs += total.jobs;
    sum.emulated += total.emulated;
    sum.time += total.time;
    sum.measured.used += total.measured.used;
    sum.estimated.gear0 += total.estimated.gear0;
    sum.could_save += total.could_save;
  }
  EXPECT_EQ(sum.jobs, totals.all.jobs);
  EXPECT_EQ(sum.jobs + sum.emulated, jobs.size());
  EXPECT_EQ(sum.could_save, totals.all.could_save);
  EXPECT_NEAR(sum.time.value(), totals.all.time.value(), 1e-3);
  EXPECT_NEAR(sum.measured.used.value(), totals.all.measured.used.value(), 1e-3);
  EXPECT_NEAR(sum.estimated.gear0.value(), totals.all.estimated.gear0.value(), 1e-3);
}

TEST(totals, leave_out_emulated_nodes) {
  JobLine emulated = some_job();
  emulated.emulated = true;
  const std::vector<JobLine> jobs{emulated};
  const Totals totals = totals_of(jobs);
  EXPECT_EQ(totals.all.emulated, 1U);
  EXPECT_EQ(totals.all.jobs, 0U);
  EXPECT_EQ(totals.all.saving(), std::nullopt);
  EXPECT_EQ(totals.all.slowdown(), 0);
}

std::string metrics_of(const std::vector<JobLine>& jobs) {
  return prometheus_text(totals_of(jobs), jobs.empty() ? 0 : jobs.back().ended_unix_s);
}

TEST(prometheus, has_a_value_for_each_user) {
  const std::string text = metrics_of({some_job(), without_permission()});
  expect_part(text, "# TYPE hypermile_jobs_total counter\nhypermile_jobs_total{user=\"anna\"} 1\n"
                    "hypermile_jobs_total{user=\"bert\"} 1\n");
  expect_part(text, "hypermile_job_energy_joules_total{user=\"anna\",energy_by=\"meters\"} 80\n");
  expect_part(text, "hypermile_job_saved_joules{user=\"anna\",energy_by=\"meters\"} 20\n");
  expect_part(text, "hypermile_job_lost_seconds{user=\"anna\"} 1\n");
  expect_part(text, "hypermile_job_possible_saving_ratio{user=\"bert\"} 0.3\n");
  expect_part(text, "hypermile_last_job_timestamp_seconds 1763726580.250\n");
  EXPECT_FALSE(test::contains(text, "{user=\"bert\",energy_by"));
}

/// The text format of Prometheus, version 0.0.4, without time stamps, which the textfile collector
/// refuses.
TEST(prometheus, is_the_text_format_whatever_users_are_called) {
  std::mt19937 random(3);
  std::vector<JobLine> jobs;
  for (int i = 0; i < 50; ++i)
    jobs.push_back(test::random_job(random));
  const std::regex sample(
      R"(([a-z_0-9]+)(\{[a-z_]+="([^"\\]|\\["\\n])*"(,[a-z_]+="[^"]*")*\})? -?[0-9.e+-]+)");
  const std::regex comment("# (HELP|TYPE) [a-z_0-9]+ .+");
  std::istringstream lines(metrics_of(jobs));
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(std::regex_match(line, line.starts_with('#') ? comment : sample)) << line;
}

TEST(prometheus, has_metrics_without_values_where_there_are_no_jobs) {
  const std::string text = metrics_of({});
  expect_part(text, "# TYPE hypermile_jobs_total counter\n");
  EXPECT_FALSE(test::contains(text, "timestamp"));
}

std::set<std::string> metrics_in(const std::string& text) {
  const std::regex metric("hypermile_[a-z0-9_]+");
  std::set<std::string> names;
  for (std::sregex_iterator found(text.begin(), text.end(), metric), end; found != end; ++found)
    names.insert(found->str());
  return names;
}

TEST(dashboard, uses_exactly_the_metrics_that_there_are) {
  const auto dashboard =
      nlohmann::json::parse(test::content(HYPERMILE_SOURCE_DIR "/site/grafana/hypermile.json"));
  std::string expressions;
  for (const auto& panel : dashboard["panels"])
    for (const auto& target : panel["targets"])
      expressions += target["expr"].get<std::string>() + "\n";
  for (const auto& variable : dashboard["templating"]["list"])
    expressions += variable["query"].dump() + "\n";
  EXPECT_EQ(metrics_in(expressions), metrics_in(metrics_of({some_job()})));
}

} // namespace
} // namespace hypermile::accounting
