// Every allocation and every message of a job fails once in turn: the program goes on, every call
// returns, the job ends, and the report says what happened.

#include "runtime/apply/program.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::runtime {
namespace {

using test::AllocationFault;
using Lasts = test::AllocationFault::Lasts;

RankSetup metered(std::size_t node, double computation, bool has_meter) {
  return {.node = node,
          .computation = computation,
          .energy_interval = 0.1,
          .has_meter = has_meter,
          .learns_power = true};
}

/// A tree of five ranks on three nodes with meters: 1 is below 0, 3 below 2, which is below 0.
const std::vector<RankSetup> setups{metered(0, 1, true), metered(0, 0.5, false),
                                    metered(1, 2, true), metered(1, 2, false),
                                    metered(2, 0.5, true)};
constexpr int some_iterations = 10;

/// Chooses at once, and notices what leaves a task, which would end the program.
struct ImmediateBackground final : control::Background {
  void start(std::function<void()> task) override { EXPECT_NO_THROW(task()); }
  [[nodiscard]] bool done() const override { return true; }
  void wait() override {}
};

bool is_complete(const RankReport& rank) {
  return rank.calls >= some_iterations && rank.loop.iterations > 0;
}

/// Nothing is lost without a word.
void expect_told(const RunReport& run) {
  ASSERT_EQ(run.ranks.size(), setups.size());
  const bool told =
      std::ranges::any_of(run.ranks, [](const RankReport& r) { return !r.failure.empty(); });
  EXPECT_TRUE(told || std::ranges::all_of(run.ranks, is_complete));
}

bool has_failed(const Program& program) {
  return std::ranges::any_of(
      program.ranks, [](const auto& rank) { return !rank->controller.report().failure.empty(); });
}

/// Runs the job with the allocation after so many of one rank failing. False: there are no more.
bool survives(std::size_t rank, std::size_t works_before, Lasts lasts) {
  SCOPED_TRACE("allocation " + std::to_string(works_before) + " of rank " + std::to_string(rank));
  AllocationFault fault(works_before, lasts);
  ImmediateBackground background;
  Program program(setups, unbounded, Program::Messages::by_tree, &background);
  program.expose(rank, fault);
  EXPECT_NO_THROW(program.iterate(some_iterations));
  if (lasts == Lasts::once && has_failed(program)) {
    EXPECT_NO_THROW(program.iterate(8 * some_iterations)); // until every rank has heard of it
    EXPECT_EQ(program.gears(), std::vector<std::size_t>(3, 0));
  }
  const auto run = program.try_to_finish();
  if (run)
    expect_told(*run);
  else
    EXPECT_EQ(rank, 0U);
  return fault.has_happened() && !testing::Test::HasFailure();
}

/// The thread sanitizer looks for races, which are the same after most allocations.
#ifdef __SANITIZE_THREAD__
constexpr std::size_t step_between_faults = 7;
constexpr int rounds_of_changes = 2;
#else
constexpr std::size_t step_between_faults = 1;
constexpr int rounds_of_changes = 20;
#endif

class Allocations : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(of_rank, Allocations, testing::Values(0, 1, 2, 3, 4));

TEST_P(Allocations, may_each_fail_once) {
  std::size_t works_before = 0;
  while (survives(GetParam(), works_before, Lasts::once))
    works_before += step_between_faults;
  EXPECT_GT(works_before, 100U);
}

TEST_P(Allocations, may_all_fail_from_one_on) {
  std::size_t works_before = 0;
  while (survives(GetParam(), works_before, Lasts::for_good))
    works_before += 7;
  EXPECT_GT(works_before, 100U);
}

using Change = std::function<void(control::Exchange::Bytes&)>;

/// Runs the job with one message changed on its way. False: there are no more.
bool survives(std::size_t message, const Change& change) {
  SCOPED_TRACE("message " + std::to_string(message));
  Program program(setups, unbounded, Program::Messages::by_tree);
  std::size_t count = 0;
  program.network.tamper([&](auto& m) {
    if (count++ == message)
      change(m.bytes);
  });
  EXPECT_NO_THROW(program.iterate(some_iterations));
  const auto run = program.try_to_finish();
  EXPECT_TRUE(run);
  EXPECT_EQ(run ? run->ranks.size() : 0, setups.size());
  return count > message && !testing::Test::HasFailure();
}

std::size_t survived(const Change& change) {
  std::size_t message = 0;
  while (survives(message, change))
    ++message;
  return message;
}

TEST(messages, may_each_be_cut_off) {
  EXPECT_GT(survived([](auto& bytes) { bytes.resize((bytes.size() + 1) / 2); }), 10U);
  EXPECT_GT(survived([](auto& bytes) { bytes.resize(1); }), 10U);
}

TEST(messages, may_each_be_of_another_version) {
  EXPECT_GT(survived([](auto& bytes) { ++bytes[0]; }), 10U);
}

TEST(messages, may_each_be_something_else) {
  std::mt19937 random(1);
  for (int i = 0; i < rounds_of_changes; ++i)
    EXPECT_GT(survived([&](auto& bytes) {
                bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
              }),
              10U);
}

TEST(messages, of_another_version_are_told) {
  Program program(setups, unbounded, Program::Messages::by_tree);
  program.network.tamper([&](auto& m) {
    if (m.from == 2)
      ++m.bytes[0];
  });
  program.iterate(40);
  EXPECT_EQ(program.gears(), (std::vector<std::size_t>{0, 0, 0}));
  const RunReport run = program.finish();
  EXPECT_NE(run.ranks[0].failure.find("rank 2 runs another version of hypermile"),
            std::string::npos)
      << run.ranks[0].failure;
  EXPECT_EQ(run.ranks[1].failure, "");
  for (const std::size_t r : {2U, 3U}) // whose reports came through rank 2
    EXPECT_NE(run.ranks[r].failure.find("its report is missing"), std::string::npos) << r;
}

TEST(ports, that_fail_leave_the_program_alone) {
  Program program(setups, unbounded, Program::Messages::by_tree);
  program.machines[0].fails = true;
  program.ranks[2]->meter.fails = true;
  EXPECT_NO_THROW(program.iterate(40));
  const RunReport run = program.finish();
  EXPECT_EQ(run.ranks[0].failure, "the actuator has failed");
  EXPECT_FALSE(run.ranks[2].energy);
  EXPECT_TRUE(std::ranges::all_of(run.ranks, is_complete));
}

TEST(controller, goes_back_to_gear_0_on_all_nodes_where_hypermile_fails_on_one_rank) {
  Program program(setups, unbounded, Program::Messages::by_tree);
  program.iterate(20);
  EXPECT_EQ(program.gears(), (std::vector<std::size_t>{1, 0, 1}));
  program.ranks[3]->controller.give_up("a failure");
  program.iterate(80);
  EXPECT_EQ(program.gears(), (std::vector<std::size_t>{0, 0, 0}));
  const RunReport run = program.finish();
  EXPECT_EQ(run.ranks[3].failure, "a failure");
  EXPECT_NE(run.ranks[0].failure.find("hypermile has failed on rank 3"), std::string::npos);
  EXPECT_EQ(run.ranks[4].failure, "");
  EXPECT_EQ(run.ranks[3].calls, 100U); // counted all the same
}

} // namespace
} // namespace hypermile::runtime
