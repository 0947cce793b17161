#include "govern/ondemand.hpp"

#include "govern/nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace hypermile::govern {
namespace {

using test::at;
using test::node;
using test::run_randomly;

TEST(gear_for_load, is_the_slowest_whose_frequency_carries_the_load) {
  const auto gears = node().type.gears; // 1, 0.8 and 0.4 of the highest frequency
  const std::vector<std::pair<double, model::Gear>> expected{{1, 0},    {0.81, 0}, {0.8, 1},
                                                             {0.41, 1}, {0.4, 2},  {0, 2}};
  for (const auto& [load, gear] : expected)
    EXPECT_EQ(gear_for_load(load, gears), gear) << load;
}

TEST(gear_for_load, is_gear_0_above_the_threshold_even_if_a_slower_one_would_do) {
  const model::GearTable gears{{Hertz{2.5e9}, Hertz{2.4e9}, Hertz{1e9}}}; // 1, 0.96, 0.4
  EXPECT_EQ(gear_for_load(0.9, gears), 0U);
  EXPECT_EQ(gear_for_load(0.8, gears), 1U);
}

TEST(ondemand, stays_in_gear_0_at_full_load_and_need_not_look_again) {
  Ondemand governor(node());
  EXPECT_DOUBLE_EQ(governor.begin(at(0)).wake.value_or(Seconds{}).value(), 0.01);
  const Wish wish = governor.wake(at(0.01));
  EXPECT_EQ(wish.gear, 0U);
  EXPECT_FALSE(wish.wake);
}

TEST(ondemand, takes_the_share_of_the_period_in_which_a_rank_computed) {
  Ondemand governor(node());
  governor.begin(at(0));
  governor.enter(0, at(0.004), true);
  EXPECT_EQ(governor.wake(at(0.01)).gear, 2U); // load 0.4
  governor.leave(0, at(0.015), 7);
  EXPECT_EQ(governor.wake(at(0.02)).gear, 1U); // load 0.5
}

TEST(ondemand, looks_at_the_busiest_rank) {
  Ondemand governor(node(2));
  governor.begin(at(0));
  governor.enter(0, at(0.001), true);
  governor.enter(1, at(0.007), true);
  EXPECT_EQ(governor.wake(at(0.01)).gear, 1U); // 0.7, and not 0.1, 0.4 or 0.8
}

TEST(ondemand, takes_waiting_for_load_where_a_node_draws_as_much_for_it) {
  govern::Node spinning = node();
  for (auto& power : spinning.type.power)
    power.waiting = power.computing;
  Ondemand governor(spinning);
  governor.begin(at(0));
  governor.enter(0, at(0.001), true);
  EXPECT_EQ(governor.wake(at(0.01)).gear, 0U);
}

TEST(ondemand, sleeps_through_a_long_wait_and_goes_on_in_step) {
  Ondemand governor(node());
  governor.begin(at(0));
  governor.enter(0, at(0.004), true);
  EXPECT_TRUE(governor.wake(at(0.01)).wake);
  const Wish asleep = governor.wake(at(0.02));
  EXPECT_EQ(asleep.gear, 2U);
  EXPECT_FALSE(asleep.wake);
  const Wish awake = governor.leave(0, at(0.047), 7);
  EXPECT_EQ(awake.gear, 2U);
  EXPECT_NEAR(awake.wake.value_or(Seconds{}).value(), 0.05, 1e-12);
  EXPECT_EQ(governor.wake(at(0.05)).gear, 2U); // 0.3
}

/// Loads of all periods, from the whole history.
TEST(ondemand, sets_what_a_sampler_that_never_sleeps_would_set) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const std::size_t ranks = 1 + seed % 3;
    Ondemand governor(node(ranks));
    std::vector<std::vector<std::pair<double, bool>>> computes(ranks); // from when on
    std::vector<std::pair<double, model::Gear>> gears;                 // likewise
    double end = 0;
    run_randomly(governor, ranks, seed, [&](double now, const Wish& wish, const auto& waiting) {
      for (std::size_t r = 0; r < ranks; ++r)
        if (computes[r].empty() || computes[r].back().second == waiting[r])
          computes[r].emplace_back(now, !waiting[r]);
      gears.emplace_back(now, wish.gear.value_or(99));
      end = now;
    });
    std::size_t set = 0;
    for (double begin = 0; begin + 0.011 < end; begin += 0.01) {
      double load = 0;
      for (const auto& of_rank : computes) {
        double busy = 0;
        for (std::size_t i = 0; i < of_rank.size(); ++i) {
          const double until = i + 1 < of_rank.size() ? of_rank[i + 1].first : end;
          if (of_rank[i].second)
            busy +=
                std::max(0.0, std::min(until, begin + 0.01) - std::max(of_rank[i].first, begin));
        }
        load = std::max(load, busy / 0.01);
      }
      if (std::abs(load - 0.8) < 1e-6 || std::abs(load - 0.4) < 1e-6)
        continue; // either gear is right
      while (set + 1 < gears.size() && gears[set + 1].first <= begin + 0.01 + 1e-9)
        ++set;
      ASSERT_EQ(gears[set].second, gear_for_load(load, node().type.gears))
          << "seed " << seed << ", " << begin << " s";
    }
  }
}

} // namespace
} // namespace hypermile::govern
