// Bounds on a server that always has work to do, on an emulated node of 25 to 100 W.

#include "cli/steer/steered.hpp"

namespace hypermile::test {
namespace {

class SteerBounds : public SteerTest {
protected:
  /// In gear 0 on two cores it does 2000 items a second.
  void steer(const Words& bounds) {
    const CommandResult result =
        run(emulated(bounds),
            server({"--threads", "2", "--saturate", "--work", "1000", "--duration", "6"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    lines_ = timeline();
  }
  [[nodiscard]] double steady(const std::string& column) const {
    return mean_of(lines_, column, "mode", "steady");
  }
  std::vector<Line> lines_;
};

TEST_F(SteerBounds, power_is_kept_and_used_for_throughput) {
  steer({"--power", "75W"});
  EXPECT_LE(steady("power_w"), 75 * 1.03);
  // It begins in the lowest gear, with two thirds of what 75 W allow.
  EXPECT_GE(steady("throughput_per_s"),
            1.1 * mean_of(lines_, "throughput_per_s", "frequency_ghz", "1.2000"));
  EXPECT_GE(steady("frequency_ghz"), 1.5);
  EXPECT_EQ(report()["keeps_bounds"], true);
}

TEST_F(SteerBounds, throughput_is_kept_with_little_power) {
  steer({"--throughput", "700/s"});
  EXPECT_GE(steady("throughput_per_s"), 700 * 0.95);
  EXPECT_LE(steady("power_w"), 70); // of 100 W
  EXPECT_EQ(report()["keeps_bounds"], true);
}

TEST_F(SteerBounds, both_are_kept) {
  steer({"--throughput", "700/s", "--power", "75W"});
  EXPECT_GE(steady("throughput_per_s"), 700 * 0.95);
  EXPECT_LE(steady("power_w"), 75 * 1.03);
  EXPECT_EQ(report()["keeps_bounds"], true);
}

TEST_F(SteerBounds, what_nothing_meets_is_approached_and_said_so) {
  steer({"--power", "10W"});
  EXPECT_LE(steady("power_w"), 35);
  EXPECT_EQ(report()["keeps_bounds"], false);
}

TEST_F(SteerBounds, a_deadline_is_met) {
  // 6000 items in 9 s: two cores in the lowest gear do it, one does not. The server ends before.
  steer({"--deadline", "9s", "--items", "6000"});
  EXPECT_GE(steady("throughput_per_s"), 6000 / 9.0 * 0.95);
  EXPECT_LE(steady("power_w"), 75);
}

} // namespace
} // namespace hypermile::test
