// However a program that is steered ends, or hypermile does.

#include "cli/steer/steered.hpp"

#include "backend/process/programs.hpp"

#include <fstream>
#include <tuple>

#include <sys/stat.h>

namespace hypermile::test {
namespace {

class SteerEndings : public SteerTest {
protected:
  [[nodiscard]] Words lowest() const { return emulated({"--power", "21W"}); }
  static Words endless() { return server({"--threads", "2", "--saturate", "--work", "1000"}); }
};

TEST_F(SteerEndings, the_exit_code_is_that_of_the_program) {
  EXPECT_EQ(run(lowest(), {"sh", "-c", "exit 7"}).exit_code, 7);
  EXPECT_EQ(run(lowest(), {"sh", "-c", "kill -USR1 $$"}).exit_code, 128 + SIGUSR1);
  EXPECT_EQ(run(lowest(), odd({"crash", "1"})).exit_code, 128 + SIGSEGV);
}

TEST_F(SteerEndings, a_program_that_ends_at_once_is_nothing_to_complain_of) {
  for (int i = 0; i < 10; ++i) {
    const CommandResult result = run(emulated({"--power", "21W"}), {"true"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(report()["reported_progress"], false);
    EXPECT_EQ(report()["bounds"]["power_w"], 21);
  }
}

TEST_F(SteerEndings, sigkill_of_hypermile_leaves_the_program_as_it_was) {
  const auto running = start(lowest(), endless());
  const pid_t server = process("server");
  wait_until_slowed(server);
  running->signal(SIGKILL);
  (void)running->wait();
  const std::set all{control::affinity(0).value()};
  wait_until("all CPUs", [&] { return masks_of(server) == all; });
  wait_until("no warden", [&] { return processes("hypermile-warde").empty(); });
  for (int i = 0; i < 50; ++i) {
    EXPECT_FALSE(is_stopped(server));
    pause_for_ms(2);
  }
  ::kill(server, SIGTERM);
}

TEST_F(SteerEndings, sigkill_of_the_warden_leaves_the_program_as_it_was_and_is_said) {
  const auto running = start(lowest(), endless());
  const pid_t server = process("server");
  wait_until_slowed(server);
  ::kill(process("hypermile-warde"), SIGKILL);
  const std::set all{control::affinity(0).value()};
  wait_until("all CPUs", [&] { return masks_of(server) == all; });
  wait_until("running", [&] { return !is_stopped(server); });
  ::kill(server, SIGTERM);
  const CommandResult result = running->wait();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.err.find("not steered any more"), std::string::npos) << result.err;
}

TEST_F(SteerEndings, sigkill_of_the_program_ends_hypermile) {
  const auto running = start(lowest(), endless());
  const pid_t server = process("server");
  wait_until_slowed(server);
  ::kill(server, SIGKILL);
  EXPECT_EQ(running->wait().exit_code, 128 + SIGKILL);
}

class SteerSignals : public SteerEndings,
                     public testing::WithParamInterface<std::tuple<std::string, bool>> {};
INSTANTIATE_TEST_SUITE_P(to, SteerSignals,
                         testing::Combine(testing::Values("INT", "TERM"), testing::Bool()),
                         [](const auto& test) {
                           return std::get<0>(test.param) +
                                  (std::get<1>(test.param) ? "_to_the_group" : "_to_hypermile");
                         });

/// The server takes both as the wish that it ends, and then verifies what it has done.
TEST_P(SteerSignals, end_the_program_and_leave_nothing) {
  const auto& [name, to_group] = GetParam();
  ASSERT_EQ(::mkfifo(folder_.path("go").c_str(), 0600), 0);
  // What setsid starts in the background has the shell's number of it, and a group of its own.
  const auto running = start_shell(lowest(), "setsid $STEER -- " HYPERMILE_SERVER
                                             " --saturate --threads 2 --work 1000 & job=$!;"
                                             " read go < " +
                                                 folder_.path("go") + "; kill -" + name +
                                                 (to_group ? " -$job" : " $job") + "; wait $job");
  wait_until_slowed(process("server"));
  std::ofstream(folder_.path("go")) << "go\n";
  const CommandResult result = running->wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("verification: successful"), std::string::npos) << result.out;
  EXPECT_EQ(report()["exit_code"], 0);
}

} // namespace
} // namespace hypermile::test
