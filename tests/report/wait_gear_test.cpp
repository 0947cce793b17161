#include "report/wait_gear.hpp"

#include "report/job_json.hpp"
#include "report/job_text.hpp"
#include "report/jobs.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace hypermile::report {
namespace {

using runtime::WaitGearUse;
using test::expect_part;
using test::job;
using test::job_in_gears;

/// Node a was in gear 1 for 2 of its 10 s.
runtime::RunReport with_wait_gear(bool set = true) {
  runtime::RunReport run = job_in_gears();
  run.ranks[0].wait_gear = WaitGearUse{.set = set,
                                       .pays = true,
                                       .gear = 1,
                                       .times = 40,
                                       .time = Seconds{2},
                                       .saved = Joules{6},
                                       .late = Seconds{0.008},
                                       .cost = Seconds{0.004},
                                       .change = Seconds{60e-6},
                                       .cpu = Seconds{0.01},
                                       .problem = ""};
  run.ranks[2].wait_gear = WaitGearUse{.set = set, .pays = true, .problem = ""};
  return run;
}

TEST(wait_gears, save_energy_by_the_power_tables) {
  const auto with = table_energy(with_wait_gear());
  const auto without = table_energy(job_in_gears());
  ASSERT_TRUE(with && without);
  EXPECT_NEAR(without->value() - with->value(), 6, 1e-9);
}

TEST(wait_gears, that_are_not_set_save_nothing) {
  EXPECT_EQ(table_energy(with_wait_gear(false)), table_energy(job_in_gears()));
}

TEST(wait_gears, count_in_what_is_estimated_of_the_whole_run) {
  const auto with = whole_run_ratio(with_wait_gear());
  const auto without = whole_run_ratio(job_in_gears());
  ASSERT_TRUE(with && without && with->energy && without->energy);
  // The energy in gear 0 stays; 6 J less were drawn.
  const double energy = table_energy(job_in_gears())->value();
  EXPECT_NEAR(*with->energy / *without->energy, (energy - 6) / energy, 1e-9);
  EXPECT_GT(with->time, without->time); // by what they cost
}

/// Wherever its lines end.
std::string words_of(const std::string& text) {
  std::istringstream in(text);
  std::string words;
  for (std::string word; in >> word;)
    words += word + ' ';
  return words;
}

TEST(wait_gears, are_told_in_the_text) {
  const std::string text = words_of(job_text(job(with_wait_gear())));
  expect_part(text, "1 node was in a wait gear while all its ranks waited: 40 times, 20 % of the "
                    "time.");
  expect_part(text, "saved 6.00 J");
  expect_part(text, "lost 4 ms by that; a change of gears took 0.06 ms.");
  expect_part(words_of(job_text(job(with_wait_gear(false)))), "would have been in a wait gear");
  EXPECT_EQ(job_text(job(job_in_gears())).find("wait gear"), std::string::npos);
}

TEST(wait_gears, that_fail_or_do_not_pay_are_a_remark) {
  auto run = with_wait_gear();
  run.ranks[0].wait_gear->problem = "the wait gear cannot be set: busy";
  run.ranks[2].wait_gear->pays = false;
  const std::string text = words_of(job_text(job(run)));
  expect_part(text, "a: the wait gear cannot be set: busy");
  expect_part(text, "b: the wait gear was not used");
}

TEST(wait_gears, are_told_of_each_node_in_the_json) {
  const auto json = nlohmann::json::parse(job_json(job(with_wait_gear())));
  const auto& a = json.at("nodes").at(0).at("wait_gear");
  EXPECT_EQ(a.at("times"), 40);
  EXPECT_EQ(a.at("gear"), 1);
  EXPECT_EQ(a.at("estimated_saved_j"), 6);
  EXPECT_EQ(a.at("cost_s"), 0.004);
  EXPECT_TRUE(a.at("problem").is_null());
  EXPECT_TRUE(json.at("nodes").at(1).at("wait_gear").at("gear").is_null());
  const auto without = nlohmann::json::parse(job_json(job(job_in_gears())));
  EXPECT_TRUE(without.at("nodes").at(0).at("wait_gear").is_null());
}

} // namespace
} // namespace hypermile::report
