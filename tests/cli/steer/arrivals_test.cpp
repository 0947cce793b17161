// A server with arrivals: their rate leads to another choice, a change of its work to another
// calibration, once.

#include "cli/steer/steered.hpp"

namespace hypermile::test {
namespace {

class SteerArrivals : public SteerTest {
protected:
  SteerArrivals() { sample_ = "500ms"; }

  /// Other programs on the machine make an item take half as long again, which is not what is
  /// looked for here.
  nlohmann::json serve(Words options) {
    options.insert(options.begin(), {"--threads", "2", "--work", "250"});
    const CommandResult result =
        run(emulated({"--utilisation", "0.9", "--phase-change", "70%"}), server(options));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("dropped: 0"), std::string::npos) << result.out;
    return report();
  }
};

TEST_F(SteerArrivals, that_double_and_halve_do_not_calibrate_but_choose) {
  // Half of what one core does in the lowest gear arrives at first.
  EXPECT_TRUE(in_one_of_three_runs([&] {
    const auto report =
        serve({"--rate", "1000", "--rate-steps", "0:1,4:2,7:1,10:2", "--duration", "13"});
    return report["calibrations"] == 1 && report["phases"] == 1 && report["arrival_changes"] >= 1;
  }));
}

TEST_F(SteerArrivals, that_stay_while_work_changes_calibrate_once_for_each_phase) {
  EXPECT_TRUE(in_one_of_three_runs([&] {
    const auto report =
        serve({"--rate", "400", "--phases", "0:1,4:4,8:1,11:4", "--duration", "14"});
    return report["calibrations"] == 2 && report["phases"] == 2 &&
           report["phase_changes"] >= 3; // there, back, there
  }));
}

} // namespace
} // namespace hypermile::test
