// However the process that set gears ends, everything is as it was before.

#include "control/lease.hpp"

#include "control/guard_process.hpp"
#include "control/processes.hpp"
#include "control/restore.hpp"
#include "control/small_file.hpp"
#include "support/fake_sysfs.hpp"
#include "support/faults.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <optional>

#include <sys/socket.h>

namespace hypermile::control {
namespace {

// With the address sanitizer, a guard that has the library of faults preloaded does not answer.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool takes_faults = false;
#else
constexpr bool takes_faults = true;
#endif
#else
constexpr bool takes_faults = true;
#endif

using test::Child;
using test::comes_true;
using test::FakeSysfs;
using test::Faults;

class LeaseTest : public testing::Test {
protected:
  ~LeaseTest() override { test::kill_guards_of(sysfs_.root()); }

  [[nodiscard]] Lease acquire(const std::string& guard = HYPERMILE_GUARD) const {
    return Lease::acquire(place(), guard, this_process("4711", "cg"));
  }
  [[nodiscard]] std::string refusal(const std::string& guard = HYPERMILE_GUARD) const {
    try {
      (void)acquire(guard);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  void slow_down(Lease& lease) const {
    for (const int policy : sysfs_.policies()) {
      lease.write(sysfs_.path(policy, "scaling_governor"), "userspace");
      lease.write(sysfs_.path(policy, "scaling_max_freq"), "1600000");
      lease.write(sysfs_.path(policy, "scaling_max_freq"), "1200000");
    }
  }
  [[nodiscard]] bool is_slow() const {
    return sysfs_.read(0, "scaling_max_freq") == "1200000" &&
           sysfs_.read(4, "scaling_governor") == "userspace";
  }
  [[nodiscard]] bool is_restored() const { return sysfs_.settings() == before_; }
  /// As nothing of hypermile is left but an empty journal.
  void expect_all_over() const {
    EXPECT_TRUE(comes_true([&] { return test::guards_of(sysfs_.root()).empty(); }));
    EXPECT_TRUE(is_restored());
    EXPECT_EQ(restore_left_behind(place()).what, LeftBehind::What::nothing);
  }
  [[nodiscard]] Place place() const {
    return {.sysfs = sysfs_.root(), .state = state_.path("state")};
  }
  [[nodiscard]] const FakeSysfs& sysfs() const { return sysfs_; }
  [[nodiscard]] std::string path(int policy, const char* file = "scaling_max_freq") const {
    return sysfs_.path(policy, file);
  }
  /// A guard that meets these faults.
  [[nodiscard]] std::string guard_with(const std::string& faults) const {
    const std::string script = state_.path("hypermile-guard.sh");
    std::ofstream(script) << "#!/bin/sh\nHYPERMILE_TEST_FAULTS='" << faults
                          << "' LD_PRELOAD=" HYPERMILE_FAULTS " exec " HYPERMILE_GUARD " \"$@\"\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    return script;
  }

private:
  FakeSysfs sysfs_{FakeSysfs::Driver::acpi_cpufreq, {{0, 1}, {2, 3}, {4, 5}}};
  std::map<std::string, std::string> before_ = sysfs_.settings();
  test::TemporaryFolder state_;
};

TEST_F(LeaseTest, restores_everything_on_release_and_can_be_taken_again) {
  for (int i = 0; i < 2; ++i) {
    Lease lease = acquire();
    slow_down(lease);
    EXPECT_TRUE(is_slow());
    EXPECT_EQ(lease.release(), std::vector<std::string>{});
    EXPECT_TRUE(is_restored());
    EXPECT_EQ(lease.release(), std::vector<std::string>{});
  }
  expect_all_over();
}

TEST_F(LeaseTest, restores_everything_in_its_destructor) {
  {
    Lease lease = acquire();
    slow_down(lease);
    const Lease moved = std::move(lease);
  }
  expect_all_over();
}

class LeaseEnds : public LeaseTest, public testing::WithParamInterface<int> {};

TEST_P(LeaseEnds, by_a_signal_to_its_owner_with_everything_restored) {
  std::optional<Lease> lease;
  Child owner([&] { slow_down(lease.emplace(acquire())); });
  EXPECT_TRUE(is_slow());
  owner.end_by(GetParam());
  EXPECT_TRUE(comes_true([&] { return is_restored(); }));
  expect_all_over();
}

INSTANTIATE_TEST_SUITE_P(Signals, LeaseEnds, testing::Values(SIGKILL, SIGTERM, SIGABRT));

TEST_F(LeaseTest, ends_with_everything_restored_when_its_owner_exits_without_a_word) {
  const pid_t owner = ::fork();
  if (owner == 0) {
    Lease lease = acquire();
    slow_down(lease);
    ::_exit(is_slow() ? 7 : 8);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(owner, &status, 0), owner);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_TRUE(comes_true([&] { return is_restored(); }));
  expect_all_over();
}

TEST_F(LeaseTest, ends_with_everything_restored_when_its_owner_becomes_another_program) {
  const pid_t owner = ::fork();
  if (owner == 0) {
    Lease lease = acquire();
    slow_down(lease);
    if (is_slow())
      ::execl("/bin/sleep", "sleep", "1000", nullptr);
    ::_exit(1);
  }
  const std::string name = "/proc/" + std::to_string(owner) + "/comm";
  EXPECT_TRUE(comes_true([&] { return read_small_file(name) == "sleep"; }));
  EXPECT_TRUE(comes_true([&] { return is_restored(); }));
  expect_all_over();
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
}

TEST_F(LeaseTest, outlives_the_signals_that_end_a_job) {
  const JournalFile journal = JournalFile::open(place());
  const Descriptor guard = start_guard(HYPERMILE_GUARD, place().sysfs, journal.descriptor());
  const auto guards = test::guards_of(sysfs().root());
  ASSERT_EQ(guards.size(), 1U);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGXCPU, SIGALRM})
    EXPECT_EQ(::kill(guards[0], signal), 0);
  EXPECT_TRUE(guard::send(guard.number(), {guard::release, ""}));
  EXPECT_TRUE(guard::receive(guard.number(), 10000).has_value());
}

TEST_F(LeaseTest, is_not_kept_by_a_forked_child_that_outlives_its_owner) {
  int channel[2] = {-1, -1};
  ASSERT_EQ(::pipe(channel), 0);
  std::optional<Lease> lease;
  Child owner([&] {
    slow_down(lease.emplace(acquire()));
    if (const pid_t child = ::fork(); child != 0)
      (void)!::write(channel[1], &child, sizeof child);
    else
      for (;;)
        ::pause();
  });
  pid_t child = 0;
  ASSERT_EQ(::read(channel[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  EXPECT_TRUE(is_slow());
  owner.end_by(SIGKILL);
  EXPECT_TRUE(comes_true([&] { return is_restored(); }));
  expect_all_over();
  { const Lease next = acquire(); }
  ::kill(child, SIGKILL);
  ::close(channel[0]);
  ::close(channel[1]);
}

TEST_F(LeaseTest, is_over_for_all_who_have_a_copy_of_the_journals_descriptor) {
  const JournalFile journal = JournalFile::open(place());
  ASSERT_TRUE(journal.lock());
  const Descriptor guard = start_guard(HYPERMILE_GUARD, place().sysfs, journal.descriptor());
  EXPECT_FALSE(JournalFile::open(place()).lock());
  EXPECT_TRUE(guard::send(guard.number(), {guard::release, ""}));
  EXPECT_TRUE(guard::receive(guard.number(), 10000).has_value());
  EXPECT_TRUE(JournalFile::open(place()).lock());
}

TEST_F(LeaseTest, does_nothing_in_a_forked_child) {
  Lease lease = acquire();
  slow_down(lease);
  const pid_t child = ::fork();
  if (child == 0) {
    int wrong = 0;
    try {
      lease.write(path(0), "2000000");
      wrong = 1;
    } catch (const Error&) {
    }
    lease.release();
    ::_exit(wrong);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(is_slow());
  lease.release();
  expect_all_over();
}

volatile sig_atomic_t children_that_ended = 0;

TEST_F(LeaseTest, is_not_seen_by_a_program_that_looks_after_its_children) {
  struct sigaction before {};
  struct sigaction action {};
  action.sa_handler = [](int) { children_that_ended = children_that_ended + 1; };
  ::sigaction(SIGCHLD, &action, &before);
  {
    Lease lease = acquire();
    slow_down(lease);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }
  expect_all_over();
  EXPECT_EQ(children_that_ended, 0);
  ::sigaction(SIGCHLD, &before, nullptr);
}

TEST_F(LeaseTest, has_a_guard_that_holds_nothing_of_the_program) {
  int output[2] = {-1, -1};
  ASSERT_EQ(::pipe(output), 0);
  const int kept = ::dup2(output[1], 100);
  ::close(output[1]);
  const Lease lease = acquire();
  ::close(kept);
  char byte = 0;
  EXPECT_EQ(::read(output[0], &byte, 1), 0); // the end, as nobody else has it
  ::close(output[0]);
  const auto guards = test::guards_of(sysfs().root());
  ASSERT_EQ(guards.size(), 1U);
  EXPECT_EQ(::getsid(guards[0]), guards[0]);
  EXPECT_NE(::getsid(0), guards[0]);
  std::size_t descriptors = 0;
  const std::filesystem::path process = "/proc/" + std::to_string(guards[0]);
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(process / "fd"))
    ++descriptors;
  EXPECT_EQ(descriptors, 6U);
  EXPECT_EQ(std::filesystem::read_symlink(process / "cwd"), "/");
}

TEST_F(LeaseTest, is_had_by_one_process_at_a_time) {
  Lease lease = acquire();
  slow_down(lease);
  const std::string text = refusal();
  EXPECT_NE(text.find("are set by job 4711 of user "), text.npos) << text;
  EXPECT_NE(text.find("(cg, pid " + std::to_string(::getpid()) + ")"), text.npos) << text;
  EXPECT_TRUE(is_slow());
  EXPECT_EQ(restore_left_behind(place()).what, LeftBehind::What::in_use);
  EXPECT_TRUE(is_slow());
  lease.release();
  EXPECT_EQ(refusal(), "");
}

TEST_F(LeaseTest, restores_itself_when_its_guard_was_killed) {
  Lease lease = acquire();
  slow_down(lease);
  test::kill_guards_of(sysfs().root());
  lease.write(path(0), "1600000"); // known already, hence restored by this process or the next
  EXPECT_THROW(lease.write(path(0, "scaling_min_freq"), "1200000"), Error);
  EXPECT_EQ(lease.release(), std::vector<std::string>{});
  expect_all_over();
}

TEST_F(LeaseTest, whose_guard_and_owner_were_killed_is_restored_by_the_next) {
  std::optional<Lease> lease;
  Child owner([&] { slow_down(lease.emplace(acquire())); });
  test::kill_guards_of(sysfs().root());
  EXPECT_NE(refusal(), ""); // the owner still runs
  owner.end_by(SIGKILL);
  EXPECT_TRUE(is_slow());
  {
    Lease next = acquire();
    EXPECT_TRUE(is_restored());
    slow_down(next);
  }
  expect_all_over();
}

TEST_F(LeaseTest, whose_guard_and_owner_were_killed_is_restored_by_hand) {
  std::optional<Lease> lease;
  Child owner([&] { slow_down(lease.emplace(acquire())); });
  test::kill_guards_of(sysfs().root());
  EXPECT_EQ(restore_left_behind(place()).what, LeftBehind::What::in_use);
  EXPECT_TRUE(is_slow());
  owner.end_by(SIGKILL);
  const LeftBehind left = restore_left_behind(place());
  EXPECT_EQ(left.what, LeftBehind::What::settings);
  ASSERT_TRUE(left.owner.has_value());
  EXPECT_EQ(left.owner->job, "4711");
  expect_all_over();
}

/// Starts a guard as Lease does, but for what tells it when its owner ends.
void start_guard_without_pidfd(const Place& place, int socket) {
  const JournalFile journal = JournalFile::open(place);
  ASSERT_TRUE(journal.lock());
  const pid_t guard = ::fork();
  if (guard == 0) {
    ::dup2(socket, 103);
    ::dup2(journal.descriptor(), 104);
    ::dup2(103, guard::socket);
    ::dup2(104, guard::journal);
    ::close_range(guard::owner, ~0U, 0);
    ::execl(HYPERMILE_GUARD, HYPERMILE_GUARD, place.sysfs.c_str(), nullptr);
    ::_exit(1);
  }
}

TEST_F(LeaseTest, notices_the_end_of_its_owner_where_linux_has_no_pidfd) {
  int pair[2] = {-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0); // whose end is not closed
  Child owner([&] {
    const JournalFile journal = JournalFile::open(place());
    journal.append(begin_line(boot_id()) + owner_line(this_process("4711", "cg")) +
                   was_line({path(0), "2601000"}));
    write_small_file(path(0), "1200000");
  });
  start_guard_without_pidfd(place(), pair[1]);
  ::close(pair[1]);
  EXPECT_TRUE(guard::receive(pair[0], 10000).has_value());
  owner.end_by(SIGKILL);
  EXPECT_TRUE(comes_true([&] { return is_restored(); }));
  ::close(pair[0]);
  ::wait(nullptr); // for the guard
  expect_all_over();
}

TEST_F(LeaseTest, sets_nothing_when_the_disk_is_full) {
  {
    const Faults faults("ENOSPC:write:.journal");
    EXPECT_NE(refusal().find("No space left on device (ENOSPC)"), std::string::npos);
  }
  Lease lease = acquire();
  lease.write(path(0), "2000000");
  {
    const Faults faults("ENOSPC:write:.journal:3;SHORT:write:.journal"); // 3 bytes find room
    EXPECT_THROW(lease.write(path(2), "2000000"), FileError);
    EXPECT_EQ(sysfs().read(2, "scaling_max_freq"), "2601000");
  }
  lease.write(path(4), "2000000");
  lease.release();
  expect_all_over();
}

TEST_F(LeaseTest, sets_nothing_without_a_guard) {
  EXPECT_NE(refusal("/nowhere/hypermile-guard").find("cannot start the guard"), std::string::npos);
  EXPECT_NE(refusal("/bin/true").find("does not answer"), std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(journal_path(place())), 0U) << "others may have the node";
  EXPECT_EQ(refusal(), "");
  expect_all_over();
}

TEST_F(LeaseTest, sets_nothing_where_the_state_folder_cannot_be_made) {
  const Faults faults("EACCES:open:.journal");
  EXPECT_NE(refusal().find("cannot open the journal"), std::string::npos);
}

TEST_F(LeaseTest, says_what_the_guard_could_not_restore_and_the_next_restores_it) {
  if (!takes_faults)
    GTEST_SKIP() << "a guard with the address sanitizer takes no faults";
  Lease lease = acquire(guard_with("EBUSY:write:policy2/scaling_max_freq"));
  slow_down(lease);
  const auto failures = lease.release();
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_NE(
      failures[0].find("policy2/scaling_max_freq to 2601000: Device or resource busy (EBUSY)"),
      std::string::npos)
      << failures[0];
  EXPECT_EQ(sysfs().read(4, "scaling_max_freq"), "2601000");
  EXPECT_EQ(sysfs().read(2, "scaling_max_freq"), "1200000");
  { const Lease next = acquire(); }
  expect_all_over();
}

TEST_F(LeaseTest, goes_on_where_it_cannot_restore_what_was_left_and_tries_again_at_its_end) {
  if (!takes_faults)
    GTEST_SKIP() << "a guard with the address sanitizer takes no faults";
  Lease first = acquire(guard_with("EBUSY:write:policy2/scaling_max_freq"));
  slow_down(first);
  first.release();
  std::optional<Lease> next;
  {
    const Faults faults("EBUSY:write:policy2/");
    next.emplace(acquire());
  }
  slow_down(*next);
  EXPECT_EQ(next->release(), std::vector<std::string>{});
  expect_all_over();
}

TEST_F(LeaseTest, forgets_what_could_not_be_written) {
  Lease lease = acquire();
  {
    const Faults faults("EBUSY:write:policy0/");
    EXPECT_THROW(lease.write(path(0), "1200000"), FileError);
  }
  sysfs().write(0, "scaling_max_freq", "2000000"); // by an administrator
  lease.release();
  EXPECT_EQ(sysfs().read(0, "scaling_max_freq"), "2000000");
}

TEST_F(LeaseTest, writes_nothing_but_settings) {
  Lease lease = acquire();
  EXPECT_THROW(lease.write(path(0, "related_cpus"), "5"), Error);
  EXPECT_THROW(lease.write("/etc/scaling_max_freq", "5"), Error);
}

} // namespace
} // namespace hypermile::control
