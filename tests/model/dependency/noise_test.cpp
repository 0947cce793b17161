#include "model/dependency/noise.hpp"

#include "support/random_timeline.hpp"
#include "support/scripted_timeline.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hypermile::model::dependency {
namespace {

using test::Script;
using test::timeline_of;

struct Moments {
  double mean;
  double deviation;
};

Moments moments(const std::vector<Seconds>& times) {
  double sum = 0;
  double squares = 0;
  for (const Seconds time : times) {
    sum += time.value();
    squares += time.value() * time.value();
  }
  const auto n = static_cast<double>(times.size());
  return {sum / n, std::sqrt(squares / n - sum / n * (sum / n))};
}

TEST(iteration_noise, is_nothing_where_iterations_are_alike) {
  test::RandomTimeline random(1);
  const test::Program program =
      random.make(4, 6, {test::Pattern::halo, test::Pattern::collective}, {});
  const std::vector<double> scales{1, 1.5, 1, 2};
  const test::Run recorded = run(program, {1, 1, 1, 1});
  const Dependencies dependencies(recorded.timeline, program.protocol);
  const Spread spread =
      IterationNoise(dependencies, recorded.timeline, program.iterations).spread(scales);
  EXPECT_NEAR(spread.mean, run(program, scales).time / recorded.time, 1e-6);
  EXPECT_NEAR(spread.deviation, 0, 1e-6);
}

/// One rank, iterations of 1 and 3 s in turn: a resample of n takes n * 2 s on average, with a
/// standard deviation of sqrt(n) s.
TEST(iteration_noise, of_one_rank_adds_up_as_independent_iterations_do) {
  Script a;
  std::vector<std::uint32_t> iterations;
  constexpr std::size_t count = 100;
  for (std::uint32_t i = 0; i < count; ++i) {
    iterations.push_back(i);
    a.computes(i % 2 == 0 ? 1 : 3).calls(0);
  }
  iterations.push_back(count);
  const Timeline timeline = timeline_of(a);
  const Dependencies dependencies(timeline);
  const IterationNoise noise(dependencies, timeline,
                             std::vector<std::vector<std::uint32_t>>{iterations}, 1, 400);
  const auto [mean, deviation] = moments(noise.times(std::vector<double>{1}));
  EXPECT_NEAR(mean, 200, 2);
  EXPECT_NEAR(deviation, 10, 1.5);
  // Whatever the noise, with S = 2 it is twice as long.
  const Spread slower = noise.spread(std::vector<double>{2});
  EXPECT_NEAR(slower.mean, 2, 1e-9);
  EXPECT_NEAR(slower.deviation, 0, 1e-6);
}

/// Two ranks that meet after every iteration wait for whichever is late.
TEST(iteration_noise, costs_time_where_ranks_wait_for_each_other) {
  Script a;
  Script b;
  std::vector<std::uint32_t> iterations;
  constexpr std::uint32_t count = 100;
  for (std::uint32_t i = 0; i < count; ++i) {
    iterations.push_back(2 * i);
    a.computes(i % 2 == 0 ? 1 : 3).joins(Shape::all, 2, 0.5);
    b.computes(i % 2 == 0 ? 1 : 3).joins(Shape::all, 2, 0.5);
  }
  iterations.push_back(2 * count);
  const Timeline timeline = timeline_of(a, b);
  const Dependencies dependencies(timeline);
  const IterationNoise noise(dependencies, timeline, std::vector{iterations, iterations}, 1, 100);
  // The later of two is 1 s in a quarter of all iterations, else 3 s.
  EXPECT_NEAR(moments(noise.times(std::vector<double>{1, 1})).mean, count * (2.5 + 0.5), 3);
  EXPECT_EQ(noise.spread(std::vector<double>{1, 1}).mean, 1);
}

/// Every tenth iteration is long on all ranks: that is the program, and no rank is ever late.
TEST(iteration_noise, is_not_what_all_ranks_do_at_the_same_time) {
  std::vector<Script> scripts(4);
  std::vector<std::vector<std::uint32_t>> iterations(scripts.size());
  constexpr std::uint32_t count = 40;
  for (std::size_t r = 0; r < scripts.size(); ++r)
    for (std::uint32_t i = 0; i <= count; ++i) {
      if (r < 2 || i > 0) // ranks 2 and 3 begin to count an iteration later
        iterations[r].push_back(2 * i);
      const double work = i % 10 == 9 ? 8 : 1;
      const double own = r == 0 ? work : 0.5 * work; // rank 0 is the slowest
      scripts[r].computes(own).joins(Shape::all, 4, work + 0.5 - own);
    }
  const Timeline timeline = timeline_of(scripts[0], scripts[1], scripts[2], scripts[3]);
  const Dependencies dependencies(timeline);
  const IterationNoise noise(dependencies, timeline, iterations, 1, 16);
  const Spread spread = noise.spread(std::vector<double>{1, 1.9, 1.9, 1.9});
  EXPECT_NEAR(spread.mean, 1, 1e-6);
  EXPECT_NEAR(spread.deviation, 0, 1e-6);
}

TEST(iteration_noise, refuses_iterations_that_are_not_the_timelines) {
  Script a;
  a.computes(1).calls(0);
  const Timeline timeline = timeline_of(a);
  const Dependencies dependencies(timeline);
  using Iterations = std::vector<std::vector<std::uint32_t>>;
  for (const Iterations& iterations : {Iterations{}, Iterations{{0, 2}}, Iterations{{1, 0}}})
    EXPECT_THROW(IterationNoise(dependencies, timeline, iterations), Error);
}

} // namespace
} // namespace hypermile::model::dependency
