#include "select/selector.hpp"
#include "support/random_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile::select {
namespace {

struct TimeAndEnergy {
  double time;
  double energy;
};

/// The front by trying every vector.
std::vector<TimeAndEnergy> brute_front(const model::Problem& problem) {
  std::vector<TimeAndEnergy> all;
  std::vector<model::Gear> gears(problem.unit_count(), 0);
  for (bool more = true; more;) {
    const auto p = predict(problem, gears);
    all.push_back({p.time.value(), p.energy.value()});
    more = false;
    for (std::size_t unit = 0; unit < gears.size() && !more; ++unit) {
      more = ++gears[unit] < problem.gear_count(unit);
      if (!more)
        gears[unit] = 0;
    }
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.time < b.time || (a.time == b.time && a.energy < b.energy);
  });
  std::vector<TimeAndEnergy> front;
  for (const auto& point : all)
    if (front.empty() || point.energy < front.back().energy * (1 - 1e-12))
      front.push_back(point);
  return front;
}

class front_of : public testing::TestWithParam<model::ModelKind> {};

TEST_P(front_of, holds_every_point_that_brute_force_finds) {
  test::RandomProblem random(9);
  Selector selector;
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    const model::Problem problem = random.make(GetParam(), 200);
    const Front front = selector.front(problem);
    ASSERT_EQ(front.certificate.kind, Certificate::Kind::exact);
    // Rounding may split one point into several that differ in the last digit.
    for (const auto& wanted : brute_front(problem))
      ASSERT_TRUE(std::any_of(front.points.begin(), front.points.end(),
                              [&](const auto& point) {
                                return point.prediction.time.value() <= wanted.time * (1 + 1e-9) &&
                                       point.prediction.energy.value() <=
                                           wanted.energy * (1 + 1e-9);
                              }))
          << wanted.time << " s, " << wanted.energy << " J";
    for (std::size_t k = 1; k < front.points.size(); ++k)
      ASSERT_LE(front.points[k - 1].prediction.time.value(),
                front.points[k].prediction.time.value() * (1 + 1e-9));
  }
}

INSTANTIATE_TEST_SUITE_P(models, front_of,
                         testing::Values(model::ModelKind::rauber, model::ModelKind::homogeneous,
                                         model::ModelKind::cluster, model::ModelKind::grid,
                                         model::ModelKind::table, model::ModelKind::hybrid,
                                         model::ModelKind::async, model::ModelKind::async_literal));

TEST(front, of_one_group_is_whole_however_long) {
  test::RandomProblem random(12);
  const model::Problem problem = random.make_large(model::ModelKind::cluster, 300);
  EXPECT_EQ(Selector().front(problem, 1).certificate.kind, Certificate::Kind::exact);
}

TEST(front, leaves_out_gears_that_would_fill_the_memory) {
  const model::GearTable gears{{Hertz{2e9}, Hertz{1.5e9}, Hertz{1e9}}};
  std::vector<model::AnalyticNode> nodes;
  for (int i = 0; i < 4000; ++i)
    nodes.push_back({gears, Seconds{1 + 0.001 * i}, Seconds{0}, Watts{20}, Watts{1}});
  const Front front = Selector().front(async_problem(nodes), 10);
  ASSERT_GT(front.points.size() * nodes.size(), most_front_gears);
  for (const FrontPoint& point : front.points) {
    ASSERT_TRUE(point.gears.empty());
    ASSERT_GT(point.prediction.energy.value(), 0);
  }
}

TEST(front, of_too_many_groups_is_their_hull) {
  test::RandomProblem random(10);
  const model::Problem problem = random.make_large(model::ModelKind::async, 200);
  const Front front = Selector().front(problem, 1000);
  EXPECT_EQ(front.certificate.kind, Certificate::Kind::bound);
  ASSERT_GT(front.points.size(), 2U);
  for (std::size_t k = 1; k < front.points.size(); ++k)
    EXPECT_LT(front.points[k].prediction.energy.value(),
              front.points[k - 1].prediction.energy.value() * (1 + 1e-9));
}

} // namespace
} // namespace hypermile::select
