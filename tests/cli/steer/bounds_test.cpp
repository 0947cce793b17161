// Bounds on a server that always has work to do, on an emulated node of 20 to 100 W: what holds
// however busy this machine is. What is decided is shown with a simulated program, tests/steer.

#include "cli/steer/steered.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::test {
namespace {

class SteerBounds : public SteerTest {
protected:
  void steer(const Words& bounds) {
    const CommandResult result =
        run(emulated(bounds),
            server({"--threads", "2", "--saturate", "--work", "1000", "--duration", "4"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("verification: successful"), std::string::npos) << result.out;
    lines_ = timeline();
    ASSERT_FALSE(lines_.empty());
    EXPECT_EQ(report()["reported_progress"], true);
    EXPECT_GT(report()["items"], 0);
  }
  /// A bound is kept that is missed by no more than 2 %.
  void expect_told_for_power(double bound_w) const {
    for (const Line& line : lines_) {
      if (line.at("capacity_per_s").empty()) // it did too little to tell
        continue;
      const double missed = number_of(line, "power_w") / bound_w - 1;
      if (std::abs(missed - 0.02) > 1e-3) { // but for what printing rounds
        EXPECT_EQ(line.at("keeps_bounds"), missed > 0.02 ? "0" : "1") << line.at("power_w");
      }
    }
  }
  std::vector<Line> lines_;
};

TEST_F(SteerBounds, on_power_are_told_to_be_kept_or_missed) {
  steer({"--power", "75W"});
  expect_told_for_power(75);
  EXPECT_EQ(report()["bounds"]["power_w"], 75);
}

TEST_F(SteerBounds, that_nothing_keeps_are_told_to_be_missed) {
  steer({"--power", "10W"});
  expect_told_for_power(10);
}

TEST_F(SteerBounds, that_everything_keeps_are_told_to_be_kept) {
  steer({"--power", "200W"});
  expect_told_for_power(200);
  EXPECT_EQ(report()["bounds_kept_s"], report()["steady_s"]);
}

TEST_F(SteerBounds, on_throughput_and_time_are_taken) {
  steer({"--throughput", "700/s", "--power", "75W"});
  EXPECT_EQ(report()["bounds"]["throughput_per_s"], 700);
  steer({"--deadline", "9s", "--items", "6000"});
  EXPECT_EQ(report()["bounds"]["deadline_s"], 9);
  EXPECT_EQ(report()["bounds"]["items"], 6000);
}

/// A server with arrivals that change, whose work does, too: nothing is lost.
TEST_F(SteerBounds, on_utilisation_lose_nothing_that_arrives) {
  const CommandResult result =
      run(emulated({"--utilisation", "0.9"}),
          server({"--threads", "2", "--work", "250", "--rate", "200", "--rate-steps", "0:1,1:2,2:1",
                  "--phases", "0:1,3:4", "--duration", "4"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("dropped: 0"), std::string::npos) << result.out;
  const auto lines = timeline();
  ASSERT_FALSE(lines.empty());
  EXPECT_TRUE(std::ranges::any_of(
      lines, [](const Line& line) { return !line.at("arrivals_per_s").empty(); }));
  EXPECT_GE(report()["calibrations"], 1);
}

} // namespace
} // namespace hypermile::test
