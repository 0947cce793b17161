// However a program, its supervisor or their owner ends, the program is left as it was found.

#include "backend/process/supervisor_fixture.hpp"

#include <array>

namespace hypermile::backend::process {
namespace {

/// Steers a program in a process of its own, until that is killed.
class SteeredByAnother : public SupervisorTest, public testing::WithParamInterface<int> {};

TEST_P(SteeredByAnother, is_as_before_when_that_ends) {
  const Child program([] { start_thread(wait_forever); });
  const Shared<pid_t> supervisor_pid;
  std::optional<Supervisor> supervisor;
  Child owner([&] {
    supervisor.emplace(of(program));
    *supervisor_pid = supervisor->pid();
    supervisor->confine(first());
    supervisor->slow_down(10);
  });
  EXPECT_EQ(masks_of(program.pid()), MaskSet{first()});
  EXPECT_TRUE(comes_true([&] { return is_stopped(program.pid()); }));
  owner.end_by(GetParam());
  EXPECT_TRUE(comes_true([&] { return !is_there(*supervisor_pid); }));
  EXPECT_EQ(masks_of(program.pid()), MaskSet{all()});
  EXPECT_FALSE(is_stopped(program.pid()));
}

INSTANTIATE_TEST_SUITE_P(Signals, SteeredByAnother, testing::Values(SIGKILL, SIGTERM, SIGABRT));

/// Steers a program in a process of its own, of which two of three processes are killed at the same
/// time: stopped first, so that none can do anything when another is killed.
class KilledInPairs : public SupervisorTest, public testing::WithParamInterface<std::size_t> {
protected:
  struct Processes {
    pid_t supervisor;
    pid_t standby;
  };
};

TEST_P(KilledInPairs, leave_the_program_as_it_was_found) {
  const Child program([] { start_thread(wait_forever); });
  const Shared<Processes> shared;
  std::optional<Supervisor> supervisor;
  Child owner([&] {
    supervisor.emplace(of(program));
    const_cast<Processes&>(*shared) = {supervisor->pid(), supervisor->standby()};
    supervisor->confine(first());
    supervisor->slow_down(10);
    start_thread([&] { // which finds out if it is left alone
      for (;;) {
        test::pause_for_ms(10);
        (void)supervisor->alive();
      }
    });
  });
  EXPECT_EQ(masks_of(program.pid()), MaskSet{first()});
  const Processes helpers = const_cast<Processes&>(*shared);
  std::vector<pid_t> killed{owner.pid(), helpers.supervisor, helpers.standby};
  killed.erase(killed.begin() + static_cast<std::ptrdiff_t>(GetParam()));
  for (const pid_t process : killed)
    ::kill(process, SIGSTOP);
  EXPECT_TRUE(comes_true([&] { return std::ranges::all_of(killed, is_stopped); }));
  for (const pid_t process : killed)
    ::kill(process, SIGKILL);
  expect_as_before(program.pid());
  owner.end_by(SIGKILL);
  EXPECT_TRUE(
      comes_true([&] { return !is_there(helpers.supervisor) && !is_there(helpers.standby); }));
}

std::string name_of_kept(const testing::TestParamInfo<std::size_t>& test) {
  return std::array{"the_owner", "the_supervisor", "the_standby"}.at(test.param);
}
INSTANTIATE_TEST_SUITE_P(but_for, KilledInPairs, testing::Values(0, 1, 2), name_of_kept);

TEST_F(SupervisorTest, does_not_need_its_standby) {
  const Child program([] {});
  {
    Supervisor supervisor(of(program));
    ::kill(supervisor.standby(), SIGKILL);
    supervisor.confine(first());
    EXPECT_EQ(masks_of(program.pid()), MaskSet{first()});
  }
  expect_as_before(program.pid());
}

TEST_F(SupervisorTest, leaves_no_process_behind) {
  const Child program([] {});
  pid_t standby = 0;
  {
    const Supervisor supervisor(of(program));
    standby = supervisor.standby();
    EXPECT_TRUE(is_there(standby));
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), 0); // but the program
  EXPECT_FALSE(is_there(standby));
}

TEST_F(SupervisorTest, undoes_everything_though_a_child_of_its_owner_lives_on) {
  const Child program([] {});
  const Shared<pid_t> child;
  std::optional<Supervisor> supervisor;
  Child owner([&] {
    supervisor.emplace(of(program));
    supervisor->confine(first());
    if (const pid_t forked = ::fork(); forked != 0)
      *child = forked;
    else
      wait_forever();
  });
  EXPECT_EQ(masks_of(program.pid()), MaskSet{first()});
  owner.end_by(SIGKILL);
  expect_as_before(program.pid());
  ::kill(*child, SIGKILL);
}

TEST_F(SupervisorTest, does_nothing_in_a_forked_child) {
  const Child program([] {});
  std::optional<Supervisor> supervisor(of(program));
  supervisor->confine(first());
  const pid_t child = ::fork();
  if (child == 0) {
    supervisor->confine(last());
    supervisor.reset();
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(masks_of(program.pid()), MaskSet{first()});
  supervisor.reset();
  expect_as_before(program.pid());
}

TEST_F(SupervisorTest, that_was_killed_is_noticed_at_the_next_call_which_undoes_everything) {
  const Shared<pid_t> forked;
  const Child program([&] {
    control::set_affinity(0, last());
    *forked = fork_for([&] { control::set_affinity(0, all()); });
    start_thread([] { wait_forever(); });
  });
  EXPECT_TRUE(has(*forked, {all()}));
  Supervisor supervisor(of(program));
  supervisor.confine(first());
  supervisor.slow_down(10);
  EXPECT_TRUE(comes_true([&] { return is_stopped(*forked); }));
  ::kill(supervisor.pid(), SIGKILL);
  EXPECT_THROW(supervisor.confine(first()), Error);
  EXPECT_EQ(masks_of(program.pid()), MaskSet{last()});
  EXPECT_EQ(masks_of(*forked), MaskSet{all()});
  EXPECT_TRUE(comes_true([&] { return !is_stopped(program.pid()) && !is_stopped(*forked); }));
  EXPECT_THROW(supervisor.slow_down(2), Error);
  EXPECT_TRUE(supervisor.alive());
  EXPECT_GT(supervisor.cpu_time(), Seconds{});
}

TEST_F(SupervisorTest, that_was_killed_is_noticed_at_the_end) {
  const Child program([] { start_thread(wait_forever); });
  {
    Supervisor supervisor(of(program));
    supervisor.confine(first());
    supervisor.slow_down(10);
    ::kill(supervisor.pid(), SIGKILL);
  }
  expect_as_before(program.pid());
}

TEST_F(SupervisorTest, that_was_killed_still_tells_of_the_end_of_the_program) {
  Child program([] {});
  Supervisor supervisor(of(program));
  ::kill(supervisor.pid(), SIGKILL);
  EXPECT_TRUE(supervisor.alive());
  program.end_by(SIGKILL);
  EXPECT_FALSE(supervisor.alive());
  EXPECT_NO_THROW(supervisor.confine(first()));
}

} // namespace
} // namespace hypermile::backend::process
