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

} // namespace
} // namespace hypermile::runtime
