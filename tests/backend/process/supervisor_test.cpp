// What a supervisor does to a program, and how it leaves it.

#include "backend/process/supervisor_fixture.hpp"

namespace hypermile::backend::process {
namespace {

TEST_F(SupervisorTest, confines_all_threads_and_lets_them_run_anywhere_at_the_end) {
  const Child program([] { start_thread(wait_forever); });
  {
    Supervisor supervisor(of(program));
    EXPECT_EQ(masks_of(program.pid()), MaskSet{all()});
    supervisor.confine(first());
    EXPECT_EQ(masks_of(program.pid()), MaskSet{first()});
    supervisor.confine(last());
    EXPECT_EQ(masks_of(program.pid()), MaskSet{last()});
  }
  EXPECT_EQ(masks_of(program.pid()), MaskSet{all()});
}

TEST_F(SupervisorTest, keeps_threads_where_they_wish_to_be_as_far_as_they_may) {
  const Child program([&] { control::set_affinity(0, first()); });
  {
    Supervisor supervisor(of(program));
    supervisor.confine(all());
    EXPECT_EQ(masks_of(program.pid()), MaskSet{first()});
    supervisor.confine(last());
    EXPECT_EQ(masks_of(program.pid()), MaskSet{last()});
    supervisor.confine(all());
    EXPECT_EQ(masks_of(program.pid()), MaskSet{first()});
    supervisor.confine(last());
  }
  EXPECT_EQ(masks_of(program.pid()), MaskSet{first()});
}

CpuSet wish_of_program; // for its signal handler
volatile int* times_it_moved = nullptr;

/// Goes where it wishes to be when it is told to.
void become_mover() {
  std::signal(SIGUSR1, [](int) {
    control::set_affinity(0, wish_of_program);
    *times_it_moved = *times_it_moved + 1;
  });
}

bool moves(const Child& program) {
  const int before = *times_it_moved;
  ::kill(program.pid(), SIGUSR1);
  return comes_true([&] { return *times_it_moved > before; });
}

TEST_F(SupervisorTest, remembers_where_a_program_wishes_to_be_from_now_on) {
  const Shared<int> times;
  times_it_moved = &*times;
  wish_of_program = last();
  const Child program(become_mover);
  {
    Supervisor supervisor(of(program));
    supervisor.confine(first());
    EXPECT_TRUE(moves(program));
    EXPECT_TRUE(has(program.pid(), {first()}));
    supervisor.confine(all());
    EXPECT_TRUE(has(program.pid(), {last()}));
    supervisor.confine(first());
  }
  EXPECT_EQ(masks_of(program.pid()), MaskSet{last()});
}

TEST_F(SupervisorTest, confines_threads_that_start_later_as_long_as_it_is_there) {
  const Child program([] {
    start_thread([] {
      for (;;) { // its threads change all the time
        start_thread([] { test::pause_for_ms(5); });
        test::pause_for_ms(1);
      }
    });
  });
  {
    Supervisor supervisor(of(program));
    for (const CpuSet& cpus : {first(), last(), first()}) {
      supervisor.confine(cpus);
      EXPECT_TRUE(has(program.pid(), {cpus}));
    }
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(has(program.pid(), {all()}));
    test::pause_for_ms(1);
  }
}

TEST_F(SupervisorTest, confines_and_frees_processes_that_a_program_forks) {
  const Shared<pid_t> forked;
  const Child program([&] {
    std::signal(SIGUSR1, [](int) {});
    start_thread([&] { // after the supervisor has begun
      while (masks_of(::getpid()) != MaskSet{first()})
        test::pause_for_ms(1);
      *forked = fork_for([] {});
      wait_forever();
    });
  });
  {
    Supervisor supervisor(of(program));
    supervisor.confine(first());
    EXPECT_TRUE(comes_true([&] { return *forked != 0; }));
    EXPECT_TRUE(has(*forked, {first()}));
    supervisor.confine(last());
    EXPECT_TRUE(has(*forked, {last()}));
  }
  expect_as_before(*forked);
  expect_as_before(program.pid());
}

TEST_F(SupervisorTest, frees_a_program_that_forks_all_the_time) {
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
    Supervisor supervisor(of(program));
    supervisor.confine(first());
    supervisor.slow_down(2);
    test::pause_for_ms(100);
  }
  expect_as_before(program.pid());
  ProcessTree tree(of(program));
  EXPECT_TRUE(comes_true([&] {
    tree.scan();
    return std::ranges::all_of(tree.processes(), [&](const Process& process) {
      return !process.stopped && masks_of(process.pid) == MaskSet{all()};
    });
  }));
}

class Subreaper {
public:
  Subreaper() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }
  ~Subreaper() { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }
};

TEST_F(SupervisorTest, holds_a_program_that_becomes_a_daemon) {
  const Subreaper subreaper;
  const Shared<pid_t> daemon;
  Child program([&] {
    start_thread([&] {
      while (masks_of(::getpid()) != MaskSet{first()})
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
    Supervisor supervisor({.root = program.pid(), .reaper = ::getpid()});
    supervisor.confine(first());
    EXPECT_TRUE(comes_true([&] { return *daemon != 0 && !is_there(program.pid()); }));
    EXPECT_TRUE(supervisor.alive());
    supervisor.confine(last());
    EXPECT_TRUE(has(*daemon, {last()}));
    supervisor.slow_down(2);
  }
  expect_as_before(*daemon);
  ::kill(*daemon, SIGKILL);
  while (::waitpid(-1, nullptr, WNOHANG) > 0 || is_there(*daemon)) {
  }
}

TEST_F(SupervisorTest, ends_with_the_program) {
  Child program([] {});
  Supervisor supervisor(of(program));
  supervisor.confine(first());
  EXPECT_TRUE(supervisor.alive());
  const Seconds before = supervisor.cpu_time();
  program.end_by(SIGKILL);
  EXPECT_TRUE(comes_true([&] { return !supervisor.alive(); }));
  EXPECT_EQ(supervisor.pid(), 0);
  EXPECT_GE(supervisor.cpu_time(), before);
  EXPECT_NO_THROW(supervisor.confine(last()));
  EXPECT_NO_THROW(supervisor.slow_down(2));
}

TEST_F(SupervisorTest, reads_the_cpu_time_of_a_program) {
  const Child program([] { start_thread(test::compute); });
  Supervisor supervisor(of(program));
  const Seconds before = supervisor.cpu_time();
  EXPECT_TRUE(comes_true([&] { return supervisor.cpu_time() - before > Seconds{0.02}; }));
}

/// How much of the time is DutyCycle's to say.
TEST_F(SupervisorTest, lets_a_program_run_a_part_of_the_time) {
  const Child program([] { start_thread(test::compute); });
  Supervisor supervisor(of(program));
  supervisor.slow_down(10);
  for (const bool stopped : {true, false, true, false})
    EXPECT_TRUE(comes_true([&] { return is_stopped(program.pid()) == stopped; }));
  const Seconds before = supervisor.cpu_time();
  EXPECT_TRUE(comes_true([&] { return supervisor.cpu_time() > before; }));
  supervisor.slow_down(1);
  for (int i = 0; i < 50; ++i) {
    EXPECT_FALSE(is_stopped(program.pid()));
    test::pause_for_ms(2);
  }
}

TEST_F(SupervisorTest, is_not_made_for_a_process_that_is_not_there) {
  try {
    const Supervisor supervisor({.root = 0x7fffffff});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_STREQ(error.what(), "there is no process 2147483647; try: 'ps -e' lists those that "
                               "there are");
  }
}

TEST_F(SupervisorTest, says_why_a_program_cannot_be_confined) {
  const Shared<int> times;
  times_it_moved = &*times;
  wish_of_program = last();
  const Child program(become_mover);
  Supervisor supervisor(of(program));
  supervisor.confine(first());
  for (const CpuSet& none : {CpuSet{}, CpuSet{16000}}) {
    try {
      supervisor.confine(none);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::hardware);
      EXPECT_EQ(std::string(error.what()), "cannot confine process " +
                                               std::to_string(program.pid()) +
                                               ": Invalid argument (EINVAL)");
    }
    EXPECT_TRUE(moves(program));
    EXPECT_TRUE(has(program.pid(), {first()})); // as before
  }
}

TEST_F(SupervisorTest, says_that_another_users_program_may_not_be_touched) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can become another user";
  const Child program([] {});
  const pid_t stranger = ::fork();
  if (stranger == 0) {
    constexpr uid_t nobody = 65534;
    int refused = ::setresuid(nobody, nobody, nobody) == 0 ? 0 : 10;
    Supervisor supervisor(of(program));
    try {
      supervisor.confine(first());
    } catch (const Error& error) {
      refused += std::string(error.what()).ends_with("Operation not permitted (EPERM)") ? 1 : 0;
    }
    try {
      supervisor.slow_down(2);
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

TEST_F(SupervisorTest, holds_nothing_of_its_owner) {
  const Child program([] {});
  int output[2] = {-1, -1};
  ASSERT_EQ(::pipe(output), 0);
  const int high = ::dup2(output[1], 100);
  const Supervisor supervisor(of(program));
  ::close(output[1]);
  ::close(high);
  char byte = 0;
  EXPECT_EQ(::read(output[0], &byte, 1), 0); // the end, as nobody else has it
  ::close(output[0]);
  EXPECT_EQ(::getsid(supervisor.pid()), supervisor.pid());
}

TEST_F(SupervisorTest, never_touches_its_owner_or_itself) {
  // The program that is steered is one that steers, as where a user names his own shell.
  const Shared<int> right;
  const Child parent([&] {
    fork_for([&] {
      Supervisor supervisor({.root = ::getppid()});
      supervisor.confine(first());
      supervisor.slow_down(10);
      test::pause_for_ms(100);
      *right = masks_of(::getpid()) == MaskSet{all()} &&
                       masks_of(supervisor.pid()) == MaskSet{all()} &&
                       masks_of(::getppid()) == MaskSet{first()}
                   ? 1
                   : 2;
    });
    while (*right == 0)
      test::pause_for_ms(1);
  });
  EXPECT_EQ(*right, 1);
  EXPECT_THROW(Supervisor({.root = ::getpid()}), Error);
}

} // namespace
} // namespace hypermile::backend::process
