#include "runtime/exchange/interpolated_clock.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime {
namespace {

/// A clock that takes 20 ns to read and a counter of 3 GHz, but for what is said below.
struct Source {
  static inline double time = 0;
  static inline double counted = 0;
  static inline double frequency = 3e9;
  static inline int readings = 0;

  static Seconds exact() {
    ++readings;
    pass(10e-9);
    const Seconds shown{time};
    pass(10e-9);
    return shown;
  }
  static std::uint64_t ticks() { return static_cast<std::uint64_t>(counted); }

  static void pass(double seconds) {
    time += seconds;
    counted += seconds * frequency;
  }
};

class InterpolatedClockTest : public testing::Test {
protected:
  InterpolatedClockTest() {
    Source::time = 1000;
    Source::counted = 1e12;
    Source::frequency = 3e9;
    Source::readings = 0;
  }
  /// The largest error while the clock is read so often, so many seconds apart.
  double largest_error(int times, double step) {
    double largest = 0;
    for (int i = 0; i < times; ++i) {
      Source::pass(step);
      largest = std::max(largest, std::abs(clock_.now().value() - Source::time));
    }
    return largest;
  }
  InterpolatedClock<Source> clock_;
};

TEST_F(InterpolatedClockTest, tells_the_time_to_what_it_takes_to_read_it) {
  EXPECT_LT(largest_error(100'000, 1e-6), 25e-9);
  EXPECT_LT(largest_error(100'000, 37e-6), 25e-9);
}

TEST_F(InterpolatedClockTest, seldom_reads_the_exact_clock) {
  (void)largest_error(1'000'000, 1e-6); // a second
  EXPECT_LT(Source::readings, 250);
}

TEST_F(InterpolatedClockTest, is_right_however_seldom_it_is_asked) {
  EXPECT_LT(largest_error(1000, 0.3), 25e-9);
}

TEST_F(InterpolatedClockTest, follows_a_counter_whose_frequency_changes_a_little) {
  (void)largest_error(3000, 1e-3);
  Source::frequency *= 1 + 1e-5; // the clock is slewed
  EXPECT_LT(largest_error(3000, 1e-3), 0.01 * 1.1e-5);
  EXPECT_LT(largest_error(3000, 1e-3), 25e-9); // some seconds later it is exact again
}

TEST_F(InterpolatedClockTest, never_goes_back) {
  (void)largest_error(3000, 1e-3);
  Source::frequency *= 1.001; // it will be too fast until the clock is read again
  Seconds last = clock_.now();
  for (int i = 0; i < 100'000; ++i) {
    Source::pass(1e-6);
    const Seconds now = clock_.now();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST_F(InterpolatedClockTest, survives_a_counter_that_is_set_back) {
  (void)largest_error(3000, 1e-3);
  Source::counted -= 1e9; // another processor's is behind
  EXPECT_LT(largest_error(3000, 1e-3), 50e-9);
}

} // namespace
} // namespace hypermile::runtime
