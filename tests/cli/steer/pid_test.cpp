// A program that runs already.

#include "cli/steer/steered.hpp"

#include "backend/process/programs.hpp"

namespace hypermile::test {
namespace {

class SteerPid : public SteerTest {
protected:
  SteerPid() {
    program_ = start_alone(server({"--threads", "2", "--saturate", "--work", "1000"}));
    wait_until("it is a server", [this] { return processes("server").size() == 1; });
    before_ = masks_of(program_->pid());
  }

  std::unique_ptr<RunningCommand> steer() {
    auto steering = start(emulated({"--power", "21W", "--pid", std::to_string(program_->pid())}));
    wait_until_slowed(program_->pid()); // nothing meets it: one core in the lowest gear
    return steering;
  }
  void expect_as_before() {
    EXPECT_EQ(masks_of(program_->pid()), before_);
    for (int i = 0; i < 50; ++i) { // two periods of a duty cycle and more
      EXPECT_FALSE(is_stopped(program_->pid()));
      pause_for_ms(2);
    }
    program_->signal(SIGTERM);
    EXPECT_EQ(program_->wait().exit_code, 0); // it verifies itself
  }

  std::unique_ptr<RunningCommand> program_;
  std::set<control::CpuSet> before_;
};

class SteerPidEnds : public SteerPid, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(signal, SteerPidEnds, testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST_P(SteerPidEnds, and_the_program_runs_on_as_before) {
  const auto steering = steer();
  steering->signal(GetParam());
  const CommandResult result = steering->wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_as_before(); // at once
  EXPECT_EQ(report()["reported_progress"], true);
}

TEST_F(SteerPid, runs_on_as_before_soon_after_sigkill_of_hypermile) {
  const auto steering = steer();
  steering->signal(SIGKILL);
  EXPECT_EQ(steering->wait().exit_code, 128 + SIGKILL);
  wait_until("the CPUs are as before", [this] { return masks_of(program_->pid()) == before_; });
  wait_until("the warden is gone", [this] { return processes("hypermile-warde").empty(); });
  expect_as_before();
}

TEST_F(SteerPid, ends_when_the_program_does) {
  const auto steering = steer();
  program_->signal(SIGTERM);
  EXPECT_EQ(program_->wait().exit_code, 0);
  EXPECT_EQ(steering->wait().exit_code, 0);
}

TEST_F(SteerPid, can_be_steered_again) {
  for (int i = 0; i < 2; ++i) {
    const auto steering = steer();
    steering->signal(SIGINT);
    EXPECT_EQ(steering->wait().exit_code, 0);
  }
  expect_as_before();
}

TEST_F(SteerPid, is_none_that_there_is_not) {
  const CommandResult result = run({"--utilisation", "0.9", "--pid", "2147483647"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("2147483647"), std::string::npos) << result.err;
  program_->signal(SIGTERM);
  (void)program_->wait();
}

} // namespace
} // namespace hypermile::test
