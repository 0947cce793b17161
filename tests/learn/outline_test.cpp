// Whether a run does what an earlier one did.

#include "runtime/record/outline.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime {
namespace {

/// So many calls, with so much computation before each.
Outline outline(std::size_t calls, double seconds) {
  Outline outline;
  for (std::size_t call = 1; call <= calls; ++call)
    outline.add(call, Seconds{seconds * static_cast<double>(call)});
  return outline;
}

/// The call at which it departs; 0: it does not.
std::size_t departure(const Outline& expected, std::size_t calls, double seconds) {
  OutlineWatch watch(expected);
  for (std::size_t call = 1; call <= calls; ++call) {
    watch.add(call, Seconds{seconds * static_cast<double>(call)});
    if (watch.departs())
      return call;
  }
  return 0;
}

TEST(outline, has_an_entry_for_each_power_of_two) {
  const Outline run = outline(1000, 0.1);
  EXPECT_EQ(run.computation.size(), 10u);
  EXPECT_NEAR(run.computation[9].value(), 51.2, 1e-9);
  EXPECT_EQ(run.calls, 1000u);
  EXPECT_NEAR(run.total.value(), 100, 1e-9);
}

TEST(outline_watch, is_content_with_the_same_run_and_with_noise) {
  const Outline expected = outline(1000, 0.1);
  EXPECT_EQ(departure(expected, 1000, 0.1), 0u);
  EXPECT_EQ(departure(expected, 1000, 0.12), 0u);
  EXPECT_EQ(departure(expected, 1000, 0.08), 0u);
  EXPECT_EQ(departure(expected, 1010, 0.1), 0u);
}

TEST(outline_watch, notices_another_amount_of_computation_soon) {
  const Outline expected = outline(1000, 0.1);
  EXPECT_NE(departure(expected, 1000, 0.2), 0u);
  EXPECT_LE(departure(expected, 1000, 0.2), 64u);
  EXPECT_NE(departure(expected, 1000, 0.05), 0u);
  EXPECT_LE(departure(expected, 1000, 0.05), 64u);
}

TEST(outline_watch, notices_a_run_that_goes_on) {
  EXPECT_NE(departure(outline(1000, 0.1), 2000, 0.1), 0u);
}

TEST(outline_watch, takes_no_notice_of_what_is_short) {
  EXPECT_EQ(departure(outline(1000, 1e-6), 1000, 5e-6), 0u);
}

TEST(difference, of_whole_runs_is_told) {
  const Outline expected = outline(1000, 0.1);
  EXPECT_EQ(difference(expected, outline(1000, 0.11)), "");
  EXPECT_NE(difference(expected, outline(1000, 0.2)), "");
  EXPECT_NE(difference(expected, outline(400, 0.25)), "");
}

} // namespace
} // namespace hypermile::runtime
