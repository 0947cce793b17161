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
  [[nodiscard]] double first(const std::string& column) const {
    return number_of(lines_.front(), column);
  }
  std::vector<Line> lines_;
};

TEST_F(SteerBounds, power_is_kept_and_used_for_throughput) {
  EXPECT_TRUE(in_one_of_three_runs([&] {
    steer({"--power", "75W"});
    // It begins in the lowest gear, two thirds of what 75 W allow.
    return steady("power_w") <= 75 * 1.03 &&
           steady("throughput_per_s") >= 1.2 * first("throughput_per_s") &&
           report()["keeps_bounds"] == true;
  }));
}

TEST_F(SteerBounds, throughput_is_kept_with_little_power) {
  EXPECT_TRUE(in_one_of_three_runs([&] {
    steer({"--throughput", "700/s"});
    return steady("throughput_per_s") >= 700 * 0.95 && steady("power_w") <= 70 && // of 100 W
           report()["keeps_bounds"] == true;
  }));
}

TEST_F(SteerBounds, both_are_kept) {
  EXPECT_TRUE(in_one_of_three_runs([&] {
    steer({"--throughput", "700/s", "--power", "75W"});
    return steady("throughput_per_s") >= 700 * 0.95 && steady("power_w") <= 75 * 1.03 &&
           report()["keeps_bounds"] == true;
  }));
}

TEST_F(SteerBounds, what_nothing_meets_is_approached_and_said_so) {
  EXPECT_TRUE(in_one_of_three_runs([&] {
    steer({"--power", "10W"});
    return steady("power_w") <= 35 && report()["keeps_bounds"] == false;
  }));
}

TEST_F(SteerBounds, a_deadline_is_met) {
  // 6000 items in 9 s: two cores in the lowest gear do it, one does not. The server ends before.
  EXPECT_TRUE(in_one_of_three_runs([&] {
    steer({"--deadline", "9s", "--items", "6000"});
    return steady("throughput_per_s") >= 6000 / 9.0 * 0.95 && steady("power_w") <= 75;
  }));
}

} // namespace
} // namespace hypermile::test
