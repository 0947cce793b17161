#include "runtime/decide/early_policy.hpp"

#include "support/nodes.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hypermile::runtime {
namespace {

using Gears = std::vector<std::size_t>;

/// A look `elapsed` s after MPI_Init; gears 0 and 1 (S = 2), and a node per rank.
std::vector<EarlyMeasurement> look(const std::vector<double>& computation, double elapsed) {
  std::vector<EarlyMeasurement> all;
  for (const double seconds : computation)
    all.push_back({.rank = static_cast<int>(all.size()),
                   .node = test::node("node-" + std::to_string(all.size())),
                   .elapsed = Seconds{elapsed},
                   .computation_in_gear0 = Seconds{seconds}});
  return all;
}

TEST(early_policy, uses_slack_only) {
  EarlyPolicy policy;
  for (const double elapsed : {0.02, 0.04}) // once may be noise
    (void)policy.choose(look({elapsed, elapsed * 0.3, elapsed * 0.9, elapsed * 0.3}, elapsed));
  const auto decision = EarlyPolicy(policy).choose(look({0.08, 0.024, 0.072, 0.024}, 0.08));
  EXPECT_FALSE(decision); // it has chosen before
  EarlyPolicy fresh;
  const auto first = fresh.choose(look({1, 0.2, 0.9, 0.2}, 1));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->gears, (Gears{0, 1, 0, 1}));
  EXPECT_TRUE(first->before_loop);
  EXPECT_DOUBLE_EQ(first->prediction.p_norm, 1);
  EXPECT_LT(first->prediction.e_norm, 1);
}

TEST(early_policy, changes_nothing_where_all_compute_alike) {
  EarlyPolicy policy;
  EXPECT_FALSE(policy.choose(look({0.01, 0.011, 0.0105}, 0.02)));
}

TEST(early_policy, waits_until_every_rank_has_computed) {
  EarlyPolicy policy;
  EXPECT_FALSE(policy.choose(look({0.02, 0.0002, 0.02}, 0.02)));
  EXPECT_FALSE(policy.choose(look({0.04, 0.0004, 0.04}, 0.04)));
  const auto decision = policy.choose(look({0.08, 0.03, 0.08}, 0.08));
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->gears, (Gears{0, 1, 0}));
}

TEST(early_policy, takes_the_slowest_rank_of_a_node_for_the_node) {
  EarlyPolicy policy;
  auto all = look({1, 0.3, 0.9}, 1);
  all[2].node = all[1].node = test::node("shared", 2);
  EXPECT_FALSE(policy.choose(all));
}

TEST(early_policy, goes_back_when_the_slack_is_gone) {
  EarlyPolicy policy;
  ASSERT_TRUE(policy.choose(look({1, 0.3}, 1)));
  std::optional<Decision> last;
  double other = 0.3;
  for (double elapsed = 2; elapsed <= 64; elapsed *= 2)
    if (auto decision = policy.choose(look({elapsed, other += elapsed / 2}, elapsed)))
      last = std::move(decision);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->gears, (Gears{0, 0}));
}

/// A node with gears 0 and 1 (S = 2), so many times as fast as another.
RankNode node_of(const std::string& name, double speed, std::size_t cores = 1) {
  RankNode node = test::node(name, cores);
  node.type.speed = node.type.speed * speed;
  return node;
}

TEST(equal_shares, slow_down_nodes_that_are_no_later_than_the_slowest) {
  const auto decision = choose_for_equal_shares(
      {node_of("a", 2), node_of("b", 1), node_of("c", 1.9), node_of("d", 3)});
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->gears, (Gears{1, 0, 0, 1}));
  EXPECT_EQ(decision->nodes, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_TRUE(decision->before_loop);
  EXPECT_EQ(decision->baseline.time, Seconds{1});
  EXPECT_DOUBLE_EQ(decision->prediction.p_norm, 1);
  // By hand: 20 W computing and 4 W waiting in gear 0, 6 W and 4 W in gear 1.
  const double in_gear0 = 12 + 20 + (4 + 16 / 1.9) + (4 + 16.0 / 3);
  EXPECT_NEAR(decision->baseline.energy.value(), in_gear0, 1e-9);
  EXPECT_NEAR(decision->prediction.energy.value(), 6 + 20 + (4 + 16 / 1.9) + (4 + 2 * 2.0 / 3),
              1e-9);
}

TEST(equal_shares, change_nothing_where_all_nodes_are_alike) {
  EXPECT_FALSE(choose_for_equal_shares({node_of("a", 1), node_of("b", 1), node_of("c", 1)}));
  EXPECT_FALSE(choose_for_equal_shares({node_of("a", 1)}));
  EXPECT_FALSE(choose_for_equal_shares({}));
}

TEST(equal_shares, are_of_ranks_of_which_a_node_may_have_several) {
  const auto decision = choose_for_equal_shares(
      {node_of("a", 2, 2), node_of("b", 1, 2), node_of("a", 2, 2), node_of("b", 1, 2)});
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->gears, (Gears{1, 0}));
  EXPECT_DOUBLE_EQ(decision->prediction.energy.value(), 6 + 20);
}

TEST(early_policy, keeps_the_gears_that_nodes_began_in_where_they_use_the_slack) {
  EarlyPolicy policy;
  policy.begin_in({0, 1, 0, 1});
  EXPECT_FALSE(policy.choose(look({1, 0.2, 0.9, 0.2}, 1)));
  EarlyPolicy wrong;
  wrong.begin_in({1, 0, 0, 0});
  const auto decision = wrong.choose(look({1, 0.2, 0.9, 0.2}, 1));
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->gears, (Gears{0, 1, 0, 1}));
}

} // namespace
} // namespace hypermile::runtime
