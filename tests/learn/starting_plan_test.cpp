// The gears that a job begins with because of earlier runs.

#include "learn/starting_plan.hpp"

#include "learn/jobs.hpp"
#include "model/dependency/prediction.hpp"
#include "runtime/decide/node_problem.hpp"
#include "select/score.hpp"
#include "support/scripted_timeline.hpp"
#include "units/checksum.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

namespace hypermile::learn {
namespace {

using model::Gear;
using test::memory_of;
using test::Pattern;
using test::ranks_of_job;
using test::recorded;

constexpr Seconds think{60}; // the search ends long before

std::vector<Gear> gears_of(const StartingPlan& plan) {
  std::vector<Gear> gears;
  for (const auto& rank : plan.ranks)
    gears.push_back(rank.gear);
  return gears;
}

TEST(starting_plan, is_the_best_of_all_gear_vectors_where_all_of_a_run_is_known) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto timeline = recorded(seed);
    const Memory memory = memory_of(timeline);
    const auto plan = make_plan(memory, {}, {}, think);
    const model::dependency::Dependencies dependencies(timeline);
    const model::dependency::Predictor predictor(dependencies, runtime::nodes_of(memory.ranks));
    model::dependency::Predictor::Workspace workspace;
    double best = -1;
    for (std::size_t vector = 0; vector < (1U << ranks_of_job); ++vector) {
      std::vector<Gear> gears;
      for (std::size_t n = 0; n < ranks_of_job; ++n)
        gears.push_back((vector >> n) & 1U);
      best = std::max(best, predictor.predict(gears, workspace).distance);
    }
    EXPECT_NEAR(predictor.predict(gears_of(plan), workspace).distance, best, 1e-9) << seed;
    EXPECT_TRUE(plan.knows_dependencies);
  }
}

TEST(starting_plan, leaves_a_margin_below_a_bound_on_slowdown) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    select::Request request;
    request.objective = select::Objective::energy;
    request.constraints.max_slowdown = 0.02 * (seed % 5);
    const auto plan = make_plan(memory_of(recorded(seed)), request, {}, think);
    EXPECT_LE(plan.planned.time / plan.planned.baseline.time - 1,
              0.9 * *request.constraints.max_slowdown + 1e-9)
        << seed;
  }
}

TEST(starting_plan, rests_on_the_totals_of_the_ranks_where_events_are_missing) {
  Memory memory = memory_of(recorded(1));
  for (auto& rank : memory.ranks) {
    rank.lesson->timeline = {};
    rank.lesson->outline.total = Seconds{rank.rank == 1 ? 1.0 : 8.0};
    rank.communication = Seconds{rank.rank == 1 ? 8.0 : 1.0};
  }
  const auto plan = make_plan(memory, {}, {}, think);
  EXPECT_FALSE(plan.knows_dependencies);
  EXPECT_EQ(gears_of(plan), (std::vector<Gear>{0, 1, 0, 0}));
}

TEST(starting_plan, is_declined_for_a_program_that_hands_out_work) {
  test::Script master;
  test::Script workers[3];
  for (int task = 0; task < 30; ++task) {
    const int worker = task % 5 == 0 ? 2 : 1; // one takes four times as many
    master.computes(0.001).receives(worker, 0.1);
    workers[worker - 1].computes(0.1).sends(0, 0.001);
  }
  auto timeline = test::timeline_of(master, workers[0], workers[1], workers[2]);
  for (model::Operation& operation : timeline.ranks[0].operations)
    operation.from_any = operation.action == model::Action::receive;
  const auto plan = make_plan(memory_of(timeline), {}, {}, think);
  EXPECT_NE(plan.declined.find("gives work"), std::string::npos) << plan.declined;
  EXPECT_EQ(gears_of(plan), (std::vector<Gear>{0, 0, 0, 0}));
}

/// Whoever writes garbage may give it the right checksum.
TEST(starting_plan, is_made_of_whatever_memory_can_be_read_or_refused) {
  std::mt19937 engine(7);
  const std::string bytes = print_memory(memory_of(recorded(2, 1)));
  const std::size_t head = bytes.find('\n', bytes.find('\n') + 1) + 1;
  for (int i = 0; i < 2000; ++i) {
    std::string content = bytes.substr(head);
    for (int changes = 1 + static_cast<int>(engine() % 3); changes > 0; --changes)
      content[engine() % content.size()] = static_cast<char>(engine());
    const std::string file =
        fmt::format("hypermile/memory/4\n{:016x}\n", checksum(content)) + content;
    try {
      const auto plan = make_plan(parse_memory(file, "file"), {}, {}, Seconds{1e-4});
      EXPECT_EQ(plan.ranks.empty(), false);
    } catch (const Error&) {
    }
  }
}

TEST(starting_plan, is_for_no_other_job) {
  const auto plan = make_plan(memory_of(recorded(1)), {}, {}, think);
  EXPECT_EQ(mismatch(plan, test::identity()), "");
  Identity other = test::identity({"--class", "W"});
  EXPECT_NE(mismatch(plan, other).find("--class W"), std::string::npos);
  other = test::identity();
  other.nodes.pop_back();
  EXPECT_NE(mismatch(plan, other).find("4 ranks"), std::string::npos);
  other = test::identity();
  other.nodes[2].type.name = "another";
  EXPECT_NE(mismatch(plan, other).find("rank 2"), std::string::npos);
  other = test::identity();
  other.nodes[1].name = other.nodes[0].name;
  EXPECT_NE(mismatch(plan, other).find("another node"), std::string::npos);
}

TEST(starting_plan, is_the_same_when_it_is_written_and_read_again) {
  for (const auto& arguments : {std::vector<std::string>{}, {"--class", "S", ""}}) {
    select::Request request;
    request.constraints.max_slowdown = 0.1;
    const auto plan = make_plan(memory_of(recorded(4), arguments), request, {}, think);
    const std::string text = print_starting_plan(plan);
    EXPECT_EQ(print_starting_plan(parse_starting_plan(text, "plan.json")), text);
  }
}

TEST(starting_plan, that_cannot_be_read_names_file_and_key) {
  const std::string text = print_starting_plan(make_plan(memory_of(recorded(4)), {}, {}, think));
  for (std::size_t size = 0; size + 2 < text.size(); size += 7)
    EXPECT_THROW((void)parse_starting_plan(text.substr(0, size), "plan.json"), Error) << size;
  std::string negative = text;
  negative.replace(negative.find("\"gear\": "), 8, "\"gear\": -");
  try {
    (void)parse_starting_plan(negative, "plan.json");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("plan.json: ranks[0].gear"), std::string::npos)
        << error.what();
  }
}

} // namespace
} // namespace hypermile::learn
