// However it ends, a program runs where and when it did before.

#include "backend/process/warden.hpp"

#include "backend/process/programs.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <optional>

#include <sys/mman.h>

namespace hypermile::backend::process {
namespace {

using control::CpuSet;
using test::Child;
using test::comes_true;
using test::fork_for;
using test::is_stopped;
using test::is_there;
using test::masks_of;
using Masks = std::set<CpuSet>;

/// Something that a process and those that it forks share.
template <class T> class Shared {
public:
  Shared()
      : value_(static_cast<T*>(::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~Shared() { ::munmap(const_cast<T*>(value_), sizeof(T)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  volatile T& operator*() const { return *value_; }

private:
  volatile T* value_;
};

class WardenTest : public testing::Test {
protected:
  void SetUp() override {
    if (all_.size() < 2)
      GTEST_SKIP() << "there is but one CPU to run on";
  }

  [[nodiscard]] const CpuSet& all() const { return all_; }
  [[nodiscard]] CpuSet first() const { return {all_.front()}; }
  [[nodiscard]] CpuSet last() const { return {all_.back()}; }
  [[nodiscard]] static bool has(pid_t process, const Masks& masks) {
    return comes_true([&] { return masks_of(process) == masks; });
  }
  /// As a program is that nobody steers.
  void expect_as_before(pid_t process) const {
    EXPECT_TRUE(has(process, {all_}));
    EXPECT_TRUE(comes_true([&] { return !is_stopped(process); }));
  }
  static Program of(const Child& child) { return {.root = child.pid()}; }

private:
  CpuSet all_ = control::affinity(0).value();
};

void start_thread(const std::function<void()>& work) { std::thread(work).detach(); }
void wait_forever() {
  for (;;)
    ::pause();
}

TEST_F(WardenTest, confines_all_threads_and_lets_them_run_anywhere_at_the_end) {
  const Child program([] { start_thread(wait_forever); });
  {
    Warden warden(of(program));
    EXPECT_EQ(masks_of(program.pid()), Masks{all()});
    warden.confine(first());
    EXPECT_EQ(masks_of(program.pid()), Masks{first()});
    warden.confine(last());
    EXPECT_EQ(masks_of(program.pid()), Masks{last()});
  }
  EXPECT_EQ(masks_of(program.pid()), Masks{all()});
}

TEST_F(WardenTest, keeps_threads_where_they_wish_to_be_as_far_as_they_may) {
  const Child program([&] { control::set_affinity(0, first()); });
  {
    Warden warden(of(program));
    warden.confine(all());
    EXPECT_EQ(masks_of(program.pid()), Masks{first()});
    warden.confine(last());
    EXPECT_EQ(masks_of(program.pid()), Masks{last()});
    warden.confine(all());
    EXPECT_EQ(masks_of(program.pid()), Masks{first()});
    warden.confine(last());
  }
  EXPECT_EQ(masks_of(program.pid()), Masks{first()});
}

CpuSet wish_of_program; // for its signal handler

TEST_F(WardenTest, remembers_where_a_program_wishes_to_be_from_now_on) {
  wish_of_program = last();
  const Child program(
      [] { std::signal(SIGUSR1, [](int) { control::set_affinity(0, wish_of_program); }); });
  {
    Warden warden(of(program));
    warden.confine(first());
    ::kill(program.pid(), SIGUSR1);
    EXPECT_TRUE(has(program.pid(), {last()}) || has(program.pid(), {first()}));
    EXPECT_TRUE(has(program.pid(), {first()}));
    warden.confine(all());
    EXPECT_TRUE(has(program.pid(), {last()}));
    warden.confine(first());
  }
  EXPECT_EQ(masks_of(program.pid()), Masks{last()});
}

TEST_F(WardenTest, confines_threads_that_start_later_as_long_as_it_is_there) {
  const Child program([] {
    start_thread([] {
      for (;;) { // its threads change all the time
        start_thread([] { test::pause_for_ms(5); });
        test::pause_for_ms(1);
      }
    });
  });
  {
    Warden warden(of(program));
    for (const CpuSet& cpus : {first(), last(), first()}) {
      warden.confine(cpus);
      EXPECT_TRUE(has(program.pid(), {cpus}));
    }
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(has(program.pid(), {all()}));
    test::pause_for_ms(1);
  }
}

TEST_F(WardenTest, confines_and_frees_processes_that_a_program_forks) {
  const Shared<pid_t> forked;
  const Child program([&] {
    std::signal(SIGUSR1, [](int) {});
    start_thread([&] { // after the warden has begun
      while (masks_of(::getpid()) != Masks{first()})
        test::pause_for_ms(1);
      *forked = fork_for([] {});
      wait_forever();
    });
  });
  {
    Warden warden(of(program));
    warden.confine(first());
    EXPECT_TRUE(comes_true([&] { return *forked != 0; }));
    EXPECT_TRUE(has(*forked, {first()}));
    warden.confine(last());
    EXPECT_TRUE(has(*forked, {last()}));
  }
  expect_as_before(*forked);
  expect_as_before(program.pid());
}

TEST_F(WardenTest, frees_a_program_that_forks_all_the_time) {
  const Child program([] {
    std::signal(SIGCHLD, SIG_IGN);
    start_thread([] {
      for (;;) {
        fork_for([] {
          test::pause_for_ms(20);
          ::_exit(0);
        });
        test::pause_for_ms(2);
      }
    });
  });
  {
    Warden warden(of(program));
    warden.confine(first());
    warden.slow_down(2);
    test::pause_for_ms(100);
  }
  expect_as_before(program.pid());
  ProcessTree tree(of(program));
  EXPECT_TRUE(comes_true([&] {
    tree.scan();
    return std::ranges::all_of(tree.processes(), [&](const Process& process) {
      return !process.stopped && masks_of(process.pid) == Masks{all()};
    });
  }));
}

class Subreaper {
public:
  Subreaper() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }
  ~Subreaper() { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }
};

TEST_F(WardenTest, holds_a_program_that_becomes_a_daemon) {
  const Subreaper subreaper;
  const Shared<pid_t> daemon;
  Child program([&] {
    start_thread([&] {
      while (masks_of(::getpid()) != Masks{first()})
        test::pause_for_ms(1);
      if (::fork() == 0) {
        ::setsid();
        const pid_t child = ::fork();
        if (child == 0)
          wait_forever();
        *daemon = child;
      }
      ::_exit(0);
    });
  });
  {
    Warden warden({.root = program.pid(), .reaper = ::getpid()});
    warden.confine(first());
    EXPECT_TRUE(comes_true([&] { return *daemon != 0 && !is_there(program.pid()); }));
    EXPECT_TRUE(warden.alive());
    warden.confine(last());
    EXPECT_TRUE(has(*daemon, {last()}));
    warden.slow_down(2);
  }
  expect_as_before(*daemon);
  ::kill(*daemon, SIGKILL);
  while (::waitpid(-1, nullptr, WNOHANG) > 0 || is_there(*daemon)) {
  }
}

TEST_F(WardenTest, ends_with_the_program) {
  Child program([] {});
  Warden warden(of(program));
  warden.confine(first());
  EXPECT_TRUE(warden.alive());
  const Seconds before = warden.cpu_time();
  program.end_by(SIGKILL);
  EXPECT_TRUE(comes_true([&] { return !warden.alive(); }));
  EXPECT_EQ(warden.pid(), 0);
  EXPECT_GE(warden.cpu_time(), before);
  EXPECT_NO_THROW(warden.confine(last()));
  EXPECT_NO_THROW(warden.slow_down(2));
}

TEST_F(WardenTest, reads_the_cpu_time_of_a_program) {
  const Child program([] { start_thread(test::compute); });
  Warden warden(of(program));
  const Seconds before = warden.cpu_time();
  EXPECT_TRUE(comes_true([&] { return warden.cpu_time() - before > Seconds{0.02}; }));
}

TEST_F(WardenTest, lets_a_program_run_a_part_of_the_time) {
  const Child program([] { start_thread(test::compute); });
  Warden warden(of(program));
  const auto share = [&] {
    timespec begin{};
    timespec end{};
    const Seconds before = cpu_time_of(program.pid()).value();
    ::clock_gettime(CLOCK_MONOTONIC, &begin);
    test::pause_for_ms(400);
    ::clock_gettime(CLOCK_MONOTONIC, &end);
    const auto time = static_cast<double>(end.tv_sec - begin.tv_sec) +
                      1e-9 * static_cast<double>(end.tv_nsec - begin.tv_nsec);
    return (cpu_time_of(program.pid()).value() - before).value() / time;
  };
  warden.slow_down(10);
  EXPECT_LT(share(), 0.35); // 0.1 but for what a busy machine makes of it
  warden.slow_down(1);
  EXPECT_TRUE(comes_true([&] { return share() > 0.4; }));
}

/// Steers a program in a process of its own, until that is killed.
class SteeredByAnother : public WardenTest, public testing::WithParamInterface<int> {};

TEST_P(SteeredByAnother, is_as_before_when_that_ends) {
  const Child program([] { start_thread(wait_forever); });
  const Shared<pid_t> warden_pid;
  std::optional<Warden> warden;
  Child owner([&] {
    warden.emplace(of(program));
    *warden_pid = warden->pid();
    warden->confine(first());
    warden->slow_down(10);
  });
  EXPECT_EQ(masks_of(program.pid()), Masks{first()});
  EXPECT_TRUE(comes_true([&] { return is_stopped(program.pid()); }));
  owner.end_by(GetParam());
  EXPECT_TRUE(comes_true([&] { return !is_there(*warden_pid); }));
  EXPECT_EQ(masks_of(program.pid()), Masks{all()});
  EXPECT_FALSE(is_stopped(program.pid()));
}

INSTANTIATE_TEST_SUITE_P(Signals, SteeredByAnother, testing::Values(SIGKILL, SIGTERM, SIGABRT));

TEST_F(WardenTest, undoes_everything_though_a_child_of_its_owner_lives_on) {
  const Child program([] {});
  const Shared<pid_t> child;
  std::optional<Warden> warden;
  Child owner([&] {
    warden.emplace(of(program));
    warden->confine(first());
    if (const pid_t forked = ::fork(); forked != 0)
      *child = forked;
    else
      wait_forever();
  });
  EXPECT_EQ(masks_of(program.pid()), Masks{first()});
  owner.end_by(SIGKILL);
  expect_as_before(program.pid());
  ::kill(*child, SIGKILL);
}

TEST_F(WardenTest, does_nothing_in_a_forked_child) {
  const Child program([] {});
  std::optional<Warden> warden(of(program));
  warden->confine(first());
  const pid_t child = ::fork();
  if (child == 0) {
    warden->confine(last());
    warden.reset();
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(masks_of(program.pid()), Masks{first()});
  warden.reset();
  expect_as_before(program.pid());
}

TEST_F(WardenTest, that_was_killed_is_noticed_at_the_next_call_which_undoes_everything) {
  const Shared<pid_t> forked;
  const Child program([&] {
    control::set_affinity(0, last());
    *forked = fork_for([&] { control::set_affinity(0, all()); });
    start_thread([] { wait_forever(); });
  });
  EXPECT_TRUE(has(*forked, {all()}));
  Warden warden(of(program));
  warden.confine(first());
  warden.slow_down(10);
  EXPECT_TRUE(comes_true([&] { return is_stopped(*forked); }));
  ::kill(warden.pid(), SIGKILL);
  EXPECT_THROW(warden.confine(first()), Error);
  EXPECT_EQ(masks_of(program.pid()), Masks{last()});
  EXPECT_EQ(masks_of(*forked), Masks{all()});
  EXPECT_TRUE(comes_true([&] { return !is_stopped(program.pid()) && !is_stopped(*forked); }));
  EXPECT_THROW(warden.slow_down(2), Error);
  EXPECT_TRUE(warden.alive());
  EXPECT_GT(warden.cpu_time(), Seconds{});
}

TEST_F(WardenTest, that_was_killed_is_noticed_at_the_end) {
  const Child program([] { start_thread(wait_forever); });
  {
    Warden warden(of(program));
    warden.confine(first());
    warden.slow_down(10);
    ::kill(warden.pid(), SIGKILL);
  }
  expect_as_before(program.pid());
}

TEST_F(WardenTest, that_was_killed_still_tells_of_the_end_of_the_program) {
  Child program([] {});
  Warden warden(of(program));
  ::kill(warden.pid(), SIGKILL);
  EXPECT_TRUE(warden.alive());
  program.end_by(SIGKILL);
  EXPECT_FALSE(warden.alive());
  EXPECT_NO_THROW(warden.confine(first()));
}

TEST_F(WardenTest, leaves_a_program_stopped_that_was_so_when_it_came) {
  const Child program([] { start_thread(wait_forever); });
  ::kill(program.pid(), SIGSTOP);
  EXPECT_TRUE(comes_true([&] { return is_stopped(program.pid()); }));
  {
    Warden warden(of(program));
    warden.confine(first());
    warden.slow_down(2);
    for (int i = 0; i < 50; ++i) {
      test::pause_for_ms(2);
      EXPECT_TRUE(is_stopped(program.pid()));
    }
  }
  EXPECT_TRUE(is_stopped(program.pid()));
  EXPECT_EQ(masks_of(program.pid()), Masks{all()});
  {
    Warden warden(of(program));
    warden.slow_down(2);
    ::kill(warden.pid(), SIGKILL);
  }
  EXPECT_TRUE(is_stopped(program.pid()));
}

/// The program of a shell that has job control, with what it does on Ctrl-Z.
void become_job(void (*on_ctrl_z)(int)) {
  ::setpgid(0, 0);
  std::signal(SIGTSTP, on_ctrl_z);
  start_thread(test::compute);
}

bool stays_stopped(pid_t process) {
  for (int i = 0; i < 30; ++i) {
    if (!is_stopped(process))
      return false;
    test::pause_for_ms(2);
  }
  return true;
}

/// What comes in the microseconds between a look at the process and its SIGCONT is lost, so a user
/// may have to press it twice.
bool ctrl_z_stops(pid_t process) {
  for (int i = 0; i < 2; ++i) {
    ::kill(process, SIGTSTP);
    test::pause_for_ms(40);
    if (stays_stopped(process))
      return true;
  }
  return false;
}

bool runs_and_pauses(pid_t process) {
  return comes_true([&] { return !is_stopped(process); }) &&
         comes_true([&] { return is_stopped(process); }) &&
         comes_true([&] { return !is_stopped(process); });
}

TEST_F(WardenTest, leaves_a_program_stopped_that_its_user_stops_and_slows_it_down_again_later) {
  for (const double scale : {1.05, 20.0}) { // stopped while it runs, mostly, and while it pauses
    const Child program([] { become_job(SIG_DFL); });
    {
      Warden warden(of(program));
      warden.slow_down(scale);
      EXPECT_TRUE(ctrl_z_stops(program.pid()));
      ::kill(program.pid(), SIGCONT);
      EXPECT_TRUE(runs_and_pauses(program.pid()));
      EXPECT_TRUE(ctrl_z_stops(program.pid()));
    }
    EXPECT_TRUE(stays_stopped(program.pid()));
    ::kill(program.pid(), SIGCONT);
    expect_as_before(program.pid());
  }
}

TEST_F(WardenTest, slows_down_a_program_that_does_not_stop_when_its_user_asks_it_to) {
  const Shared<int> times;
  static volatile int* count = nullptr;
  count = &*times;
  const Child program([] { become_job([](int) { *count = *count + 1; }); });
  Warden warden(of(program));
  warden.slow_down(5);
  EXPECT_TRUE(comes_true([&] {
    ::kill(program.pid(), SIGTSTP);
    return *times >= 5;
  }));
  EXPECT_TRUE(runs_and_pauses(program.pid()));
}

TEST_F(WardenTest, is_not_made_for_a_process_that_is_not_there) {
  try {
    const Warden warden({.root = 0x7fffffff});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_STREQ(error.what(), "there is no process 2147483647; try: 'ps -e' lists those that "
                               "there are");
  }
}

TEST_F(WardenTest, says_why_a_program_cannot_be_confined) {
  const Child program([] {});
  Warden warden(of(program));
  warden.confine(first());
  for (const CpuSet& none : {CpuSet{}, CpuSet{16000}}) {
    try {
      warden.confine(none);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::hardware);
      EXPECT_EQ(std::string(error.what()), "cannot confine process " +
                                               std::to_string(program.pid()) +
                                               ": Invalid argument (EINVAL)");
    }
    EXPECT_EQ(masks_of(program.pid()), Masks{first()}); // as before
  }
}

TEST_F(WardenTest, says_that_another_users_program_may_not_be_touched) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can become another user";
  const Child program([] {});
  const pid_t stranger = ::fork();
  if (stranger == 0) {
    constexpr uid_t nobody = 65534;
    int refused = ::setresuid(nobody, nobody, nobody) == 0 ? 0 : 10;
    Warden warden(of(program));
    try {
      warden.confine(first());
    } catch (const Error& error) {
      refused += std::string(error.what()).ends_with("Operation not permitted (EPERM)") ? 1 : 0;
    }
    try {
      warden.slow_down(2);
    } catch (const Error& error) {
      refused += std::string(error.what()).ends_with("Operation not permitted (EPERM)") ? 1 : 0;
    }
    ::_exit(refused);
  }
  int status = 0;
  ::waitpid(stranger, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 2);
  expect_as_before(program.pid());
}

TEST_F(WardenTest, holds_nothing_of_its_owner) {
  const Child program([] {});
  int output[2] = {-1, -1};
  ASSERT_EQ(::pipe(output), 0);
  const Warden warden(of(program));
  ::close(output[1]);
  char byte = 0;
  EXPECT_EQ(::read(output[0], &byte, 1), 0); // the end, as nobody else has it
  ::close(output[0]);
  EXPECT_EQ(::getsid(warden.pid()), warden.pid());
}

TEST_F(WardenTest, never_touches_its_owner_or_itself) {
  // The program that is steered is one that steers, as where a user names his own shell.
  const Shared<int> right;
  const Child parent([&] {
    fork_for([&] {
      Warden warden({.root = ::getppid()});
      warden.confine(first());
      warden.slow_down(10);
      test::pause_for_ms(100);
      *right = masks_of(::getpid()) == Masks{all()} && masks_of(warden.pid()) == Masks{all()} &&
                       masks_of(::getppid()) == Masks{first()}
                   ? 1
                   : 2;
    });
    while (*right == 0)
      test::pause_for_ms(1);
  });
  EXPECT_EQ(*right, 1);
  EXPECT_THROW(Warden({.root = ::getpid()}), Error);
}

} // namespace
} // namespace hypermile::backend::process
