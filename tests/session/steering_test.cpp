#include "session/fakes.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile::session {
namespace {

using test::FakeSession;
using Calls = std::vector<std::string>;

TEST(steering, sets_nothing_before_the_program_has_reported_progress) {
  FakeSession session({.throughput = Rate{100}});
  session.program.reports = false;
  for (int look = 0; look < 100; ++look)
    session.program.pass((session.steering.step() - session.program.now()).value());
  session.program.reports = true; // but no item yet
  session.program.has_done.items = 0;
  (void)session.steering.step();
  EXPECT_EQ(session.program.calls, Calls{});
  EXPECT_FALSE(session.steering.result().reported);
  EXPECT_EQ(session.steering.result().time, Seconds{0});
  EXPECT_TRUE(session.rows.empty());

  session.program.pass(1);
  (void)session.steering.step();
  EXPECT_EQ(session.program.calls, (Calls{"confine 0,1,2,3,4,5,6,7", "gear 1", "threads 4"}));
  EXPECT_TRUE(session.steering.result().reported);
}

TEST(steering, looks_again_soon_while_it_waits) {
  FakeSession session({.throughput = Rate{100}});
  session.program.reports = false;
  const Seconds due = session.steering.step();
  EXPECT_GT(due, session.program.now());
  EXPECT_LE(due, session.program.now() + Seconds{0.1});
}

TEST(steering, does_nothing_before_it_wants_to_be_called_again) {
  FakeSession session({.throughput = Rate{100}});
  session.run(3);
  session.program.pass(0.001);
  const std::size_t readings = session.program.readings;
  const Seconds due = session.steering.step();
  EXPECT_GT(due, session.program.now());
  EXPECT_EQ(session.steering.step(), due);
  EXPECT_EQ(session.program.readings, readings);
  EXPECT_EQ(session.rows.size(), 3U);
}

TEST(steering, gives_each_configuration_its_cpus_gear_and_threads) {
  FakeSession session({.throughput = Rate{1}}, "exhaustive");
  const auto calls_for = [&](const steer::Configuration& wanted) {
    const std::size_t index = session.node.space.find(wanted).value();
    while (session.steering.result().configuration != index || session.program.calls.empty())
      session.run(session.rows.size() + 1);
    return Calls(session.program.calls.end() - 3, session.program.calls.end());
  };
  session.program.pass(1);
  (void)session.steering.step();
  constexpr auto interleaved = model::Placement::interleaved;
  EXPECT_EQ(calls_for({.cores = 1, .gear = 0}), (Calls{"confine 0,4", "gear 0", "threads 1"}));
  EXPECT_EQ(calls_for({.cores = 2, .gear = 0}), (Calls{"confine 0,1,4,5", "gear 0", "threads 2"}));
  EXPECT_EQ(calls_for({.cores = 3, .gear = 1}),
            (Calls{"confine 0,1,2,4,5,6", "gear 1", "threads 3"}));
  EXPECT_EQ(calls_for({.cores = 2, .gear = 1, .placement = interleaved}),
            (Calls{"confine 0,2,4,6", "gear 1", "threads 2"}));
}

TEST(steering, sets_only_what_changes) {
  FakeSession session({.throughput = Rate{100}});
  session.run(40);
  ASSERT_EQ(session.rows.back().mode, steer::Mode::steady);
  const std::size_t calls = session.program.calls.size();
  session.run(60);
  EXPECT_EQ(session.program.calls.size(), calls);
}

TEST(steering, works_without_gears) {
  FakeSession session({.throughput = Rate{100}}, "adaptive", false);
  session.run(5);
  EXPECT_EQ(session.program.calls[0], "confine 0,1,2,3,4,5,6,7");
  EXPECT_EQ(session.program.calls[1], "threads 4");
}

TEST(steering, lets_the_program_settle_before_it_measures) {
  FakeSession session({.throughput = Rate{100}}, "exhaustive");
  session.run(20);
  for (std::size_t index = 1; index < session.rows.size(); ++index) {
    const Row& before = session.rows[index - 1];
    const Row& row = session.rows[index];
    const Seconds pause = row.time - row.length - before.time;
    EXPECT_NEAR(row.length.value(), 0.1, 1e-6);
    if (before.next == before.configuration)
      EXPECT_NEAR(pause.value(), 0, 1e-6);
    else
      EXPECT_GT(pause, Seconds{0.01});
    EXPECT_EQ(row.configuration, before.next);
  }
}

/// A power limit is an average over a time. What changes no gear need not wait for it, and nothing
/// waits for more than 2 s.
TEST(steering, waits_for_gears_that_take_time_to_have_their_effect) {
  for (const double settles : {1.0, 28.0}) {
    FakeSession session({.throughput = Rate{100}});
    session.program.settles = Seconds{settles};
    session.run(30);
    std::size_t waited = 0;
    for (std::size_t index = 1; index < session.rows.size(); ++index) {
      const Row& row = session.rows[index];
      const Row& before = session.rows[index - 1];
      const bool changes_gear = session.node.space[row.configuration].gear !=
                                session.node.space[before.configuration].gear;
      const double pause = (row.time - row.length - before.time).value();
      EXPECT_GE(pause, (changes_gear ? std::min(settles, 2.0) : 0) - 1e-9);
      EXPECT_LT(pause, changes_gear ? std::min(settles, 2.0) + 0.2 : 0.2);
      waited += changes_gear ? 1 : 0;
    }
    EXPECT_GT(waited, 0U);
  }
}

TEST(steering, passes_on_what_a_port_throws) {
  for (const std::string port : {"confine", "gear"}) {
    FakeSession session({.throughput = Rate{100}});
    session.program.fails = port;
    session.program.pass(1);
    EXPECT_THROW((void)session.steering.step(), Error) << port;
  }
}

TEST(steering, follows_bounds_that_are_changed) {
  FakeSession session({.throughput = Rate{100}});
  session.run(40);
  session.steering.set_bounds({.throughput = Rate{390}});
  session.run(60);
  EXPECT_EQ(session.node.space[session.steering.result().configuration],
            (steer::Configuration{.cores = 4, .gear = 0}));
  EXPECT_TRUE(std::ranges::any_of(session.rows, [](const Row& row) {
    return row.decision.find("the bounds have changed") != std::string::npos;
  }));
}

TEST(steering, counts_time_and_items_from_where_it_begins) {
  FakeSession session({.deadline = Seconds{100}, .items = 20'000});
  session.program.has_done.items = 1e6; // before
  session.run(6);
  EXPECT_LT(session.rows.front().time, Seconds{1});
  EXPECT_NEAR(session.steering.controller().account().goal.least_throughput.value().value(), 200,
              10);
}

TEST(steering, tells_in_which_phase_a_sample_was_taken) {
  FakeSession session({.throughput = Rate{100}});
  session.run(40);
  EXPECT_EQ(session.rows.back().phase, 0U);
  session.program.items_per_core *= 2;
  session.run(60);
  EXPECT_EQ(session.rows.back().phase, 1U);
}

TEST(result, is_of_all_samples_and_what_passed_between_them) {
  FakeSession session({.throughput = Rate{100}});
  session.program.pass(1); // which is not steered yet
  const double joules = session.program.joules;
  const double items = session.program.has_done.items;
  session.run(100);
  const Result result = session.steering.result();
  EXPECT_NEAR(result.time.value(), session.program.time - 1001, 1e-6);
  EXPECT_NEAR(result.items, session.program.has_done.items - items, 1e-6);
  EXPECT_NEAR(result.energy.value(), session.program.joules - joules, 1e-6);
  EXPECT_TRUE(session.steering.measures_power());
  Seconds steady{};
  Seconds calibrating{};
  for (const Row& row : session.rows)
    (row.mode == steer::Mode::steady ? steady : calibrating) += row.length;
  EXPECT_NEAR(result.steady.value(), steady.value(), 1e-6);
  EXPECT_NEAR(result.calibrating.value(), calibrating.value(), 1e-6);
  EXPECT_EQ(result.kept, result.steady);
  EXPECT_GT(result.steady, result.calibrating);
}

TEST(result, tells_for_how_long_the_bounds_were_kept) {
  FakeSession session({.throughput = Rate{1000}}); // more than there can be
  session.run(50);
  EXPECT_GT(session.steering.result().steady, Seconds{10});
  EXPECT_EQ(session.steering.result().kept, Seconds{0});
  EXPECT_FALSE(session.rows.back().keeps_bounds);
}

} // namespace
} // namespace hypermile::session
