#include "estimate/normal.hpp"

#include <gtest/gtest.h>

namespace hypermile::estimate {
namespace {

/// Tables of the standard normal distribution.
TEST(normal, has_the_probabilities_of_tables) {
  EXPECT_DOUBLE_EQ(normal_at_most(0), 0.5);
  EXPECT_NEAR(normal_at_most(1), 0.841345, 1e-6);
  EXPECT_NEAR(normal_at_most(-1.959964), 0.025, 1e-6);
}

TEST(normal, has_a_quantile_for_each_probability) {
  for (const double probability : {0.5, 0.8, 0.95, 0.9938, 0.9999})
    EXPECT_NEAR(normal_at_most(normal_quantile(probability)), probability, 1e-9);
}

} // namespace
} // namespace hypermile::estimate
