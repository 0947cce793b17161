// However a program that is steered ends, or hypermile does.

#include "cli/steer/steered.hpp"

#include "backend/process/programs.hpp"

#include <fstream>
#include <tuple>

#include <sys/stat.h>

namespace hypermile::test {
namespace {

Words endless() { return {HYPERMILE_SERVER, "--threads", "2", "--saturate", "--work", "1000"}; }

class SteerEndings : public SteerTest {};

TEST_F(SteerEndings, the_exit_code_is_that_of_the_program) {
  EXPECT_EQ(run(emulated({"--power", "75W"}), {"sh", "-c", "exit 7"}).exit_code, 7);
  EXPECT_EQ(run(emulated({"--power", "75W"}), {"sh", "-c", "kill -USR1 $$"}).exit_code,
            128 + SIGUSR1);
  EXPECT_EQ(run(emulated({"--power", "75W"}), odd({"crash", "1"})).exit_code, 128 + SIGSEGV);
}

TEST_F(SteerEndings, a_program_that_ends_at_once_is_nothing_to_complain_of) {
  for (int i = 0; i < 10; ++i) {
    const CommandResult result = run(emulated({"--power", "75W"}), {"true"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(report()["reported_progress"], false);
    EXPECT_EQ(report()["bounds"]["power_w"], 75);
  }
}

/// A server that is confined or slowed down.
class SteerKills : public SteerTest, public testing::WithParamInterface<Knob> {
protected:
  void SetUp() override {
    running_ = start(by(GetParam()), endless());
    server_ = process("server");
    wait_until_set(GetParam(), server_);
  }
  std::unique_ptr<RunningCommand> running_;
  pid_t server_ = 0;
};
INSTANTIATE_TEST_SUITE_P(by, SteerKills, testing::Values(Knob::cores, Knob::gears),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(SteerKills, of_hypermile_leave_the_program_as_it_was) {
  running_->signal(SIGKILL);
  (void)running_->wait();
  wait_until("no supervisor", [&] { return processes("hypermile-super").empty(); });
  expect_left_alone(server_);
  ::kill(server_, SIGTERM);
}

/// Both are stopped first, so that neither can do anything when the other is killed.
TEST_P(SteerKills, of_hypermile_and_its_supervisor_at_once_leave_the_program_as_it_was) {
  const pid_t supervisor = process("hypermile-super");
  for (const int signal : {SIGSTOP, SIGKILL})
    for (const pid_t process : {supervisor, running_->pid()})
      ::kill(process, signal);
  EXPECT_EQ(running_->wait().exit_code, 128 + SIGKILL);
  wait_until("nothing but the program", [&] { return processes("").size() == 1; });
  expect_left_alone(server_);
  ::kill(server_, SIGTERM);
}

TEST_P(SteerKills, of_the_supervisor_leave_the_program_as_it_was_and_are_told) {
  ::kill(process("hypermile-super"), SIGKILL);
  wait_until("no supervisor", [&] { return processes("hypermile-super").empty(); });
  const std::set all{control::affinity(0).value()};
  wait_until("all CPUs", [&] { return masks_of(server_) == all; });
  wait_until("going on", [&] { return !is_stopped(server_); });
  expect_left_alone(server_);
  pause_for_ms(300); // a sample, at which it is noticed at the latest
  ::kill(server_, SIGTERM);
  const CommandResult result = running_->wait();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.err.find("not steered any more"), std::string::npos) << result.err;
}

TEST_P(SteerKills, of_the_program_end_hypermile) {
  ::kill(server_, SIGKILL);
  EXPECT_EQ(running_->wait().exit_code, 128 + SIGKILL);
}

class SteerSignals : public SteerTest,
                     public testing::WithParamInterface<std::tuple<std::string, bool, Knob>> {};
INSTANTIATE_TEST_SUITE_P(to, SteerSignals,
                         testing::Combine(testing::Values("INT", "TERM"), testing::Bool(),
                                          testing::Values(Knob::cores, Knob::gears)),
                         [](const auto& test) {
                           return std::get<0>(test.param) +
                                  (std::get<1>(test.param) ? "_to_the_group_by_"
                                                           : "_to_hypermile_by_") +
                                  name_of(std::get<2>(test.param));
                         });

/// The server takes both as the wish that it ends, and then verifies what it has done.
TEST_P(SteerSignals, end_the_program_and_leave_nothing) {
  const auto& [name, to_group, knob] = GetParam();
  ASSERT_EQ(::mkfifo(folder_.path("go").c_str(), 0600), 0);
  // What setsid starts in the background has the shell's number of it, and a group of its own.
  const auto running = start_shell(by(knob), "setsid $STEER -- " HYPERMILE_SERVER
                                             " --saturate --threads 2 --work 1000 & job=$!;"
                                             " read go < " +
                                                 folder_.path("go") + "; kill -" + name +
                                                 (to_group ? " -$job" : " $job") + "; wait $job");
  wait_until_set(knob, process("server"));
  std::ofstream(folder_.path("go")) << "go\n";
  const CommandResult result = running->wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("verification: successful"), std::string::npos) << result.out;
  EXPECT_EQ(report()["exit_code"], 0);
}

} // namespace
} // namespace hypermile::test
