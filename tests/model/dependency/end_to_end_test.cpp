// Random programs: what the model predicts for other gears is what a simulation of them takes.

#include "model/dependency/dependencies.hpp"

#include "support/random_timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

/// Errors of the time in some gears as predicted from a recording in others, ascending.
struct Errors {
  std::vector<double> of_gear0; ///< from a recording in slow gears
  std::vector<double> of_slow;  ///< from one in gear 0
};

Errors errors_of(Pattern pattern, bool moves_in_calls) {
  constexpr double overhead = 5.0 / (1 << 18); // 19 us for a call that waits for nobody
  RandomTimeline random(7);
  random.noisy(0.02).without_preamble();
  Errors errors;
  for (int i = 0; i < 100; ++i) {
    Protocol protocol;
    protocol.synchronous_from = 1U << 20U;
    protocol.moves_in_calls = moves_in_calls;
    Program program = random.make(random.integer(3, 5), 8, {pattern}, protocol);
    program.overhead = overhead;
    const std::vector<double> gear0(program.timeline.ranks.size(), 1);
    const auto slow = random_scales(random, gear0.size());
    const test::Run in_gear0 = run(program, gear0);
    const test::Run in_slow = run(program, slow);
    Dependencies::Workspace workspace;
    const auto error = [&](const test::Run& recorded, const test::Run& other, const auto& scales) {
      protocol.moves_in_calls = false; // it is to be seen
      const Dependencies dependencies(recorded.timeline, protocol);
      return dependencies.time(scales, workspace) / other.time - 1;
    };
    errors.of_gear0.push_back(error(in_slow, in_gear0, gear0));
    errors.of_slow.push_back(error(in_gear0, in_slow, slow));
  }
  std::ranges::sort(errors.of_gear0);
  std::ranges::sort(errors.of_slow);
  return errors;
}

double median(const std::vector<double>& ascending) { return ascending[ascending.size() / 2]; }

class Recordings : public testing::TestWithParam<Pattern> {};
INSTANTIATE_TEST_SUITE_P(patterns, Recordings, testing::Values(Pattern::halo, Pattern::overlap));

/// Nobody ever waits for most of these messages. What computation hides is not the network's time.
TEST_P(Recordings, in_slow_gears_tell_the_time_in_gear_0_and_the_other_way_round) {
  const Errors errors = errors_of(GetParam(), false);
  for (const auto& each : {errors.of_gear0, errors.of_slow}) {
    EXPECT_NEAR(median(each), 0, 0.02);
    EXPECT_GE(each[each.size() / 10], -0.04);
    EXPECT_LE(each[each.size() * 8 / 10], 0.08);
  }
}

TEST(recordings, show_where_messages_move_only_while_both_sides_are_in_mpi) {
  const Errors errors = errors_of(Pattern::halo, true);
  EXPECT_NEAR(median(errors.of_gear0), 0, 0.02);
  EXPECT_NEAR(median(errors.of_slow), 0, 0.02);
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
