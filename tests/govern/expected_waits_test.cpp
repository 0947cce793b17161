#include "govern/expected_waits.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::govern {
namespace {

/// A call of a place in an iteration that takes so long. Returns what was expected of it.
std::optional<double> call(ExpectedWaits& waits, CallSite place, std::size_t iteration,
                           double took) {
  const auto expected = waits.enter({true, place, iteration}, Seconds{10});
  waits.leave(Seconds{10 + took});
  return expected ? std::optional(expected->value()) : std::nullopt;
}

TEST(expected_waits, are_the_shortest_of_the_last_three) {
  ExpectedWaits waits;
  EXPECT_FALSE(call(waits, 1, 1, 4));
  EXPECT_FALSE(call(waits, 1, 2, 2));
  EXPECT_NEAR(call(waits, 1, 3, 3).value_or(0), 2, 1e-9);
  EXPECT_NEAR(call(waits, 1, 4, 5).value_or(0), 2, 1e-9); // of 4, 2, 3
  EXPECT_NEAR(call(waits, 1, 5, 5).value_or(0), 2, 1e-9); // of 2, 3, 5
  EXPECT_NEAR(call(waits, 1, 6, 5).value_or(0), 3, 1e-9); // of 3, 5, 5
}

TEST(expected_waits, tell_the_calls_of_a_place_in_an_iteration_apart) {
  ExpectedWaits waits;
  for (std::size_t iteration = 1; iteration <= 4; ++iteration)
    for (int k = 0; k < 5; ++k) { // the first one of an iteration is long, as in a pipeline
      const double took = k == 0 ? 1.0 : 0.01 * k;
      const auto expected = call(waits, 7, iteration, took);
      EXPECT_EQ(expected.has_value(), iteration > 2);
      EXPECT_NEAR(expected.value_or(took), took, 1e-9);
    }
}

TEST(expected_waits, are_not_known_outside_of_a_loop) {
  ExpectedWaits waits;
  for (int i = 0; i < 10; ++i)
    EXPECT_FALSE(call(waits, 1, 0, 1));
}

TEST(expected_waits, need_a_bounded_amount_of_memory_and_keep_what_they_know) {
  ExpectedWaits waits;
  for (std::size_t iteration = 1; iteration <= 3; ++iteration)
    call(waits, 1, iteration, 2);
  for (CallSite place = 2; place < 20'000; ++place)
    call(waits, place, place, 1);
  EXPECT_NEAR(call(waits, 1, 30'000, 2).value_or(0), 2, 1e-9);
}

TEST(expected_waits, never_exceed_what_such_a_call_has_taken) {
  std::mt19937 random(5);
  ExpectedWaits waits;
  for (std::size_t iteration = 1; iteration <= 200; ++iteration)
    for (CallSite place = 1; place <= 4; ++place) {
      const double took = std::uniform_real_distribution(0.5, 1.5)(random);
      if (const auto expected = call(waits, place, iteration, took)) {
        EXPECT_GE(*expected, 0.5 - 1e-9);
        EXPECT_LE(*expected, 1.5 + 1e-9);
      } else {
        EXPECT_LE(iteration, 2U);
      }
    }
}

} // namespace
} // namespace hypermile::govern
