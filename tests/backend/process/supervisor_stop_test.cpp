// A program that its user stops, while a supervisor slows it down.

#include "backend/process/supervisor_fixture.hpp"

namespace hypermile::backend::process {
namespace {

TEST_F(SupervisorTest, leaves_a_program_stopped_that_was_so_when_it_came) {
  const Child program([] { start_thread(wait_forever); });
  ::kill(program.pid(), SIGSTOP);
  EXPECT_TRUE(comes_true([&] { return is_stopped(program.pid()); }));
  {
    Supervisor supervisor(of(program));
    supervisor.confine(first());
    supervisor.slow_down(2);
    for (int i = 0; i < 50; ++i) {
      test::pause_for_ms(2);
      EXPECT_TRUE(is_stopped(program.pid()));
    }
  }
  EXPECT_TRUE(is_stopped(program.pid()));
  EXPECT_EQ(masks_of(program.pid()), MaskSet{all()});
  {
    Supervisor supervisor(of(program));
    supervisor.slow_down(2);
    ::kill(supervisor.pid(), SIGKILL);
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
  for (int i = 0; i < 60; ++i) {
    if (!is_stopped(process))
      return false;
    test::pause_for_ms(1);
  }
  return true;
}

/// What comes in the microseconds between a look at the process and its SIGCONT is lost, so a user
/// may have to press it twice.
bool ctrl_z_stops(pid_t process, bool while_it_pauses) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(comes_true([&] { return is_stopped(process) == while_it_pauses; }));
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

TEST_F(SupervisorTest, leaves_a_program_stopped_that_its_user_stops_and_slows_it_down_again_later) {
  for (const bool while_it_pauses : {false, true}) {
    const Child program([] { become_job(SIG_DFL); });
    {
      Supervisor supervisor(of(program));
      supervisor.slow_down(3);
      EXPECT_TRUE(ctrl_z_stops(program.pid(), while_it_pauses));
      ::kill(program.pid(), SIGCONT);
      EXPECT_TRUE(runs_and_pauses(program.pid()));
      EXPECT_TRUE(ctrl_z_stops(program.pid(), while_it_pauses));
    }
    EXPECT_TRUE(stays_stopped(program.pid()));
    ::kill(program.pid(), SIGCONT);
    expect_as_before(program.pid());
  }
}

TEST_F(SupervisorTest, slows_down_a_program_that_does_not_stop_when_its_user_asks_it_to) {
  const Shared<int> times;
  static volatile int* count = nullptr;
  count = &*times;
  const Child program([] { become_job([](int) { *count = *count + 1; }); });
  Supervisor supervisor(of(program));
  supervisor.slow_down(5);
  EXPECT_TRUE(comes_true([&] {
    ::kill(program.pid(), SIGTSTP);
    return *times >= 5;
  }));
  EXPECT_TRUE(runs_and_pauses(program.pid()));
}

} // namespace
} // namespace hypermile::backend::process
