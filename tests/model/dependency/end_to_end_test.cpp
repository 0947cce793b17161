// Random programs: what the model predicts for other gears is what a simulation of them takes.

#include "model/dependency/dependencies.hpp"

#include "support/random_timeline.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace hypermile::model::dependency {
namespace {

using test::Pattern;
using test::Program;
using test::RandomTimeline;

std::vector<double> random_scales(RandomTimeline& random, std::size_t ranks) {
  std::vector<double> scales;
  for (std::size_t r = 0; r < ranks; ++r)
    scales.push_back(random.integer(0, 2) == 0 ? 1 : random.uniform(1, 2.5));
  return scales;
}

void expect_same_times(RandomTimeline& random, const Program& program) {
  const std::size_t ranks = program.timeline.ranks.size();
  const test::Run recorded = run(program, std::vector<double>(ranks, 1));
  const Dependencies dependencies(recorded.timeline, program.protocol);
  Dependencies::Workspace workspace;
  ASSERT_NEAR(dependencies.time(std::vector<double>(ranks, 1), workspace).value(),
              recorded.time.value(), 1e-9);
  for (int i = 0; i < 10; ++i) {
    const auto scales = random_scales(random, ranks);
    ASSERT_NEAR(dependencies.time(scales, workspace).value(), run(program, scales).time.value(),
                1e-9);
  }
}

class dependencies_of : public testing::TestWithParam<Pattern> {};

TEST_P(dependencies_of, a_pattern_predict_what_a_simulation_takes) {
  RandomTimeline random(1);
  for (int i = 0; i < 30; ++i)
    for (const std::uint64_t synchronous_from : {4096U, 65536U})
      for (const bool at_receive : {false, true}) {
        SCOPED_TRACE(testing::Message() << "program " << i << ", rendezvous from "
                                        << synchronous_from << ", at receive " << at_receive);
        Protocol protocol;
        protocol.synchronous_from = synchronous_from;
        protocol.starts_at_receive = at_receive;
        expect_same_times(random, random.make(random.integer(3, 6), 4, {GetParam()}, protocol));
        if (HasFatalFailure())
          return;
      }
}

INSTANTIATE_TEST_SUITE_P(patterns, dependencies_of,
                         testing::Values(Pattern::ring, Pattern::halo, Pattern::overlap,
                                         Pattern::wavefront, Pattern::collective, Pattern::rooted,
                                         Pattern::scan));

TEST(dependencies, of_mixed_patterns_predict_what_a_simulation_takes) {
  RandomTimeline random(2);
  random.noisy(0.3);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    expect_same_times(random, random.make(random.integer(3, 8), random.integer(1, 6)));
    if (testing::Test::HasFatalFailure())
      return;
  }
}

/// T is the longest of many paths, so every critical path bounds T from below at all other gears.
TEST(dependencies, bound_the_time_from_below_by_every_critical_path) {
  RandomTimeline random(3);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    const Program program = random.make(random.integer(3, 6), 3);
    const std::size_t ranks = program.timeline.ranks.size();
    const Dependencies dependencies(run(program, std::vector<double>(ranks, 1)).timeline,
                                    program.protocol);
    Dependencies::Workspace workspace;
    const auto at = random_scales(random, ranks);
    const Seconds time = dependencies.time(at, workspace);
    const auto computing = dependencies.critical_computing(at);
    for (int j = 0; j < 20; ++j) {
      const auto scales = random_scales(random, ranks);
      Seconds bound = time;
      for (std::size_t r = 0; r < ranks; ++r)
        bound += computing[r] * (scales[r] - at[r]);
      ASSERT_LE(bound.value(), dependencies.time(scales, workspace).value() + 1e-9);
    }
  }
}

/// Random programs, as they run with random scales.
void for_random_runs(unsigned seed,
                     const std::function<void(const Dependencies& dependencies,
                                              std::span<const double> scales)>& check) {
  RandomTimeline random(seed);
  random.noisy(0.3);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    const Program program = random.make(random.integer(3, 6), 3);
    const std::size_t ranks = program.timeline.ranks.size();
    const Dependencies dependencies(run(program, std::vector<double>(ranks, 1)).timeline,
                                    program.protocol);
    check(dependencies, random_scales(random, ranks));
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST(critical_path, adds_up_to_the_time) {
  for_random_runs(4, [](const Dependencies& dependencies, std::span<const double> scales) {
    Dependencies::Workspace workspace;
    const auto path = dependencies.critical_path(scales);
    Seconds now = path.begin;
    std::uint32_t rank = path.steps.front().rank;
    for (const auto& step : path.steps) {
      ASSERT_EQ(step.from, rank);
      ASSERT_NEAR((now + step.computing + step.inside).value(), step.end.value(), 1e-9);
      now = step.end;
      rank = step.rank;
    }
    ASSERT_NEAR((now - path.begin).value(), dependencies.time(scales, workspace).value(), 1e-9);
  });
}

TEST(accounts, of_every_rank_add_up_to_the_time) {
  for_random_runs(5, [](const Dependencies& dependencies, std::span<const double> scales) {
    Dependencies::Workspace workspace;
    const double time = dependencies.time(scales, workspace).value();
    for (const auto& account : dependencies.accounts(scales)) {
      ASSERT_GE(account.inside, Seconds{-1e-12});
      ASSERT_GE(account.waiting, Seconds{-1e-12});
      ASSERT_NEAR((account.computing + account.inside + account.waiting).value(), time, 1e-6);
    }
  });
}

} // namespace
} // namespace hypermile::model::dependency
