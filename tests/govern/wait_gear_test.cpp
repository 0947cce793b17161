#include "govern/wait_gear.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace hypermile::govern {
namespace {

constexpr WaitLimits limits{
    .patience = Seconds{500e-6}, .shortest = Seconds{300e-6}, .margin = Seconds{150e-6}};

NodeWait wait(double since, std::optional<double> until = {}) {
  return {.since = Seconds{since}, .until = until ? std::optional(Seconds{*until}) : std::nullopt};
}

WaitWish wish(const std::optional<NodeWait>& wait, double now, bool low = false) {
  return wait_wish(wait, Seconds{now}, low, limits);
}

TEST(the_wait_gear, is_not_for_nodes_with_a_rank_that_computes) {
  for (const bool low : {false, true}) {
    EXPECT_FALSE(wish({}, 1, low).low);
    EXPECT_FALSE(wish({}, 1, low).wake);
  }
}

TEST(the_wait_gear, comes_after_the_patience_where_no_end_is_expected) {
  EXPECT_FALSE(wish(wait(1), 1.0004).low);
  EXPECT_DOUBLE_EQ(wish(wait(1), 1.0004).wake.value_or(Seconds{}).value(), 1.0005);
  EXPECT_TRUE(wish(wait(1), 1.00051).low);
  EXPECT_FALSE(wish(wait(1), 1.00051).wake);
}

TEST(the_wait_gear, comes_at_once_where_a_long_wait_is_expected_and_goes_before_its_end) {
  const auto at_once = wish(wait(1, 1.01), 1);
  EXPECT_TRUE(at_once.low);
  EXPECT_DOUBLE_EQ(at_once.wake.value_or(Seconds{}).value(), 1.01 - 150e-6);
  EXPECT_FALSE(wish(wait(1, 1.01), 1.0099, true).low);
}

TEST(the_wait_gear, does_not_come_for_a_stay_that_is_not_worth_it) {
  // 1.0004 - 1 - margin = 250 us: less than 300 us.
  EXPECT_FALSE(wish(wait(1, 1.0004), 1).low);
  EXPECT_TRUE(wish(wait(1, 1.0004), 1, true).low); // but it stays where it is there
}

TEST(the_wait_gear, comes_again_where_a_wait_goes_on_beyond_its_expected_end) {
  EXPECT_FALSE(wish(wait(1, 1.01), 1.0101).low);
  EXPECT_DOUBLE_EQ(wish(wait(1, 1.01), 1.0101).wake.value_or(Seconds{}).value(), 1.0105);
  EXPECT_TRUE(wish(wait(1, 1.01), 1.01051).low);
}

/// A node of two ranks that each wait once, on a grid of times, under somebody who changes its gear
/// as wait_wish() says: each change takes `change`.
class Played {
public:
  struct Rank {
    double enters;
    double leaves;
    std::optional<double> expected;
  };
  static constexpr double change = 40e-6;

  explicit Played(std::vector<Rank> ranks) : ranks_(std::move(ranks)) {
    for (double now = 0; now < std::numeric_limits<double>::infinity();)
      now = step(now);
  }
  [[nodiscard]] double slowest() const { return slowest_; } ///< longest that a rank computed so
  [[nodiscard]] bool is_low() const { return low_; }
  [[nodiscard]] double low_time() const { return low_time_; }

private:
  static bool waits(const Rank& rank, double now) {
    return rank.enters <= now && now < rank.leaves;
  }
  [[nodiscard]] std::optional<NodeWait> all_wait(double now) const {
    NodeWait all{.since = Seconds{}, .until = Seconds{std::numeric_limits<double>::infinity()}};
    for (const Rank& rank : ranks_) {
      if (!waits(rank, now))
        return std::nullopt;
      all.since = std::max(all.since, Seconds{rank.enters});
      if (!rank.expected)
        all.until.reset();
      else if (all.until)
        all.until = std::min(*all.until, Seconds{*rank.expected});
    }
    return all;
  }
  /// Returns when something happens next.
  double step(double now) {
    const WaitWish wanted = wait_wish(all_wait(now), Seconds{now}, low_, limits);
    double next = std::numeric_limits<double>::infinity();
    for (const Rank& rank : ranks_)
      for (const double time : {rank.enters, rank.leaves})
        if (time > now)
          next = std::min(next, time);
    if (wanted.low != low_) {
      note(now, now + change);
      low_ = wanted.low;
      return now + change; // what happens meanwhile is looked at then
    }
    if (wanted.wake)
      next = std::min(next, wanted.wake->value());
    if (next < std::numeric_limits<double>::infinity())
      note(now, next);
    return next;
  }
  void note(double from, double to) {
    if (!low_)
      return;
    low_time_ += to - from;
    for (const Rank& rank : ranks_)
      if (to > rank.leaves)
        slowest_ = std::max(slowest_, to - std::max(from, rank.leaves));
  }

  std::vector<Rank> ranks_;
  bool low_ = false;
  double slowest_ = 0;
  double low_time_ = 0;
};

/// Every order and distance of two ranks' waits on a grid, with every kind of expectation.
template <class Check> void in_all_interleavings(const Check& check) {
  constexpr int steps = 9;
  constexpr double grid = 260e-6;
  const auto expected = [](int kind, double leaves) -> std::optional<double> {
    switch (kind) {
    case 0:
      return std::nullopt;
    case 1:
      return leaves;
    case 2:
      return leaves - 2 * grid;
    default:
      return leaves + 2 * grid;
    }
  };
  const auto each_rank = [&](const auto& with) {
    for (int enters = 0; enters < steps; ++enters)
      for (int leaves = enters + 1; leaves <= steps; ++leaves)
        for (int kind = 0; kind < 4; ++kind)
          with(Played::Rank{enters * grid, leaves * grid, expected(kind, leaves * grid)}, kind);
  };
  each_rank([&](const Played::Rank& a, int of_a) {
    each_rank([&](const Played::Rank& b, int of_b) { check(Played({a, b}), a, b, of_a, of_b); });
  });
}

TEST(the_wait_gear, is_left_within_two_changes_in_all_interleavings_and_at_the_end) {
  double longest = 0;
  in_all_interleavings([&](const Played& played, const auto&, const auto&, int, int) {
    ASSERT_LE(played.slowest(), 2 * Played::change + 1e-9);
    ASSERT_FALSE(played.is_low());
    longest = std::max(longest, played.low_time());
  });
  EXPECT_GT(longest, 1e-3);
}

TEST(the_wait_gear, slows_nobody_down_where_the_first_end_is_expected_rightly) {
  in_all_interleavings(
      [&](const Played& played, const Played::Rank& a, const Played::Rank& b, int of_a, int of_b) {
        if (of_a == 0 || of_b == 0)
          return;
        const double first = std::min(a.leaves, b.leaves);
        const bool right = std::abs(std::min(*a.expected, *b.expected) - first) < 1e-9;
        ASSERT_TRUE(!right || played.slowest() == 0);
      });
}

TEST(limits_of_the_wait_gear, grow_with_the_time_that_a_change_takes) {
  const WaitLimits fast = limits_for(Seconds{20e-6}, Seconds{});
  EXPECT_DOUBLE_EQ(fast.patience.value(), 500e-6);
  EXPECT_GT(fast.margin, Seconds{20e-6});
  const WaitLimits slow = limits_for(Seconds{10e-3}, Seconds{1e-3});
  EXPECT_GE(slow.patience, Seconds{40e-3});
  EXPECT_GE(slow.shortest, Seconds{40e-3});
  EXPECT_GE(slow.margin, Seconds{11e-3});
}

} // namespace
} // namespace hypermile::govern
