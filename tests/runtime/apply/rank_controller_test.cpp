#include "runtime/apply/program.hpp"
#include "runtime/decide/helper_thread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <utility>

namespace hypermile::runtime {
namespace {

using Gears = std::vector<std::size_t>;

TEST(controller, sets_the_gears_of_all_nodes_once_the_loop_has_been_measured) {
  Program program(uneven, unbounded);
  program.iterate(1);
  EXPECT_EQ(program.gears(), (Gears{0, 0, 0})); // nothing has repeated yet
  program.iterate(5);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  program.iterate(10);
  const RunReport run = program.finish();
  ASSERT_GE(run.decisions.size(), 1u);
  EXPECT_EQ(run.decisions[0].gears, (Gears{1, 0, 1}));
  EXPECT_EQ(run.decisions[0].nodes, (std::vector<std::string>{"node-0", "node-1", "node-2"}));
  EXPECT_DOUBLE_EQ(run.decisions[0].prediction.p_norm, 1);
}

TEST(controller, reports_what_became_of_each_rank) {
  Program program(uneven, unbounded);
  program.iterate(16);
  const RunReport run = program.finish();
  ASSERT_EQ(run.ranks.size(), 3u);
  for (std::size_t r = 0; r < 3; ++r) {
    const RankReport& rank = run.ranks[r];
    EXPECT_EQ(rank.rank, static_cast<int>(r));
    EXPECT_EQ(rank.gear, r == 1 ? 0u : 1u);
    EXPECT_EQ(rank.loop.found, LoopReport::Found::pattern);
    EXPECT_EQ(rank.loop.iterations, 16u);
    EXPECT_EQ(rank.calls, 16u);
    EXPECT_DOUBLE_EQ(rank.time.value(), 16 * 2.25); // since the controller began, not since 0
    EXPECT_DOUBLE_EQ(rank.energy->value(), 5 * 16 * 2.25);
    EXPECT_EQ(rank.failure, "");
    ASSERT_GE(rank.changes.size(), 1u);
    const GearChange& change = rank.changes[0];
    EXPECT_EQ(change.gear, rank.gear);
    EXPECT_DOUBLE_EQ(change.time.value(), 2.25 * static_cast<double>(change.iteration));
    EXPECT_DOUBLE_EQ(change.energy->value(), 5 * change.time.value());
  }
  EXPECT_NEAR(run.ranks[1].computation.value(), 16 * 2, 1e-9);
  EXPECT_NEAR(run.ranks[1].communication.value(), 16 * 0.25, 1e-9);
}

TEST(controller, lets_one_rank_of_a_node_set_its_gear_for_all) {
  Program program({{0, 1}, {1, 2}, {0, 1}, {1, 2}, {0, 1}}, unbounded);
  program.iterate(8);
  EXPECT_EQ(program.gears(), (Gears{1, 0}));
  EXPECT_EQ(program.machines[0].times_set, 1);
  EXPECT_EQ(program.machines[1].times_set, 0); // it was in its gear already
  program.finish();
}

TEST(controller, chooses_the_same_with_messages_that_travel_by_a_tree) {
  std::vector<RankSetup> setups;
  for (std::size_t rank = 0; rank < 60; ++rank)
    setups.push_back({.node = rank / 4, .computation = rank / 4 == 7 ? 2 : 0.5});
  Gears expected(15, 1);
  expected[7] = 0;
  for (const auto messages : {Program::Messages::to_all, Program::Messages::by_tree}) {
    Program program(setups, unbounded, messages);
    program.iterate(8); // messages pass through four ranks on their way
    EXPECT_EQ(program.gears(), expected);
    program.iterate(40);
    const RunReport run = program.finish();
    EXPECT_GE(run.decisions.size(), 4U);
    ASSERT_EQ(run.ranks.size(), 60U);
    for (int rank = 0; rank < 60; ++rank) {
      const RankReport& report = run.ranks[static_cast<std::size_t>(rank)];
      EXPECT_EQ(report.rank, rank);
      EXPECT_EQ(report.failure, "");
      EXPECT_GE(report.changes.size(), 3U);
    }
  }
}

TEST(controller, refuses_what_is_said_in_another_ranks_name) {
  for (const int rank : {0, 2, 17}) {
    Program program(uneven, unbounded);
    program.send_from_1(Measurement{.rank = rank, .node = test::node("node-1")});
    program.iterate(30);
    EXPECT_EQ(program.gears(), (Gears{0, 0, 0}));
    const RunReport run = program.finish();
    EXPECT_NE(run.ranks[0].failure.find("rank 1"), std::string::npos) << run.ranks[0].failure;
  }
}

TEST(controller, lets_the_program_go_on_while_gears_are_chosen_in_the_background) {
  FakeBackground background;
  Program program(uneven, unbounded, Program::Messages::to_all, &background);
  program.iterate(30);
  EXPECT_EQ(background.started, 1);
  EXPECT_EQ(program.gears(), (Gears{0, 0, 0}));
  background.wait();
  program.iterate(2);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  program.iterate(30);
  EXPECT_EQ(background.started, 2); // and so on
  background.wait();
  program.iterate(2);
  const RunReport run = program.finish();
  EXPECT_EQ(run.decisions.size(), 2U);
  EXPECT_EQ(run.ranks[2].changes.size(), 2U);
}

TEST(controller, keeps_a_choice_that_is_done_when_the_program_has_ended) {
  FakeBackground background;
  Program program(uneven, unbounded, Program::Messages::to_all, &background);
  program.iterate(30);
  const RunReport run = program.finish();
  EXPECT_EQ(run.decisions.size(), 1U);
  EXPECT_TRUE(run.ranks[0].changes.empty());
}

TEST(controller, outlives_a_choice_when_the_program_ends_without_finalizing) {
  FakeBackground background;
  {
    Program program(uneven, unbounded, Program::Messages::to_all, &background);
    program.iterate(30);
    ASSERT_TRUE(background.task);
  }
  EXPECT_FALSE(background.task);
}

TEST(controller, chooses_the_same_in_a_thread_of_its_own) {
  HelperThread helper;
  Program program(uneven, unbounded, Program::Messages::to_all, &helper);
  for (int i = 0; i < 1'000'000 && program.gears() != Gears{1, 0, 1}; ++i) {
    program.iterate(1);
    std::this_thread::yield();
  }
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  program.iterate(100);
  const RunReport run = program.finish();
  ASSERT_GE(run.decisions.size(), 1U);
  EXPECT_EQ(run.decisions[0].gears, (Gears{1, 0, 1}));
}

const TimeModel adaptive{.repetition = {.every = {}, .adaptive = true}};

TEST(controller, chooses_again_soon_after_a_rank_got_more_to_do_where_that_is_asked_for) {
  for (const auto messages : {Program::Messages::to_all, Program::Messages::by_tree}) {
    Program program(uneven, unbounded, messages, nullptr, adaptive);
    Program plain(uneven, unbounded, messages);
    for (Program* each : {&program, &plain}) {
      each->iterate(500);
      EXPECT_EQ(each->gears(), (Gears{1, 0, 1}));
      each->ranks[0]->setup.computation = 2;
      each->iterate(100);
    }
    EXPECT_EQ(program.gears(), (Gears{0, 0, 1}));
    EXPECT_EQ(plain.gears(), (Gears{1, 0, 1}));
    program.ranks[0]->setup.computation = 1;
    program.iterate(200);
    EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
    const RunReport run = program.finish();
    for (const RankReport& rank : run.ranks)
      EXPECT_EQ(rank.failure, "");
  }
}

TEST(controller, chooses_seldom_for_a_rank_that_goes_back_and_forth) {
  Program program(uneven, unbounded, Program::Messages::to_all, nullptr, adaptive);
  Program plain(uneven, unbounded);
  for (Program* each : {&program, &plain})
    for (int i = 0; i < 200; ++i) {
      each->ranks[0]->setup.computation = i % 2 == 0 ? 1 : 2;
      each->iterate(50);
    }
  const std::size_t choices = program.finish().decisions.size();
  const std::size_t anyway = plain.finish().decisions.size();
  EXPECT_LE(choices, anyway + 20); // of 200 changes
  EXPECT_LE(program.machines[0].times_set, 30);
}

TEST(controller, takes_a_drift_into_account_that_it_hears_of_while_gears_are_chosen) {
  FakeBackground background;
  Program program(uneven, unbounded, Program::Messages::to_all, &background, adaptive);
  while (background.started < 10) { // the next one is far away
    background.wait();
    for (int i = 0; i < 1000 && !background.task; ++i)
      program.iterate(1);
  }
  ASSERT_TRUE(background.task);
  const int before = background.started;
  program.send_from_1(Drifted{.rank = 1, .orders = 9});
  program.iterate(2);
  background.wait();
  program.iterate(16);
  EXPECT_EQ(background.started, before + 1); // twelve iterations later
}

TEST(controller, does_not_choose_again_for_noise) {
  Program program(uneven, unbounded, Program::Messages::to_all, nullptr, adaptive);
  Program plain(uneven, unbounded);
  for (Program* each : {&program, &plain}) {
    std::mt19937 engine(1);
    std::normal_distribution<double> noise(1, 0.05);
    for (int i = 0; i < 3000; ++i) {
      for (auto& rank : each->ranks)
        rank->setup.computation =
            noise(engine) *
            uneven[static_cast<std::size_t>(&rank - each->ranks.data())].computation;
      each->iterate(1);
    }
  }
  EXPECT_EQ(program.finish().decisions.size(), plain.finish().decisions.size());
}

TEST(controller, never_waits_for_who_is_told_to_measure_again) {
  Program program(uneven, unbounded, Program::Messages::to_all, nullptr, adaptive);
  program.iterate(500);
  program.network.hold();
  program.ranks[2]->setup.computation = 2; // its node gets gear 0
  program.iterate(300);                    // the network throws if any of them waits
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  for (int exchange = 0; exchange < 4; ++exchange) { // drift, request, measurements, orders
    program.network.release();
    program.network.hold();
    program.iterate(40);
  }
  program.network.release();
  program.iterate(40);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 0}));
  program.finish();
}

TEST(controller, chooses_again_every_so_many_iterations_where_that_is_asked_for) {
  Program program(uneven, unbounded, Program::Messages::to_all, nullptr,
                  {.repetition = {.every = 50, .adaptive = false}});
  program.iterate(2000);
  const RunReport run = program.finish();
  EXPECT_NEAR(static_cast<double>(run.decisions.size()), 2000 / 50, 2); // more than 32
}

TEST(controller, still_chooses_where_many_short_loops_came_before) {
  Program program(uneven, unbounded);
  for (auto& rank : program.ranks) // node 1 has slack, and nobody else
    rank->setup.computation = rank->setup.node == 1 ? 0.01 : 0.1;
  for (int loop = 0; loop < 40; ++loop) {
    for (auto& rank : program.ranks)
      rank->site = 100 + static_cast<std::uint64_t>(loop);
    program.iterate(12);
  }
  EXPECT_EQ(program.gears(), (Gears{0, 1, 0}));
  for (auto& rank : program.ranks) {
    rank->site = 1;
    rank->setup.computation =
        uneven[static_cast<std::size_t>(&rank - program.ranks.data())].computation;
  }
  program.iterate(300);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  program.finish();
}

TEST(controller, works_for_a_single_rank) {
  Program program({{0, 1}}, unbounded);
  program.iterate(10);
  const RunReport run = program.finish();
  EXPECT_EQ(run.ranks.size(), 1u);
  EXPECT_GE(run.decisions.size(), 1u);
}

TEST(controller, goes_on_unscaled_while_messages_are_under_way_and_takes_them_when_they_come) {
  Program program(uneven, unbounded);
  program.network.hold();
  program.iterate(100); // the network throws if any of them waits
  EXPECT_EQ(program.gears(), (Gears{0, 0, 0}));
  program.network.release(); // the measurements
  program.iterate(2);        // rank 0 chooses, the others hear of it an iteration later
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  program.finish();
}

TEST(controller, looks_seldom_for_an_order_that_does_not_come_where_a_look_takes_long) {
  Program program({{0, 1}, {1, 2}, {2, 0.5, false}}, unbounded); // rank 2 never measures its loop
  constexpr Seconds look{0.05}; // as in a machine with too many ranks
  program.network.when_nothing_came([&](std::size_t r) { program.ranks[r]->clock.time += look; });
  program.iterate(200);
  const RunReport run = program.finish();
  for (const RankReport& rank : run.ranks)
    EXPECT_LE(rank.overhead.value(), (rank.time * 0.01 + Seconds{0.02} + look).value())
        << rank.rank;
  EXPECT_GE(run.ranks[0].overhead.value(), (look * 3).value()); // it does look
}

TEST(controller, takes_an_order_that_comes_after_many_long_looks_in_vain) {
  Program program(uneven, unbounded);
  program.network.hold();
  program.network.when_nothing_came(
      [&](std::size_t r) { program.ranks[r]->clock.time += Seconds{0.05}; });
  program.iterate(50);
  program.network.release();
  program.iterate(20);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  program.finish();
}

TEST(controller, sends_nothing_but_measurements_and_orders) {
  Program program(uneven, unbounded);
  program.iterate(1000);
  // 1 and 2 measure, 0 answers both; again after 1.5, 1.5^2, ... 1.5^15 times as many iterations.
  EXPECT_LE(program.network.sent(), 4u * 16);
  program.finish();
}

TEST(controller, chooses_again_when_the_loop_has_been_repeated_half_as_often_again) {
  Program program(uneven, unbounded);
  program.iterate(40);
  const RunReport run = program.finish();
  EXPECT_EQ(run.decisions.size(), 6u); // about 3, 5, 8, 13, 20 and 31 iterations
  EXPECT_EQ(run.decisions[1].gears, (Gears{1, 0, 1}));
  EXPECT_EQ(run.ranks[0].changes.size(), 6u);
  EXPECT_EQ(program.machines[0].times_set, 1); // the gear is what it was
}

TEST(controller, chooses_from_events_although_a_rank_finds_no_loop) {
  std::vector<RankSetup> setups = uneven;
  setups[2].repeats = false;
  Program program(setups, unbounded, Program::Messages::to_all, nullptr,
                  {.functions = {"Allreduce"}});
  program.iterate(30);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  const RunReport run = program.finish();
  EXPECT_EQ(run.ranks[2].loop.found, LoopReport::Found::nothing); // and it does not claim one
  EXPECT_EQ(run.decisions.back().time_model, TimeModelKind::dependency);
}

TEST(controller, leaves_all_unscaled_and_names_the_rank_that_finds_no_loop) {
  Program program({{0, 1}, {1, 2}, {2, 0.5, false}}, unbounded);
  program.iterate(100);
  EXPECT_EQ(program.gears(), (Gears{0, 0, 0}));
  const RunReport run = program.finish();
  EXPECT_TRUE(run.decisions.empty());
  EXPECT_EQ(run.without_loop, std::vector<int>{2});
  EXPECT_EQ(run.ranks[2].loop.found, LoopReport::Found::nothing);
  EXPECT_EQ(run.ranks[0].loop.found, LoopReport::Found::pattern);
}

TEST(controller, names_no_rank_where_every_rank_has_its_gear) {
  Program program(uneven, unbounded);
  program.iterate(3);
  const RunReport run = program.finish();
  EXPECT_EQ(run.decisions.size(), 1u);
  EXPECT_TRUE(run.without_loop.empty());
}

TEST(controller, only_measures_without_a_request) {
  Program program(uneven, std::nullopt);
  program.iterate(50);
  EXPECT_EQ(program.network.sent(), 0u);
  EXPECT_EQ(program.gears(), (Gears{0, 0, 0}));
  const RunReport run = program.finish();
  EXPECT_TRUE(run.decisions.empty());
  EXPECT_EQ(run.ranks[2].loop.iterations, 50u);
  EXPECT_TRUE(run.ranks[2].changes.empty());
}

TEST(controller, keeps_the_gear_that_it_begins_in_and_measures_the_loop) {
  Program program(uneven, std::nullopt);
  program.ranks[0]->controller.begin_in(1);
  program.iterate(50);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 0}));
  EXPECT_EQ(program.network.sent(), 0u);
  const RunReport run = program.finish();
  EXPECT_EQ(run.ranks[0].gear, 1u);
  EXPECT_EQ(run.ranks[0].loop.iterations, 50u);
  EXPECT_TRUE(run.decisions.empty());
}

TEST(controller, sets_the_gear_that_it_begins_in_once_per_node) {
  Program program({{0, 1}, {0, 2}}, std::nullopt);
  for (auto& rank : program.ranks)
    rank->controller.begin_in(1);
  EXPECT_EQ(program.machines[0].times_set, 1);
}

TEST(controller, refuses_to_begin_in_a_gear_that_the_node_does_not_have) {
  Program program(uneven, std::nullopt);
  EXPECT_THROW(program.ranks[0]->controller.begin_in(1000), Error);
  EXPECT_EQ(program.machines[0].times_set, 0);
}

TEST(controller, reports_that_the_node_does_not_take_the_gear_it_is_to_begin_in) {
  Program program(uneven, std::nullopt);
  program.machines[2].refuses = true;
  program.ranks[2]->controller.begin_in(1);
  program.iterate(20);
  const RunReport run = program.finish();
  EXPECT_NE(run.ranks[2].failure.find("cannot set the frequency of cpu 3"), std::string::npos);
  EXPECT_EQ(run.ranks[2].gear, 0u);
}

TEST(controller, lets_the_program_run_on_and_says_why_when_a_gear_cannot_be_set) {
  Program program(uneven, unbounded);
  program.machines[2].refuses = true;
  program.iterate(20);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 0}));
  const RunReport run = program.finish();
  EXPECT_NE(run.ranks[2].failure.find("cannot set the frequency of cpu 3"), std::string::npos)
      << run.ranks[2].failure;
  EXPECT_EQ(run.ranks[0].failure, "");
  EXPECT_EQ(run.ranks[2].gear, 0u);
  ASSERT_GE(run.ranks[2].changes.size(), 1u);
  EXPECT_EQ(run.ranks[2].changes[0].gear, 0u); // what it is in, not what was ordered
  EXPECT_FALSE(run.ranks[2].changes[0].in_effect);
  EXPECT_TRUE(run.ranks[0].changes[0].in_effect);
}

TEST(controller, goes_on_to_choose_where_a_gear_cannot_be_set) {
  Program program(uneven, unbounded);
  for (Machine& machine : program.machines)
    machine.refuses = true;
  program.iterate(40);
  const RunReport run = program.finish();
  EXPECT_EQ(run.decisions.size(), 6U); // as where it can
  for (const Decision& decision : run.decisions) {
    EXPECT_EQ(decision.gears, (Gears{1, 0, 1}));
    EXPECT_EQ(decision.declined, "");
  }
  EXPECT_FALSE(run.ranks[0].changes.back().in_effect);
  EXPECT_TRUE(run.ranks[1].changes.back().in_effect); // gear 0
}

TEST(controller, does_without_a_meter) {
  Program program(uneven, unbounded);
  for (auto& rank : program.ranks)
    rank->meter.works = false;
  program.iterate(20);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  const RunReport run = program.finish();
  EXPECT_FALSE(run.ranks[0].energy);
  EXPECT_FALSE(run.ranks[0].changes[0].energy);
}

TEST(controller, absorbs_measurements_that_come_too_late) {
  Program program(uneven, unbounded);
  program.network.hold();
  program.iterate(50);
  program.network.release();
  const RunReport run = program.finish();
  EXPECT_EQ(run.ranks.size(), 3u);
  EXPECT_TRUE(run.decisions.empty());
  EXPECT_TRUE(run.ranks[1].changes.empty());
  EXPECT_TRUE(run.without_loop.empty()); // each has found one
}

TEST(controller, absorbs_orders_that_come_too_late) {
  Program program(uneven, unbounded);
  program.iterate(2); // 1 and 2 have reported
  program.network.hold();
  program.iterate(1); // 0 has chosen
  program.network.release();
  const RunReport run = program.finish();
  EXPECT_EQ(run.decisions.size(), 1u);
  EXPECT_EQ(run.ranks[0].changes.size(), 1u);
  EXPECT_TRUE(run.ranks[1].changes.empty());
  EXPECT_EQ(program.gears(), (Gears{1, 0, 0}));
}

TEST(controller, remembers_ranks_that_end_while_rank_0_still_looks_for_messages) {
  Program program({{0, 1}, {1, 2}, {2, 0.5, false}}, unbounded);
  program.iterate(4); // rank 0 waits for rank 2's loop, which never comes
  program.network.let_wait();
  std::vector<std::thread> others;
  for (const std::size_t r : {1u, 2u})
    others.emplace_back([&, r] { program.ranks[r]->controller.finish([](RankReport&) {}); });
  while (program.network.sent() < 3) // rank 1's measurement, and that both have arrived
    std::this_thread::yield();
  for (int i = 0; i < 8; ++i)
    program.ranks[0]->iterate(Seconds{1.25});
  std::optional<RunReport> run;
  EXPECT_NO_THROW(run = program.ranks[0]->controller.finish([](RankReport&) {}));
  for (auto& thread : others)
    thread.join();
  ASSERT_TRUE(run);
  EXPECT_EQ(run->ranks.size(), 3u);
}

TEST(controller, lets_the_report_be_amended_before_it_is_sent) {
  Program program({{0, 1}, {1, 1}}, unbounded);
  program.iterate(3);
  program.network.let_wait();
  std::thread other([&] {
    program.ranks[1]->controller.finish([](RankReport& report) { report.divergences = 17; });
  });
  const auto run =
      program.ranks[0]->controller.finish([](RankReport& report) { report.divergences = 4; });
  other.join();
  ASSERT_TRUE(run);
  EXPECT_EQ(run->ranks[0].divergences, 4u);
  EXPECT_EQ(run->ranks[1].divergences, 17u);
}

TEST(controller, measures_a_new_phase_that_began_while_it_waited_for_an_order) {
  Program program({{0, 1}, {1, 2}}, unbounded);
  program.network.hold();
  program.iterate(4); // both wait, rank 0 is to get gear 1
  for (auto& rank : program.ranks) {
    rank->setup.computation = 1; // now there is no slack
    rank->site = 7;
  }
  program.iterate(20); // the new loop takes over
  program.network.release();
  program.iterate(5);
  EXPECT_EQ(program.gears(), (Gears{0, 0}));
  EXPECT_EQ(program.finish().decisions.back().gears, (Gears{0, 0}));
}

} // namespace
} // namespace hypermile::runtime
