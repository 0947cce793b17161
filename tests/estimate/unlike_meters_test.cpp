#include "estimate/unlike_meters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace hypermile::estimate {
namespace {

using Random = std::mt19937_64;

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// What a node draws by the share of its time that it computes: from `waiting` of its computing
/// power on a line, or on a curve that rises less and less.
struct Machine {
  double computing;
  double waiting;
  double bend; ///< 1: a line
  [[nodiscard]] double power(double share, std::size_t gear) const {
    const double slower = 1 - 0.15 * static_cast<double>(gear);
    return computing * slower * (waiting + (1 - waiting) * std::pow(share, bend));
  }
};

Machine any_machine(Random& random) {
  return {uniform(random, 50, 500), uniform(random, 0, 1), uniform(random, 0.4, 1)};
}

/// A node whose meter says `factor` of what it draws. Its share stays within `spread` of the mean.
NodeSums metered(const Machine& machine, double factor, double share, double spread,
                 const std::vector<std::size_t>& gears, Random& random) {
  std::normal_distribution<double> noise(1, 0.02);
  NodeSums sums;
  for (const std::size_t gear : gears)
    for (int second = 0; second < 20; ++second) {
      const double now = std::clamp(share + uniform(random, -spread, spread), 0.0, 1.0);
      sums[gear].add(Seconds{1}, Seconds{now},
                     Joules{factor * machine.power(now, gear) * noise(random)});
    }
  return sums;
}

TEST(unlike_meters, are_none_where_nodes_have_constant_loads_of_their_own) {
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    const Machine machine = any_machine(random);
    std::vector<NodeSums> nodes;
    const auto count = 2 + static_cast<std::size_t>(round % 6);
    for (std::size_t n = 0; n < count; ++n)
      nodes.push_back(metered(machine, uniform(random, 0.8, 1.25), uniform(random, 0.002, 1), 0,
                              {random() % 3}, random));
    const UnlikeMeters unlike = unlike_meters(nodes);
    ASSERT_EQ(std::ranges::count(unlike.wrong, true), 0) << "round " << round;
  }
}

TEST(unlike_meters, are_none_where_loads_of_nodes_vary_within_bounds_of_their_own) {
  Random random(2);
  for (int round = 0; round < 3000; ++round) {
    const Machine machine = any_machine(random);
    std::vector<NodeSums> nodes;
    for (int n = 0; n < 4; ++n)
      nodes.push_back(metered(machine, uniform(random, 0.9, 1.1), uniform(random, 0.01, 1),
                              uniform(random, 0, 0.5), {0, 1 + random() % 2}, random));
    ASSERT_EQ(std::ranges::count(unlike_meters(nodes).wrong, true), 0) << "round " << round;
  }
}

TEST(unlike_meters, are_the_one_that_says_twice_or_half_of_what_nodes_with_like_loads_draw) {
  Random random(3);
  for (int round = 0; round < 3000; ++round) {
    const Machine machine = any_machine(random);
    const double share = uniform(random, 0.05, 0.95);
    const double spread = round % 2 == 0 ? 0 : 0.3;
    const auto count = 3 + static_cast<std::size_t>(round % 100 == 0 ? 120 : round % 5);
    const std::size_t wrong = random() % count;
    std::vector<NodeSums> nodes;
    for (std::size_t n = 0; n < count; ++n) {
      const double right = uniform(random, 0.95, 1.05);
      const double factor = n != wrong ? right : round % 3 == 0 ? 0.45 : 2.1;
      nodes.push_back(metered(machine, factor, share, spread, {0, 1}, random));
    }
    const UnlikeMeters unlike = unlike_meters(nodes);
    ASSERT_FALSE(unlike.undecided);
    for (std::size_t n = 0; n < count; ++n)
      ASSERT_EQ(unlike.wrong[n], n == wrong) << "round " << round << ", node " << n;
  }
}

/// Two nodes with like loads disagree. Each is alike enough to all others, whose loads are
/// different.
TEST(unlike_meters, are_mostly_told_by_the_others_where_two_disagree_about_the_same_load) {
  Random random(7);
  constexpr int rounds = 1000;
  int blamed_a_good_one = 0;
  for (int round = 0; round < rounds; ++round) {
    const Machine machine = any_machine(random);
    const double share = uniform(random, 0.3, 0.7);
    const std::size_t wrong = 2 * (random() % 2); // node 0 or 2: no order tells which
    std::vector<NodeSums> nodes;
    for (std::size_t n = 0; n < 5; ++n)
      nodes.push_back(metered(machine, n == wrong ? 2.1 : uniform(random, 0.95, 1.05),
                              n % 2 == 0 && n < 4 ? share : uniform(random, 0.1, 0.9), 0, {0},
                              random));
    const UnlikeMeters unlike = unlike_meters(nodes);
    const bool good_one = std::ranges::count(unlike.wrong, true) > (unlike.wrong[wrong] ? 1 : 0);
    blamed_a_good_one += good_one ? 1 : 0;
  }
  EXPECT_LT(blamed_a_good_one, 3 * rounds / 100); // by the order of the nodes it would be 5 %
}

TEST(unlike_meters, are_all_where_half_of_them_says_twice_as_much_as_the_other_half) {
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    const Machine machine = any_machine(random);
    std::vector<NodeSums> nodes;
    const std::size_t pairs = 1 + random() % 4;
    for (std::size_t n = 0; n < 2 * pairs; ++n)
      nodes.push_back(metered(machine, n % 2 == 0 ? 1 : 2.1, 0.6, 0.2, {0}, random));
    const UnlikeMeters unlike = unlike_meters(nodes);
    ASSERT_TRUE(unlike.undecided);
    ASSERT_EQ(std::ranges::count(unlike.wrong, false), 0);
  }
}

TEST(unlike_meters, are_the_same_in_another_unit_of_energy) {
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    const Machine machine = any_machine(random);
    std::vector<NodeSums> nodes;
    std::vector<NodeSums> in_other_unit;
    for (int n = 0; n < 5; ++n) {
      const double factor = random() % 3 == 0 ? 2.2 : 1;
      const double share = uniform(random, 0.1, 1);
      Random same = random;
      nodes.push_back(metered(machine, factor, share, 0.1, {0}, random));
      in_other_unit.push_back(metered(machine, factor * 1000, share, 0.1, {0}, same));
    }
    ASSERT_EQ(unlike_meters(nodes).wrong, unlike_meters(in_other_unit).wrong);
  }
}

TEST(unlike_meters, are_none_where_nothing_can_be_compared) {
  Random random(6);
  const Machine machine = any_machine(random);
  EXPECT_TRUE(unlike_meters({}).wrong.empty());
  const std::vector<NodeSums> of_other_gears{metered(machine, 1, 0.5, 0.1, {0}, random),
                                             metered(machine, 5, 0.5, 0.1, {1}, random),
                                             NodeSums{}};
  EXPECT_EQ(std::ranges::count(unlike_meters(of_other_gears).wrong, true), 0);
}

} // namespace
} // namespace hypermile::estimate
