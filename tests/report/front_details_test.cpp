#include "report/front_details.hpp"

#include "support/cases.hpp"
#include "support/random_problem.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace hypermile::report {
namespace {

using model::ModelKind;
using nlohmann::json;

/// Time and energy of every gear vector.
std::vector<model::Prediction> all_predictions(const model::Problem& problem) {
  std::vector<model::Prediction> all;
  std::vector<model::Gear> gears(problem.unit_count(), 0);
  for (bool more = true; more;) {
    all.push_back(predict(problem, gears));
    more = false;
    for (std::size_t unit = 0; unit < gears.size() && !more; ++unit) {
      more = ++gears[unit] < problem.gear_count(unit);
      if (!more)
        gears[unit] = 0;
    }
  }
  return all;
}

/// Of all gear vectors that take no longer.
double least_energy_within(const std::vector<model::Prediction>& all, double time) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& one : all)
    if (one.time.value() <= time * (1 + 1e-12))
      least = std::min(least, one.energy.value());
  return least;
}

class FrontDetails : public testing::TestWithParam<ModelKind> {};

TEST_P(FrontDetails, say_how_far_each_method_is_from_the_best_of_all_gears) {
  test::RandomProblem random(31);
  for (int i = 0; i < test::cases(150); ++i) {
    SCOPED_TRACE(i);
    const model::Problem problem = random.make(GetParam(), 200);
    const auto all = all_predictions(problem);
    const json details = front_details(problem, {});
    EXPECT_TRUE(details.at("exact"));
    EXPECT_GE(details.at("methods").size(), 2U);
    for (const json& method : details.at("methods")) {
      const double energy = method.at("energy_j");
      const double least = least_energy_within(all, method.at("time_s"));
      EXPECT_NEAR(method.at("beyond_front_percent"), 100 * (energy / least - 1), 1e-6)
          << method.dump();
    }
  }
}

TEST_P(FrontDetails, have_points_that_no_gears_beat) {
  test::RandomProblem random(32);
  for (int i = 0; i < test::cases(150); ++i) {
    SCOPED_TRACE(i);
    const model::Problem problem = random.make(GetParam(), 200);
    const auto all = all_predictions(problem);
    const json details = front_details(problem, {});
    EXPECT_EQ(details.at("count"), details.at("points").size());
    for (const json& point : details.at("points"))
      EXPECT_NEAR(point.at("energy_j"), least_energy_within(all, point.at("time_s")),
                  1e-9 * point.at("energy_j").get<double>());
    EXPECT_EQ(details.at("time_s"), problem.baseline().time.value());
    EXPECT_EQ(details.at("energy_j"), problem.baseline().energy.value());
  }
}

INSTANTIATE_TEST_SUITE_P(models, FrontDetails,
                         testing::Values(ModelKind::table, ModelKind::cluster, ModelKind::hybrid,
                                         ModelKind::homogeneous));

TEST(front_details, mark_the_one_method_that_was_asked_for) {
  test::RandomProblem random(33);
  const model::Problem problem = random.make(ModelKind::cluster);
  for (const auto method : {select::Method::exact, select::Method::alg5, select::Method::brute,
                            select::Method::alg5_literal}) {
    std::size_t marked = 0;
    const json details = front_details(problem, {.method = method});
    for (const json& one : details.at("methods"))
      if (one.at("chosen")) {
        ++marked;
        EXPECT_EQ(one.at("method"), select::name_of(method));
      }
    EXPECT_EQ(marked, 1U);
  }
}

TEST(front_details, say_which_methods_keep_the_bounds) {
  test::RandomProblem random(34);
  for (int i = 0; i < test::cases(100); ++i) {
    const model::Problem problem = random.make(ModelKind::cluster, 200);
    select::Request request;
    request.constraints.max_slowdown = 0.02;
    const double most = problem.baseline().time.value() * 1.02;
    const json details = front_details(problem, request);
    for (const json& one : details.at("methods"))
      EXPECT_EQ(one.at("keeps_bounds").get<bool>(),
                one.at("time_s").get<double>() <= most * (1 + 1e-12))
          << one.dump();
  }
}

TEST(front_details, show_the_first_the_last_and_some_hundred_points) {
  EXPECT_TRUE(shown_of_front(0).empty());
  for (const std::size_t count : {1U, 2U, 299U, 300U, 301U, 10000U}) {
    const auto shown = shown_of_front(count);
    EXPECT_EQ(shown.size(), std::min<std::size_t>(count, 300));
    EXPECT_EQ(shown.front(), 0U);
    EXPECT_EQ(shown.back(), count - 1);
    EXPECT_TRUE(std::ranges::is_sorted(shown));
    EXPECT_EQ(std::ranges::adjacent_find(shown), shown.end());
  }
}

} // namespace
} // namespace hypermile::report
