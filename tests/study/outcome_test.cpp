#include "study/outcome.hpp"

#include <gtest/gtest.h>

namespace hypermile::study {
namespace {

Run short_run(const std::string& method, double time_s, double energy_j) {
  return {.method = method, .time = Seconds{time_s}, .energy = Joules{energy_j}, .gears = {0}};
}

Outcome all_done(std::vector<Run> runs) {
  return {
      .status = Outcome::Status::done, .reason = "", .took = Seconds{1}, .runs = std::move(runs)};
}

TEST(an_effect, is_that_of_the_thesis) { // [F16] Eq. 3.5
  const Effect effect = effect_of(short_run("exact", 12.5, 60), short_run("none", 10, 100));
  EXPECT_DOUBLE_EQ(effect.slowdown, 0.25);
  EXPECT_DOUBLE_EQ(effect.saving, 0.4);
  EXPECT_DOUBLE_EQ(effect.distance, 0.8 - 0.6);
}

TEST(means, are_of_the_cells_that_are_done) {
  Results results{.study = "s", .cells = std::vector<Cell>(4), .outcomes = {}};
  results.outcomes = {
      all_done({short_run("none", 10, 100), short_run("exact", 11, 80), short_run("alg5", 10, 90)}),
      Outcome{},
      {.status = Outcome::Status::failed, .reason = "why", .took = {}, .runs = {}},
      all_done({short_run("none", 1, 1), short_run("exact", 1.3, 0.6)})};
  const auto all = means(results);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].method, "exact");
  EXPECT_EQ(all[0].cells, 2U);
  EXPECT_NEAR(all[0].mean.slowdown, (0.1 + 0.3) / 2, 1e-12);
  EXPECT_NEAR(all[0].mean.saving, (0.2 + 0.4) / 2, 1e-12);
  EXPECT_EQ(all[1].method, "alg5");
  EXPECT_EQ(all[1].cells, 1U);
  EXPECT_EQ(results.count(Outcome::Status::done), 2U);
  EXPECT_EQ(results.count(Outcome::Status::failed), 1U);
  EXPECT_EQ(results.count(Outcome::Status::missing), 1U);
}

} // namespace
} // namespace hypermile::study
