#include "backend/process/process_tree.hpp"

#include "backend/process/fake_proc.hpp"
#include "control/processes.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>

namespace hypermile::backend::process {
namespace {

class FakeTree : public testing::Test {
protected:
  FakeTree() {
    proc_.put(1, {.parent = 0, .start = 1});
    proc_.put(10, {.parent = 1, .start = 50});
    proc_.put(20, {.parent = 10, .start = 100, .threads = {21, 22}});
  }
  [[nodiscard]] ProcessTree tree(pid_t reaper = 0, std::set<pid_t> strangers = {}) {
    return ProcessTree({.root = 20, .reaper = reaper, .strangers = std::move(strangers)},
                       {proc_.root(), [this](pid_t pid) -> std::optional<Seconds> {
                          if (when_read_)
                            std::exchange(when_read_, nullptr)();
                          const auto time = cpu_times_.find(pid);
                          return time == cpu_times_.end() ? std::optional<Seconds>() : time->second;
                        }});
  }
  static std::vector<pid_t> pids(const ProcessTree& tree) {
    std::vector<pid_t> all;
    for (const Process& process : tree.processes())
      all.push_back(process.pid);
    return all;
  }
  using Pids = std::vector<pid_t>;
  [[nodiscard]] const test::FakeProc& proc() const { return proc_; }
  void computed(pid_t pid, double seconds) { cpu_times_[pid] = Seconds{seconds}; }
  /// Happens once, after the processes have been listed and before the next one is read.
  void when_read(std::function<void()> happens) { when_read_ = std::move(happens); }

private:
  test::FakeProc proc_;
  std::map<pid_t, Seconds> cpu_times_;
  std::function<void()> when_read_;
};

TEST_F(FakeTree, holds_the_root_with_its_threads) {
  const ProcessTree program = tree();
  ASSERT_EQ(program.processes().size(), 1U);
  EXPECT_EQ(program.processes()[0].threads, (Pids{20, 21, 22}));
  EXPECT_EQ(program.processes()[0].start, 100U);
  EXPECT_FALSE(program.processes()[0].stopped);
}

TEST_F(FakeTree, holds_all_descendants_whatever_their_numbers) {
  proc().put(30, {.parent = 20});
  proc().put(5, {.parent = 30}); // pids start again from below
  proc().put(40, {.parent = 5, .state = 'T'});
  proc().put(50, {.parent = 10});
  const ProcessTree program = tree();
  EXPECT_EQ(pids(program), (Pids{5, 20, 30, 40}));
  EXPECT_TRUE(program.processes()[3].stopped);
}

TEST_F(FakeTree, finds_processes_that_begin_later) {
  ProcessTree program = tree();
  proc().put(30, {.parent = 20});
  proc().put(31, {.parent = 10});
  program.scan();
  EXPECT_EQ(pids(program), (Pids{20, 30}));
  proc().put(32, {.parent = 30});
  program.scan();
  EXPECT_EQ(pids(program), (Pids{20, 30, 32}));
}

TEST_F(FakeTree, keeps_a_process_whose_parent_has_ended) {
  proc().put(30, {.parent = 20});
  ProcessTree program = tree();
  proc().put(30, {.parent = 1});
  proc().remove(20);
  program.scan();
  EXPECT_EQ(pids(program), Pids{30});
  EXPECT_TRUE(program.alive());
}

TEST_F(FakeTree, takes_a_pid_that_is_used_again_for_another_process) {
  proc().put(30, {.parent = 20, .start = 200});
  ProcessTree program = tree();
  proc().put(30, {.parent = 1, .start = 300});
  program.scan();
  EXPECT_EQ(pids(program), Pids{20});
  proc().put(20, {.parent = 10, .start = 400});
  program.scan();
  EXPECT_FALSE(program.alive());
}

TEST_F(FakeTree, takes_a_pid_of_a_stranger_that_is_used_again_for_what_it_is_now) {
  proc().put(30, {.parent = 10});
  ProcessTree program = tree();
  proc().remove(30);
  program.scan();
  proc().put(30, {.parent = 20, .start = 300});
  program.scan();
  EXPECT_EQ(pids(program), (Pids{20, 30}));
}

TEST_F(FakeTree, does_not_hold_processes_that_have_ended_and_not_been_waited_for) {
  proc().put(30, {.parent = 20, .state = 'Z'});
  ProcessTree program = tree();
  EXPECT_EQ(pids(program), Pids{20});
  proc().put(20, {.parent = 10, .start = 100, .state = 'Z'});
  program.scan();
  EXPECT_FALSE(program.alive());
}

TEST_F(FakeTree, holds_a_process_whose_first_thread_has_ended) {
  proc().put(20, {.parent = 10, .start = 100, .state = 'Z', .threads = {21}});
  EXPECT_TRUE(tree().alive());
}

TEST_F(FakeTree, has_orphans_where_it_is_told_who_they_come_to) {
  proc().put(9, {.parent = 10, .start = 99});
  proc().put(30, {.parent = 10, .start = 200}); // the parent ended before anybody saw it
  EXPECT_EQ(pids(tree()), Pids{20});
  EXPECT_EQ(pids(tree(10)), (Pids{20, 30}));
}

TEST_F(FakeTree, finds_a_process_whose_parent_ends_while_it_is_looked_at) {
  ProcessTree program = tree(10);
  proc().remove(20);
  proc().put(30, {.parent = 10, .start = 200});
  program.scan();
  EXPECT_EQ(pids(program), Pids{30});
  proc().remove(30);
  proc().put(40, {.parent = 10, .start = 300});
  // 30 is looked for first, then 40, which has ended by then and has left 50.
  when_read([this] {
    when_read([this] {
      proc().remove(40);
      proc().put(50, {.parent = 10, .start = 400});
    });
  });
  program.scan();
  EXPECT_EQ(pids(program), Pids{50});
}

TEST_F(FakeTree, leaves_out_strangers_and_their_descendants) {
  proc().put(30, {.parent = 20});
  proc().put(31, {.parent = 30});
  EXPECT_EQ(pids(tree(0, {30})), Pids{20});
}

TEST_F(FakeTree, is_not_made_of_a_process_that_is_not_there) {
  proc().remove(20);
  EXPECT_THROW(static_cast<void>(tree()), Error);
  proc().put(20, {.parent = 10, .state = 'Z'});
  EXPECT_THROW(static_cast<void>(tree()), Error);
}

TEST_F(FakeTree, adds_up_the_cpu_time_of_its_processes) {
  proc().put(30, {.parent = 20});
  computed(20, 2);
  computed(30, 3);
  computed(10, 100);
  EXPECT_EQ(tree().cpu_time(), Seconds{5});
}

TEST_F(FakeTree, keeps_the_cpu_time_of_processes_that_have_ended) {
  proc().put(30, {.parent = 20});
  computed(20, 2);
  computed(30, 3);
  ProcessTree program = tree();
  proc().remove(30);
  program.scan();
  EXPECT_EQ(program.cpu_time(), Seconds{5});
  // Now its parent has waited for it: it is not counted twice.
  proc().put(20,
             {.parent = 10, .start = 100, .waited = 3 * static_cast<int>(::sysconf(_SC_CLK_TCK))});
  program.scan();
  EXPECT_EQ(program.cpu_time(), Seconds{5});
  proc().remove(20);
  program.scan();
  EXPECT_EQ(program.cpu_time(), Seconds{5});
}

TEST_F(FakeTree, counts_children_that_were_never_seen_but_waited_for) {
  computed(20, 2);
  ProcessTree program = tree();
  proc().put(20,
             {.parent = 10, .start = 100, .waited = 4 * static_cast<int>(::sysconf(_SC_CLK_TCK))});
  program.scan();
  EXPECT_EQ(program.cpu_time(), Seconds{6});
}

TEST_F(FakeTree, does_not_count_who_has_its_pid_now) {
  proc().put(30, {.parent = 20, .start = 200});
  computed(30, 3);
  ProcessTree program = tree();
  proc().put(30, {.parent = 1, .start = 300});
  computed(30, 50);
  program.scan();
  EXPECT_EQ(program.cpu_time(), Seconds{3});
}

TEST_F(FakeTree, adds_up_how_long_its_threads_wait_for_a_cpu) {
  proc().queued(20, 20, 1'000'000'000);
  proc().queued(20, 21, 500'000'000);
  ProcessTree program = tree();
  EXPECT_EQ(program.run_queue_wait(), Seconds{1.5}); // of thread 22 nothing is known
  proc().queued(20, 20, 1'250'000'000);
  program.scan();
  EXPECT_EQ(program.run_queue_wait(), Seconds{1.75});
  proc().put(20, {.parent = 10, .threads = {22}}); // 21 has ended, and 20 is another one
  proc().queued(20, 20, 250'000'000);
  proc().queued(20, 22, 1'000'000'000);
  program.scan();
  EXPECT_EQ(program.run_queue_wait(), Seconds{3});
}

TEST(RealTree, holds_a_process_that_a_child_has_forked) {
  const test::Child child([] {
    if (::fork() == 0)
      for (;;)
        ::pause();
  });
  const ProcessTree program({.root = child.pid()});
  ASSERT_EQ(program.processes().size(), 2U);
  const pid_t grandchild = program.processes()[0].pid == child.pid() ? program.processes()[1].pid
                                                                     : program.processes()[0].pid;
  EXPECT_EQ(program.processes()[0].threads.size(), 1U);
  ::kill(grandchild, SIGKILL);
}

TEST(RealTree, reads_a_cpu_time_that_grows_while_a_process_computes) {
  const test::Child child([] {
    std::thread([] {
      for (volatile int i = 0;;)
        i = 1 - i;
    }).detach();
  });
  ProcessTree program({.root = child.pid()});
  const Seconds before = program.cpu_time();
  EXPECT_TRUE(test::comes_true([&] {
    program.scan();
    return program.cpu_time() - before > Seconds{0.02};
  }));
  EXPECT_FALSE(cpu_time_of((1 << 22) + 1).has_value());
}

} // namespace
} // namespace hypermile::backend::process
