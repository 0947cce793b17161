// Bounds that change while the program runs.

#include "cli/steer/steered.hpp"

#include <fstream>

namespace hypermile::test {
namespace {

class SteerSet : public SteerTest {
protected:
  SteerSet() {
    running_ = start(emulated({"--power", "10W"}), // the node draws 20 W at least
                     server({"--threads", "2", "--saturate", "--work", "1000"}));
    wait_for_bounds_kept(false);
    server_ = process("server");
  }
  void TearDown() override {
    running_->signal(SIGTERM);
    EXPECT_EQ(running_->wait().exit_code, 0);
    SteerTest::TearDown();
  }

  /// The last sample says so.
  void wait_for_bounds_kept(bool kept) const {
    wait_until(kept ? "bounds are kept" : "bounds are missed", [&] {
      const auto lines = timeline();
      return !lines.empty() && lines.back().at("keeps_bounds") == (kept ? "1" : "0");
    });
  }
  [[nodiscard]] CommandResult set(const std::string& bound, pid_t process) const {
    return RunningCommand({"steer", "--set", bound, std::to_string(process)}, "", environment_)
        .wait();
  }

  std::unique_ptr<RunningCommand> running_;
  pid_t server_ = 0;
};

TEST_F(SteerSet, changes_a_bound_by_the_pid_of_the_program_or_of_hypermile) {
  EXPECT_EQ(set("power=200W", server_).exit_code, 0);
  wait_for_bounds_kept(true); // and 100 W at most
  EXPECT_EQ(set("power=10W", running_->pid()).exit_code, 0);
  wait_for_bounds_kept(false);
}

TEST_F(SteerSet, refuses_what_it_does_not_understand_and_goes_on) {
  for (const char* bad :
       {"power=-3W", "power=", "nonsense", "colour=red", "utilisation=2", "deadline=2h"}) {
    const CommandResult result = set(bad, server_);
    EXPECT_EQ(result.exit_code, 1) << bad;
    EXPECT_NE(result.err.find("hypermile: error: "), std::string::npos) << result.err;
  }
  EXPECT_EQ(set("power=30W", server_).exit_code, 0);
}

TEST_F(SteerSet, is_of_no_use_for_a_process_that_is_not_steered) {
  const CommandResult result = set("power=40W", ::getpid());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("is not being steered"), std::string::npos) << result.err;
}

class SteerSchedule : public SteerTest {
protected:
  std::string schedule(const std::string& watts) {
    std::ofstream(folder_.path("day.csv")) << "time,power_w\n00:00," << watts << "\n";
    return folder_.path("day.csv");
  }
};

TEST_F(SteerSchedule, rules_and_cannot_be_set) {
  const auto running = start(emulated({"--power-schedule", schedule("75")}),
                             server({"--threads", "2", "--saturate", "--duration", "4"}));
  const pid_t server = process("server");
  wait_until("it is steered", [&] { return !timeline().empty(); });
  const CommandResult set =
      RunningCommand({"steer", "--set", "power=30W", std::to_string(server)}).wait();
  EXPECT_EQ(set.exit_code, 1);
  EXPECT_NE(set.err.find("follows a schedule"), std::string::npos) << set.err;
  EXPECT_EQ(running->wait().exit_code, 0);
  EXPECT_EQ(report()["bounds"]["power_w"], 75);
}

TEST_F(SteerSchedule, that_is_none_is_refused_before_the_program_starts) {
  const CommandResult result =
      run(emulated({"--power-schedule", schedule("much")}), {"echo", "started"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("day.csv:2"), std::string::npos) << result.err;
}

} // namespace
} // namespace hypermile::test
