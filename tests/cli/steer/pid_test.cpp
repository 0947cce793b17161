// A program that runs already.

#include "cli/steer/steered.hpp"

#include "backend/process/programs.hpp"

namespace hypermile::test {
namespace {

class SteerPid : public SteerTest, public testing::WithParamInterface<Knob> {
protected:
  void SetUp() override {
    program_ = start_alone(server({"--threads", "2", "--saturate", "--work", "1000"}));
    wait_until("it is a server", [this] { return processes("server").size() == 1; });
  }
  void TearDown() override {
    program_->signal(SIGTERM);
    EXPECT_EQ(program_->wait().exit_code, 0); // it verifies itself
    SteerTest::TearDown();
  }

  std::unique_ptr<RunningCommand> steer() {
    Words options = by(GetParam());
    options.insert(options.end(), {"--pid", std::to_string(program_->pid())});
    auto steering = start(options);
    wait_until_set(GetParam(), program_->pid());
    return steering;
  }

  std::unique_ptr<RunningCommand> program_;
};
INSTANTIATE_TEST_SUITE_P(by, SteerPid, testing::Values(Knob::cores, Knob::gears),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(SteerPid, runs_on_as_before_when_hypermile_is_asked_to_end) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) { // it can be steered again and again
    const auto steering = steer();
    steering->signal(signal);
    const CommandResult result = steering->wait();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    expect_left_alone(program_->pid()); // at once
    EXPECT_EQ(report()["reported_progress"], true);
  }
}

TEST_P(SteerPid, runs_on_as_before_soon_after_sigkill_of_hypermile) {
  const auto steering = steer();
  steering->signal(SIGKILL);
  EXPECT_EQ(steering->wait().exit_code, 128 + SIGKILL);
  wait_until("the supervisor is gone", [this] { return processes("hypermile-super").empty(); });
  expect_left_alone(program_->pid());
}

TEST_P(SteerPid, ends_when_the_program_does) {
  const auto steering = steer();
  program_->signal(SIGTERM);
  EXPECT_EQ(steering->wait().exit_code, 0);
}

TEST_F(SteerTest, has_no_use_for_a_pid_that_there_is_not) {
  const CommandResult result = run({"--utilisation", "0.9", "--pid", "2147483647"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("2147483647"), std::string::npos) << result.err;
}

} // namespace
} // namespace hypermile::test
