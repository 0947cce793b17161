#include "application/schedule.hpp"

#include "application/random_model.hpp"
#include "application/run.hpp"
#include "model/dependency/dependencies.hpp"
#include "replay/recorded_run.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::application {
namespace {

using model::Action;
using test::end;
using test::timed;

TEST(Schedule, takes_the_time_and_the_bytes_of_an_oracle_for_random_models) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const test::RandomModel expected = test::random_model(seed);
    const ModelRun made = timed(expected.text, expected.ranks);
    for (std::size_t rank = 0; rank < expected.ranks; ++rank) {
      EXPECT_NEAR(end(made, rank), expected.ends[rank], 1e-5 * (1 + expected.ends[rank]))
          << "seed " << seed << ", rank " << rank << "\n"
          << expected.text;
      std::uint64_t received = 0;
      for (const model::Event& event : made.timeline.ranks[rank].events) {
        const auto& operation = made.timeline.ranks[rank].operations[event.operation];
        if (operation.action == Action::receive)
          received += operation.bytes;
      }
      EXPECT_EQ(received, expected.received[rank]) << "seed " << seed << ", rank " << rank;
    }
  }
}

/// What the model says is what the rest of hypermile understands.
TEST(Schedule, makes_timelines_that_the_dependency_model_follows) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const test::RandomModel expected = test::random_model(seed);
    const ModelRun made = timed(expected.text, expected.ranks);
    const model::dependency::Dependencies dependencies(made.timeline);
    model::dependency::Dependencies::Workspace workspace;
    const std::vector<double> gear0(expected.ranks, 1.0);
    const double longest = *std::ranges::max_element(expected.ends);
    EXPECT_NEAR(dependencies.time(gear0, workspace).value(), longest, 1e-4 * (1 + longest))
        << "seed " << seed << "\n"
        << expected.text;
  }
}

TEST(Schedule, makes_runs_that_can_be_kept_and_repeated) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const test::RandomModel expected = test::random_model(seed);
    const ModelRun made = timed(expected.text, expected.ranks);
    const replay::RecordedRun run{.program = "model.lua",
                                  .platform = "table-3.1",
                                  .nodes = std::vector<std::string>(expected.ranks, "node"),
                                  .speeds = std::vector<Speed>(expected.ranks, Speed{1}),
                                  .timeline = made.timeline};
    const auto read = replay::parse_recorded_run(replay::print_recorded_run(run), "file");
    EXPECT_EQ(replay::why_not_repeatable(read), "");
    ASSERT_EQ(read.timeline.ranks.size(), expected.ranks);
    for (std::size_t rank = 0; rank < expected.ranks; ++rank) {
      EXPECT_EQ(read.timeline.ranks[rank].operations, made.timeline.ranks[rank].operations);
      EXPECT_EQ(read.timeline.ranks[rank].work, made.timeline.ranks[rank].work);
    }
  }
}

TEST(Schedule, lets_a_small_message_leave_before_its_receive) {
  const ModelRun made = timed("role('all', function(p)\n"
                              "  if p.rank == 0 then send(1, 1000) else compute(10) recv(0) end\n"
                              "end)",
                              2);
  EXPECT_DOUBLE_EQ(end(made, 0), 0);
  EXPECT_DOUBLE_EQ(end(made, 1), 10);
}

TEST(Schedule, lets_a_root_wait_for_all_and_others_for_the_root) {
  const std::string text = "role('all', function(p)\n"
                           "  compute(p.rank == 3 and 100 or p.rank)\n"
                           "  if kind == 1 then bcast(0, 0) else gather(0, 0) end\n"
                           "end)\n";
  const ModelRun bcast = timed("kind = 1 " + text, 4);
  EXPECT_DOUBLE_EQ(end(bcast, 1), 3); // two rounds after it arrived, as the root was there
  EXPECT_DOUBLE_EQ(end(bcast, 3), 102);
  const ModelRun gather = timed("kind = 2 " + text, 4);
  EXPECT_DOUBLE_EQ(end(gather, 1), 2);
  EXPECT_DOUBLE_EQ(end(gather, 0), 102);
}

TEST(Schedule, sleeps) {
  const ModelRun made = timed("role('all', function() sleep(2.5) compute(1) end)", 1);
  EXPECT_DOUBLE_EQ(end(made, 0), 3.5);
}

TEST(Schedule, names_the_circle_and_not_what_leads_to_it) {
  try {
    static_cast<void>(timed("role('all', function(p)\n"
                            "  if p.rank == 0 then recv(1)\n"
                            "  else recv(p.rank % 3 + 1) end\n"
                            "end)",
                            4));
    FAIL();
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.find("rank 0,"), std::string::npos) << what;
    EXPECT_NE(what.find("rank 3, role 'all', line 3: recv from rank 1, waits for rank 1"),
              std::string::npos)
        << what;
  }
}

} // namespace
} // namespace hypermile::application
