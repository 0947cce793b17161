#include "runtime/apply/meter_watch.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime {
namespace {

/// Reads a meter ten times a second, of a node with a rank that computes for this share of the
/// time. Returns why it is not believed after so many seconds.
std::string after(int seconds, double watts, double share, std::optional<Watts> limit = {},
                  int update_every = 1) {
  MeterWatch watch(limit);
  for (int i = 0; i <= 10 * seconds; ++i) {
    const int updated = i - i % update_every;
    watch.add(Seconds{0.1 * i}, Seconds{0.1 * i * share}, Joules{watts * 0.1 * updated});
  }
  return watch.why_not();
}

TEST(meter_watch, believes_a_meter_that_counts_on) {
  EXPECT_EQ(after(100, 80, 1), "");
  EXPECT_EQ(after(100, 80, 1, Watts{95}), "");
}

TEST(meter_watch, believes_a_slow_meter) { EXPECT_EQ(after(100, 80, 1, Watts{95}, 20), ""); }

TEST(meter_watch, does_not_believe_a_counter_that_stands_still_while_the_node_computes) {
  EXPECT_EQ(after(9, 0, 1), "");
  EXPECT_NE(after(11, 0, 1).find("said the same for 10 s"), std::string::npos);
}

TEST(meter_watch, lets_the_counter_of_a_node_stand_still_that_hardly_computes) {
  EXPECT_EQ(after(100, 0, 0.1), "");
}

TEST(meter_watch, does_not_believe_more_than_the_processors_may_draw) {
  EXPECT_EQ(after(10, 130, 1, Watts{95}), ""); // for some seconds they may
  EXPECT_NE(after(10, 150, 1, Watts{95}).find("150 W, and the processors may draw 95 W"),
            std::string::npos);
}

TEST(meter_watch, does_not_believe_a_counter_that_falls) {
  MeterWatch watch;
  watch.add(Seconds{0}, Seconds{0}, Joules{10});
  watch.add(Seconds{0.1}, Seconds{0}, Joules{9});
  EXPECT_EQ(watch.why_not(), "the energy counter fell");
  watch.add(Seconds{5}, Seconds{5}, Joules{100}); // whatever it says later
  EXPECT_EQ(watch.why_not(), "the energy counter fell");
}

} // namespace
} // namespace hypermile::runtime
