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

/// One that began then, and has measured just these iterations.
Measurement begun(double begin, const std::vector<double>& iterations) {
  Measurement m = computed(iterations);
  m.computation = m.computations.empty() ? Seconds{} : m.computations.front();
  m.communication = Seconds{0.001};
  m.measured_iterations = iterations.size();
  m.timeline->begin = Seconds{begin};
  return m;
}

TEST(recorded_iterations, last_until_the_last_rank_ends_them) {
  // The second rank loses a lead of 5 ms by 1 ms in each iteration; the program is no slower for
  // it.
  const auto iterations =
      recorded_iterations({begun(0.005, {0.009, 0.009, 0.009}), begun(0, {0.010, 0.010, 0.010})});
  ASSERT_EQ(iterations.size(), 2U); // when the last one ends is not in the events
  for (const RecordedIteration& iteration : iterations) {
    EXPECT_NEAR(iteration.length, 0.010, 1e-9);
    EXPECT_NEAR(iteration.work, 0.010, 1e-9);
  }
  EXPECT_NEAR(iterations.front().begin, 0.005, 1e-9);
}

TEST(recorded_iterations, are_the_same_on_all_ranks_where_one_has_gone_on_for_longer) {
  const auto iterations = recorded_iterations(
      {begun(0, {0.009, 0.019, 0.029}), begun(0.001, {0.009, 0.019, 0.029, 0.039, 0.049})});
  ASSERT_EQ(iterations.size(), 2U);
  EXPECT_NEAR(iterations[0].length, 0.010, 1e-9);
  EXPECT_NEAR(iterations[1].length, 0.020, 1e-9);
}

TEST(recorded_iterations, are_none_where_a_rank_has_none) {
  EXPECT_TRUE(recorded_iterations({begun(0, {0.009, 0.009}), begun(0, {})}).empty());
}

TEST(mean_iteration, is_that_of_the_program_not_of_a_rank_that_loses_its_lead) {
  EXPECT_NEAR(mean_iteration({begun(0.005, {0.009, 0.009, 0.009}), begun(0, {0.010, 0.010, 0.010})})
                  .value(),
              0.010, 1e-9);
}

/// The first rank chooses before its third iteration, and the second one waits for it.
std::vector<Measurement> with_a_choice() {
  Measurement chooses = begun(0, {0.009, 0.009, 0.009, 0.009});
  chooses.timeline->pauses = {{4, Seconds{0.005}}};
  Measurement waits = begun(0, {0.009, 0.009, 0.009, 0.009});
  waits.timeline->events[5].duration += 0.005F;
  return {std::move(chooses), std::move(waits)};
}

TEST(recorded_iterations, begin_when_the_last_rank_does_that_may_have_chosen_before) {
  const auto iterations = recorded_iterations(with_a_choice());
  ASSERT_EQ(iterations.size(), 3U);
  for (const RecordedIteration& iteration : iterations)
    EXPECT_NEAR(iteration.length, 0.010, 1e-9);
  EXPECT_NEAR(iterations[2].begin, 0.025, 1e-9);
  EXPECT_NEAR(iterations[2].paused, 0.005, 1e-9);
}

TEST(mean_iteration, leaves_out_what_choices_take) {
  EXPECT_NEAR(mean_iteration(with_a_choice()).value(), 0.010, 1e-9);
}

TEST(mean_iteration, is_that_of_the_longest_rank_where_few_of_them_were_recorded) {
  std::vector<Measurement> all{begun(0.005, {0.009, 0.009}), begun(0, {0.010, 0.010})};
  for (Measurement& m : all)
    m.measured_iterations = 5;
  EXPECT_NEAR(mean_iteration(all).value(), 0.011, 1e-9);
}

} // namespace
} // namespace hypermile::runtime
