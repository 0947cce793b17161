#include "govern/adagio.hpp"

#include "govern/nodes.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::govern {
namespace {

using test::at;
using test::node;

const model::GearTable gears = node().type.gears; // S = 1, 1.25 and 2.5

void learn(AdagioTask& task, double computation, double in_gear0, double call) {
  task.learn(Seconds{computation}, Seconds{in_gear0}, Seconds{call});
}

TEST(an_adagio_task, is_stretched_as_far_as_its_slack_reaches_but_for_a_reserve) {
  // 1.25 s and 2.5 s are 99 % of 1.263 s and of 2.525 s.
  for (const auto& [call, gear] : {std::pair{0.262, 0U}, {0.263, 1U}, {1.525, 1U}, {1.526, 2U}}) {
    AdagioTask task;
    learn(task, 1, 1, call);
    EXPECT_EQ(task.gear(gears), gear) << call;
  }
}

TEST(an_adagio_task, stays_in_gear_0_before_it_was_executed_and_where_it_is_short) {
  AdagioTask task;
  EXPECT_EQ(task.gear(gears), 0U);
  learn(task, 0.9e-3, 0.9e-3, 1);
  EXPECT_EQ(task.gear(gears), 0U);
  learn(task, 1.1e-3, 1.1e-3, 1);
  EXPECT_EQ(task.gear(gears), 2U);
}

TEST(an_adagio_task, keeps_its_gear_while_no_slack_is_missing) {
  AdagioTask task;
  learn(task, 1, 1, 0.6);
  EXPECT_EQ(task.gear(gears), 1U);
  for (int i = 0; i < 5; ++i) {
    learn(task, 1.25, 1, 0.35);
    EXPECT_EQ(task.gear(gears), 1U) << i;
  }
}

TEST(an_adagio_task, is_expected_to_be_the_worst_of_the_last_three) {
  AdagioTask task;
  learn(task, 1, 1, 0.6);
  learn(task, 1.7, 1.36, 0); // longest, and the call is short: others may have waited
  EXPECT_EQ(task.gear(gears), 0U);
  for (int i = 0; i < 2; ++i) {
    learn(task, 1, 1, 0.6); // 1.36 s * 1.25 are more than 1.6 s
    EXPECT_EQ(task.gear(gears), 0U) << i;
  }
  learn(task, 1, 1, 0.6);
  EXPECT_EQ(task.gear(gears), 1U);
}

/// Ranks that all compute for 1 s, and then for 0.3 s send each other messages: none has slack.
TEST(an_adagio_task, does_not_take_the_transfer_of_messages_for_slack_again) {
  AdagioTask task;
  learn(task, 1, 1, 0.3);
  EXPECT_EQ(task.gear(gears), 1U); // it cannot know yet
  learn(task, 1.25, 1, 0.3);       // 0.25 s late
  EXPECT_EQ(task.gear(gears), 0U);
  for (int i = 0; i < 5; ++i) {
    learn(task, 1, 1, 0.3);
    EXPECT_EQ(task.gear(gears), 0U) << i;
  }
}

/// Another rank computes for 1.5 s, and messages take 0.1 s.
TEST(an_adagio_task, finds_the_slack_beside_the_transfer) {
  AdagioTask task;
  learn(task, 0.63, 0.63, 0.97);
  EXPECT_EQ(task.gear(gears), 2U); // 1.575 s: too long by 0.075 s
  learn(task, 1.575, 0.63, 0.1);
  EXPECT_EQ(task.gear(gears), 1U);
  for (int i = 0; i < 5; ++i) {
    learn(task, 0.7875, 0.63, 0.8125);
    EXPECT_EQ(task.gear(gears), 1U) << i;
  }
}

TEST(an_adagio_task, goes_back_to_gear_0_once_nobody_lets_it_wait_any_more) {
  AdagioTask task;
  learn(task, 1, 1, 0.6);
  learn(task, 1.25, 1, 0.35);
  EXPECT_EQ(task.gear(gears), 1U);
  learn(task, 1.25, 1, 0.005); // the others have become faster
  EXPECT_EQ(task.gear(gears), 0U);
}

TEST(an_adagio_task, is_never_stretched_beyond_what_it_took_the_last_time) {
  std::mt19937 engine(1);
  const auto random = [&](double most) {
    return std::uniform_real_distribution(0.0, most)(engine);
  };
  for (int program = 0; program < 200; ++program) {
    AdagioTask task;
    for (int execution = 0; execution < 20; ++execution) {
      const double in_gear0 = random(0.1);
      const double computation = in_gear0 * gears.scale(task.gear(gears));
      const double call = random(execution % 2 == 0 ? 0.1 : 0.01);
      learn(task, computation, in_gear0, call);
      const model::Gear gear = task.gear(gears);
      EXPECT_LE(in_gear0 * (gear == 0 ? 1 : gears.scale(gear)), computation + call + 1e-12);
    }
  }
}

/// One iteration of 10 ms: computation, and a call.
double iterate(Adagio& governor, double begin, double computation) {
  governor.enter(0, at(begin + computation), true);
  governor.leave(0, at(begin + 0.01), 7);
  return begin + 0.01;
}

TEST(adagio, recognises_a_task_by_the_call_before_it) {
  Adagio governor(node());
  governor.begin(at(0));
  double now = iterate(governor, 0, 0.004); // before the first call: another task
  now = iterate(governor, now, 0.004);
  governor.enter(0, at(now + 0.005), true);
  EXPECT_EQ(governor.leave(0, at(now + 0.01), 8).gear, 0U);
}

TEST(adagio, stretches_what_it_has_seen_into_its_slack) {
  Adagio governor(node());
  governor.begin(at(0));
  iterate(governor, 0, 0.004);
  governor.enter(0, at(0.014), true);
  EXPECT_EQ(governor.leave(0, at(0.02), 7).gear, 1U); // 4 ms * 2.5 would be all of the 10 ms
}

TEST(adagio, goes_on_with_a_task_through_calls_that_return_at_once) {
  Adagio governor(node());
  governor.begin(at(0));
  iterate(governor, 0, 0.004);
  governor.enter(0, at(0.012), false);
  governor.leave(0, at(0.012), 9);
  governor.enter(0, at(0.0135), true); // 3.5 ms * 2.5 fit into the 10 ms
  EXPECT_EQ(governor.leave(0, at(0.02), 7).gear, 2U);
}

TEST(adagio, has_the_gear_of_the_rank_that_needs_the_fastest) {
  Adagio governor(node(2));
  governor.begin(at(0));
  for (std::size_t rank : {0U, 1U})
    governor.enter(rank, at(0.001), true);
  for (std::size_t rank : {0U, 1U})
    governor.leave(rank, at(0.002), 7);
  governor.enter(0, at(0.0055), true);
  governor.enter(1, at(0.0095), true);
  EXPECT_EQ(governor.leave(0, at(0.012), 7).gear, 2U); // 3.5 ms and 6.5 ms of slack
  EXPECT_EQ(governor.leave(1, at(0.012), 7).gear, 1U); // 7.5 ms and 2.5 ms of slack
}

TEST(adagio, lowers_the_gear_in_a_call_that_was_long_the_last_time) {
  Adagio governor(node());
  governor.begin(at(0));
  EXPECT_FALSE(governor.enter(0, at(0.001), true).wake); // the first time
  governor.leave(0, at(0.0045), 7);
  EXPECT_FALSE(governor.enter(0, at(0.005), true).wake);
  governor.leave(0, at(0.0075), 7);
  const Wish wish = governor.enter(0, at(0.008), true);
  EXPECT_DOUBLE_EQ(wish.wake.value_or(Seconds{}).value(), 0.009);
  EXPECT_EQ(governor.wake(at(0.009)).gear, 2U);
  EXPECT_EQ(governor.leave(0, at(0.01), 7).gear, 0U); // which computes for half a millisecond
}

} // namespace
} // namespace hypermile::govern
