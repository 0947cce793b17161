// However a program, its warden or their owner ends, the program is left as it was found.

#include "backend/process/warden_fixture.hpp"

namespace hypermile::backend::process {
namespace {

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

} // namespace
} // namespace hypermile::backend::process
