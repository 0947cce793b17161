#include "runtime/apply/watching_cost.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace hypermile::runtime {
namespace {

/// What so many calls cost, and what the sample says of that, as their ratio.
template <class CostOf> double told_of(std::size_t calls, const CostOf& cost_of) {
  WatchingCost watching;
  Seconds real;
  for (std::size_t call = 0; call < calls; ++call) {
    const Seconds cost = cost_of(call);
    real += cost;
    if (watching.is_sampled())
      watching.add(cost);
  }
  return watching.total() / real;
}

TEST(watching_cost, is_known_from_a_sample) {
  std::mt19937_64 random(5);
  std::lognormal_distribution<double> factor(0, 0.7);
  EXPECT_NEAR(told_of(300'000, [&](std::size_t) { return Seconds{1e-7} * factor(random); }), 1,
              0.05);
}

TEST(watching_cost, of_a_loop_of_dear_and_cheap_calls_is_that_of_both) {
  for (const std::size_t period : std::vector<std::size_t>{2, 3, 8, 60, 64, 100, 1000})
    EXPECT_NEAR(
        told_of(1'000'000,
                [&](std::size_t call) { return Seconds{call % period == 0 ? 1e-5 : 1e-7}; }),
        1, 0.02)
        << period;
}

TEST(watching_cost, is_not_what_other_programs_took_meanwhile) {
  EXPECT_LT(
      told_of(100'000, [](std::size_t call) { return Seconds{call % 61 == 60 ? 0.004 : 1e-7}; }),
      0.2);
}

TEST(watching_cost, of_no_calls_is_none) { EXPECT_EQ(WatchingCost().total(), Seconds{}); }

} // namespace
} // namespace hypermile::runtime
