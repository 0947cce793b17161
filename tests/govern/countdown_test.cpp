#include "govern/countdown.hpp"

#include "govern/governors.hpp"
#include "govern/nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile::govern {
namespace {

using test::at;
using test::node;
using test::run_randomly;

TEST(countdown, lowers_the_gear_500_us_after_a_call_began_and_not_before) {
  Countdown governor(node(), slowest_gear);
  EXPECT_FALSE(governor.begin(at(0)).gear);
  const Wish entered = governor.enter(0, at(1), true);
  EXPECT_FALSE(entered.gear);
  ASSERT_TRUE(entered.wake);
  EXPECT_DOUBLE_EQ(entered.wake->value(), 1.0005);
  EXPECT_EQ(governor.wake(at(1.0005)).gear, 2U);
}

TEST(countdown, gives_the_chosen_gear_back_when_the_call_ends) {
  Countdown governor(node(), slowest_gear);
  governor.enter(0, at(1), true);
  governor.wake(at(1.0005));
  const Wish left = governor.leave(0, at(2), 7);
  EXPECT_FALSE(left.gear);
  EXPECT_FALSE(left.wake);
}

TEST(countdown, counts_from_the_rank_that_comes_last) {
  Countdown governor(node(2), slowest_gear);
  EXPECT_FALSE(governor.enter(0, at(1), true).wake);
  EXPECT_DOUBLE_EQ(governor.enter(1, at(1.2), true).wake.value_or(Seconds{}).value(), 1.2005);
  EXPECT_FALSE(governor.leave(0, at(1.3), 7).wake);
  EXPECT_DOUBLE_EQ(governor.enter(0, at(1.4), true).wake.value_or(Seconds{}).value(), 1.4005);
}

TEST(countdown, lowers_no_gear_while_any_rank_of_the_node_computes) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const std::size_t ranks = 1 + seed % 4;
    for (const char* const name : {"countdown", "exact+wait"}) {
      const auto governor = governor_named(name)->make(node(ranks));
      std::size_t lowered = 0;
      run_randomly(*governor, ranks, seed, [&](double, const Wish& wish, const auto& waiting) {
        const bool all_wait = std::ranges::find(waiting, false) == waiting.end();
        EXPECT_TRUE(all_wait || (!wish.gear && !wish.wake)) << name << ' ' << seed;
        lowered += wish.gear ? 1 : 0;
      });
      EXPECT_GT(lowered, 0U) << name << ' ' << seed;
    }
  }
}

TEST(a_cheaper_waiting_gear, saves_more_in_another_500_us_than_the_change_costs) {
  // (4 - 2.5) W * 500 us = 0.75 mJ from gear 0; (3.5 - 2.5) W * 500 us = 0.5 mJ from gear 1.
  const auto type = node().type;
  EXPECT_EQ(cheaper_waiting_gear(type, 0, Joules{0.74e-3}), 2U);
  EXPECT_FALSE(cheaper_waiting_gear(type, 0, Joules{0.76e-3}));
  EXPECT_EQ(cheaper_waiting_gear(type, 1, Joules{0.49e-3}), 2U);
  EXPECT_FALSE(cheaper_waiting_gear(type, 1, Joules{0.51e-3}));
  EXPECT_FALSE(cheaper_waiting_gear(type, 2, Joules{}));
}

TEST(a_cheaper_waiting_gear, is_none_where_waiting_draws_the_same_in_all_gears) {
  auto type = node().type;
  for (auto& power : type.power)
    power.waiting = Watts{4};
  EXPECT_FALSE(cheaper_waiting_gear(type, 0, Joules{}));
}

TEST(exact_and_wait, starts_no_timer_that_would_change_nothing) {
  const auto governor = governor_named("exact+wait")->make(node());
  EXPECT_TRUE(governor->enter(0, at(1, 0), true).wake);
  governor->leave(0, at(1.1, 0), 7);
  EXPECT_FALSE(governor->enter(0, at(1.2, 2), true).wake); // in the slowest gear already
}

} // namespace
} // namespace hypermile::govern
