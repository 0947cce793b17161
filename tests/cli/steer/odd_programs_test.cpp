// Programs that make it hard to steer them.

#include "cli/steer/steered.hpp"

#include "control/process_stat.hpp"

#include <filesystem>

namespace hypermile::test {
namespace {

class SteerOdd : public SteerTest {
protected:
  /// A program that reports, and is steered to the end.
  void expect_steered(const Words& program, int exit_code = 0) {
    const CommandResult result = run(emulated({"--power", "75W"}), program);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(report()["reported_progress"], true);
    EXPECT_GT(report()["items"], 0);
    EXPECT_FALSE(timeline().empty());
  }
};

TEST_F(SteerOdd, with_new_threads_all_the_time) { expect_steered(odd({"threads", "2"})); }
TEST_F(SteerOdd, that_forks_its_workers) { expect_steered(odd({"workers", "2"})); }
TEST_F(SteerOdd, that_goes_to_the_background) { expect_steered(odd({"daemon", "2"})); }
TEST_F(SteerOdd, that_closes_its_descriptors) { expect_steered(odd({"close", "2"})); }
TEST_F(SteerOdd, that_crashes) { expect_steered(odd({"crash", "2"}), 128 + SIGSEGV); }
TEST_F(SteerOdd, that_a_shell_starts) {
  expect_steered({"sh", "-c", HYPERMILE_ODD " workers 2; exit 3"}, 3);
}

TEST_F(SteerOdd, that_goes_to_the_background_ends_on_a_signal_to_hypermile_no_more) {
  const auto running = start(by(Knob::cores), odd({"daemon", "100"}));
  wait_until("two workers and their parent", [&] { return processes("odd").size() == 3; });
  wait_until_set(Knob::cores, processes("odd").back());
  running->signal(SIGTERM);
  EXPECT_EQ(running->wait().exit_code, 0);
  EXPECT_EQ(processes("odd").size(), 3U); // it is nobody's to end
  for (const pid_t process : processes("odd"))
    ::kill(process, SIGKILL);
}

TEST_F(SteerOdd, that_says_nothing_is_left_alone) {
  const CommandResult result = run(emulated({"--power", "75W"}), odd({"silent", "1"}));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(report()["reported_progress"], false);
  EXPECT_TRUE(timeline().empty());
}

TEST_F(SteerOdd, that_says_nothing_for_long_is_told_of) {
  const CommandResult result = run(emulated({"--power", "75W"}), odd({"silent", "11"}));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.err.find("reported no progress"), std::string::npos) << result.err;
}

TEST_F(SteerOdd, whose_instructions_nobody_can_count_is_told_of_at_once) {
  const CommandResult result =
      run(emulated({"--power", "75W", "--progress", "instructions"}), odd({"silent", "1"}));
  EXPECT_EQ(result.exit_code, 0);
  if (report()["reported_progress"] == true)
    GTEST_SKIP() << "this machine counts instructions";
  EXPECT_NE(result.err.find("cannot count the instructions"), std::string::npos) << result.err;
}

/// Children of a process that have ended and that it has not waited for.
std::size_t zombies_of(pid_t parent) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string id = entry.path().filename();
    if (id.find_first_not_of("0123456789") != std::string::npos)
      continue;
    const auto stat = control::process_stat(static_cast<pid_t>(std::stol(id)));
    count += stat && stat->parent == parent && stat->state == 'Z' ? 1 : 0;
  }
  return count;
}

/// Each of the processes that it leaves behind ends before anybody could have looked at it.
TEST_F(SteerOdd, that_leaves_processes_behind_leaves_no_zombies) {
  for (const Words& progress :
       {Words{"--progress-regex", "item ([0-9]+)"}, {"--progress", "instructions"}, {}}) {
    const std::string done = folder_.path("done");
    std::filesystem::remove(done);
    const auto running =
        start(emulated([&] {
                Words options{"--power", "75W"};
                options.insert(options.end(), progress.begin(), progress.end());
                return options;
              }()),
              {"sh", "-c",
               "for i in 1 2 3 4 5 6 7 8 9 10; do echo item $i; (true &); (sleep 0.01 &); done;"
               " touch " +
                   done + "; exec sleep 1000"});
    wait_until("all are left behind", [&] { return std::filesystem::exists(done); });
    wait_until("no zombies", [&] { return zombies_of(running->pid()) == 0; });
    running->signal(SIGTERM);
    EXPECT_EQ(running->wait().exit_code, 128 + SIGTERM);
  }
}

#ifdef HYPERMILE_OPENMP
TEST_F(SteerOdd, that_uses_openmp_reports_what_it_does) {
  environment_["OMP_NUM_THREADS"] = "2";
  const CommandResult result =
      run(emulated({"--power", "75W"}),
          {"sh", "-c", "for i in 1 2 3 4 5; do " HYPERMILE_OPENMP "; sleep 0.2; done"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(report()["reported_progress"], true);
  // Each does 34; what was done before steering began is not counted.
  EXPECT_GT(report()["items"], 34);
  EXPECT_LE(report()["items"], 5 * 34);
}
#endif

} // namespace
} // namespace hypermile::test
