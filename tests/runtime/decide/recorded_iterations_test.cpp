#include "runtime/decide/recorded_iterations.hpp"

#include "support/nodes.hpp"
#include "support/scripted_timeline.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime {
namespace {

/// A rank that computed so long in each iteration, and then waited for 1 ms.
Measurement computed(const std::vector<double>& iterations) {
  Measurement m{.node = test::node("a")};
  test::Script script;
  for (const double computation : iterations) {
    m.iterations.push_back(2 * m.computations.size());
    m.computations.emplace_back(computation);
    script.computes(computation).joins(model::Shape::all, 2, 0.001);
  }
  m.iterations.push_back(2 * iterations.size());
  m.timeline = script.done();
  return m;
}

TEST(usual_iteration, is_not_the_one_that_an_inner_loop_is_left_in) {
  const auto usual = usual_iteration({computed({0.002, 0.002, 0.05, 0.002, 0.002})});
  ASSERT_TRUE(usual);
  EXPECT_NEAR(usual->time.value(), 0.003, 1e-9);
  EXPECT_NEAR(usual->computation.value(), 0.002, 1e-9);
}

TEST(usual_iteration, is_that_of_the_rank_with_most) {
  const auto usual = usual_iteration({computed({0.002, 0.002, 0.002, 0.002, 0.002}),
                                      computed({0.003, 0.003, 0.003, 0.003, 0.003})});
  ASSERT_TRUE(usual);
  EXPECT_NEAR(usual->time.value(), 0.004, 1e-9);
}

TEST(usual_iteration, is_not_told_from_few) {
  EXPECT_FALSE(usual_iteration({computed({0.002, 0.002, 0.002})}));
  Measurement without_events = computed({0.002, 0.002, 0.002, 0.002, 0.002});
  without_events.timeline.reset();
  EXPECT_FALSE(usual_iteration({without_events}));
}

TEST(recorded_lengths, are_of_iterations_in_the_last_gear) {
  Measurement m = computed({0.002, 0.002, 0.004, 0.004});
  m.timeline->earlier.push_back({.end = 4, .scale = 1});
  m.timeline->scale = 2;
  const auto lengths = recorded_lengths(m);
  ASSERT_FALSE(lengths.empty());
  for (const double length : lengths)
    EXPECT_NEAR(length, 0.005, 1e-9);
}

} // namespace
} // namespace hypermile::runtime
