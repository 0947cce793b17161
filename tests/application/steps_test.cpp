// Loops of which only some steps are run: what is run, and what cannot be extrapolated.

#include "application/run.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile::application {
namespace {

const std::string stepping = "role('all', function(p)\n"
                             "  steps(100, 9, function(i)\n"
                             "    compute(10)\n"
                             "    exchange(1 - p.rank, 8 * (p.rank + 1))\n"
                             "  end)\n"
                             "  barrier()\n"
                             "end)";

std::string safe_stepping(const std::string& count, const std::string& body) {
  return "role('all', function(p)\n  steps(" + count + ", function(i)\n" + body + "\n  end)\nend)";
}

std::size_t iterations_of(const ModelRun& run, std::size_t rank) {
  const model::RankTimeline& timeline = run.timeline.ranks.at(rank);
  const auto& names = run.timeline.functions;
  return static_cast<std::size_t>(std::ranges::count_if(timeline.events, [&](const auto& event) {
    return names[timeline.operations[event.operation].function] == "Iteration";
  }));
}

ModelRun with(const std::string& text, bool all, std::optional<FewerSteps> fewer,
              std::size_t ranks = 2) {
  return run_model(text, "model.lua",
                   {.ranks = ranks, .set = {}, .all_steps = all, .fewer = fewer});
}

TEST(Steps, are_run_as_often_as_the_model_says_and_told) {
  const ModelRun run = test::run(stepping, 2);
  EXPECT_EQ(iterations_of(run, 0), 9U);
  ASSERT_EQ(run.extrapolated.size(), 1U);
  EXPECT_EQ(run.extrapolated[0].count, 100U);
  EXPECT_EQ(run.extrapolated[0].simulated, 9U);
  EXPECT_EQ(run.extrapolated[0].line, 2U);
  EXPECT_EQ(run.extrapolated[0].loops, 1U);
  EXPECT_EQ(run.extrapolated[0].compared(), 3U);
}

TEST(Steps, are_all_run_where_somebody_asks_for_it) {
  const ModelRun run = with(stepping, true, std::nullopt);
  EXPECT_EQ(iterations_of(run, 1), 100U);
  EXPECT_TRUE(run.extrapolated.empty());
}

TEST(Steps, are_fewer_in_the_loops_that_are_named_only) {
  const std::string two = "role('all', function(p)\n"
                          "  steps(100, 9, function() barrier() end)\n"
                          "  steps(50, 10, function() barrier() end)\n"
                          "  steps(100, 9, function() barrier() end)\n"
                          "end)";
  const ModelRun run = with(two, false, FewerSteps{.count = 100, .simulated = 9, .by = 3});
  EXPECT_EQ(iterations_of(run, 0), 6U + 10U + 6U);
  ASSERT_EQ(run.extrapolated.size(), 2U);
  EXPECT_EQ(run.extrapolated[0].loops, 2U);
  EXPECT_EQ(run.extrapolated[1].count, 50U);
}

TEST(Steps, that_are_few_are_run_to_the_end) {
  for (const char* count : {"2, 2", "2, 5", "0, 0", "7, 7"}) {
    const ModelRun run = test::run(safe_stepping(count, "compute(i) barrier()"), 2);
    EXPECT_TRUE(run.extrapolated.empty()) << count;
  }
}

TEST(Steps, may_be_of_some_ranks_only) {
  const ModelRun run =
      test::run("role('all', function(p)\n"
                "  if p.rank > 0 then steps(100, 9, function() compute(5) end) end\n"
                "  barrier()\n"
                "end)",
                3);
  EXPECT_EQ(run.extrapolated.size(), 1U);
  EXPECT_EQ(iterations_of(run, 0), 0U);
  EXPECT_EQ(iterations_of(run, 2), 9U);
}

TEST(Steps, may_have_work_that_is_rounded_now_and_then) {
  EXPECT_EQ(test::run(safe_stepping("100, 30", "compute(10 / 3) barrier() compute(1 / 7)"), 2)
                .extrapolated.size(),
            1U);
}

struct Unlike {
  const char* name;
  const char* text;
  const char* message; ///< a part of it
};

void PrintTo(const Unlike& unlike, std::ostream* out) { *out << unlike.name; }

class UnlikeSteps : public testing::TestWithParam<Unlike> {};

TEST_P(UnlikeSteps, are_refused_with_their_place) {
  try {
    static_cast<void>(test::run(GetParam().text, 2));
    ADD_FAILURE() << "was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos)
        << error.what();
  }
}

#define STEPS(count, body)                                                                         \
  "role('all', function(p)\n  steps(" count ", function(i)\n    " body "\n  end)\nend)"

INSTANTIATE_TEST_SUITE_P(
    All, UnlikeSteps,
    testing::Values(
        Unlike{"work", STEPS("100, 9", "compute(10 * i) barrier()"),
               "model.lua:2: rank 0, role 'all': step 2 is not like step 1"},
        Unlike{"work_at_the_end", STEPS("100, 9", "barrier() compute(i < 9 and 5 or 50)"),
               "step 9 is not like step 1"},
        Unlike{"bytes", STEPS("100, 9", "bcast(0, i < 5 and 8 or 80)"), "step 5 is not like"},
        Unlike{"root", STEPS("100, 9", "bcast(i % 2, 8)"), "step 2 is not like"},
        Unlike{"calls", STEPS("100, 12", "if i % 10 == 0 then barrier() end compute(5)"),
               "step 10 is not like"},
        Unlike{"sleep", STEPS("100, 9", "sleep(i)"), "step 2 is not like"},
        Unlike{"group_in_the_first", STEPS("100, 9", "group{0, 1}:barrier()"),
               "step 2 is not like"},
        Unlike{"nested", STEPS("100, 9", "steps(10, 5, function() end)"),
               "model.lua:3: rank 0, role 'all': steps in a step of others"},
        Unlike{"too_few", STEPS("100, 2", "barrier()"),
               "2 of 100 steps are to be simulated, but at least 3"},
        Unlike{"none", STEPS("100, 0", "barrier()"), "0 of 100 steps"},
        Unlike{"fraction", STEPS("1.5, 1", ""), "the number of steps must be a whole number"},
        Unlike{"negative", STEPS("100, -3", ""), "that are simulated must be a whole number"},
        Unlike{"no_function", "role('all', function() steps(10, 5) end)",
               "model.lua:1: rank 0, role 'all': steps needs a function"},
        Unlike{"outside_a_role", "steps(10, 5, function() end)", "belongs into the function of a"},
        Unlike{"other_count",
               "role('all', function(p)\n steps(p.rank == 0 and 100 or 90, 9, "
               "function() barrier() end)\nend)",
               "model.lua:2: rank 1, role 'all': steps(90, 9) in line 2, but rank 0, role 'all' "
               "has steps(100, 9) in line 2"},
        Unlike{"one_more",
               "role('all', function(p)\n for i = 0, p.rank do steps(100, 9, function() "
               "end) end\nend)",
               "rank 0, role 'all' has no more steps"},
        Unlike{"one_less",
               "role('all', function(p)\n for i = p.rank, 1 do steps(100, 9, function() "
               "end) end\nend)",
               "rank 1, role 'all': it has no steps(100, 9) in line 2, as rank 0"}),
    [](const auto& unlike) { return unlike.param.name; });

} // namespace
} // namespace hypermile::application
