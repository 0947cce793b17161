// What users can do to each other by folders, journals and locks that they make: nothing.

#include "control/guard_process.hpp"
#include "control/lease.hpp"
#include "control/processes.hpp"
#include "control/restore.hpp"
#include "control/setting.hpp"
#include "control/small_file.hpp"
#include "support/fake_sysfs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <random>

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>

namespace hypermile::control {
namespace {

namespace fs = std::filesystem;
using test::FakeSysfs;
using What = LeftBehind::What;

constexpr uid_t uid_of_anna = 54321;
constexpr uid_t otto = 54322;

Owner process_of(pid_t pid) {
  Owner owner = this_process("4711", "cg");
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stat, text);
  std::istringstream words(text.substr(text.rfind(')') + 1));
  for (int i = 0; i < 19; ++i)
    words >> text;
  words >> owner.start;
  owner.pid = pid;
  return owner;
}

void become(uid_t user) {
  if (::setgroups(0, nullptr) != 0 || ::setgid(user) != 0 || ::setuid(user) != 0)
    ::_exit(99);
}

/// Runs this in a process of that user; the number that it returns.
int as_user(uid_t user, const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    become(user);
    ::_exit(work());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class Hostile : public testing::Test {
protected:
  Hostile() {
    for (const std::string& folder : {sysfs_.root(), folder_.path()})
      EXPECT_EQ(::chmod(folder.c_str(), 0755), 0);
    EXPECT_EQ(::mkdir(folder_.path("tmp").c_str(), 01777), 0);
    EXPECT_EQ(::chmod(folder_.path("tmp").c_str(), 01777), 0);
  }
  void SetUp() override {
    if (::geteuid() != 0)
      GTEST_SKIP() << "only root can be several users";
  }

  [[nodiscard]] Place place() const {
    return {.sysfs = sysfs_.root(), .shared = folder_.path("tmp/hypermile")};
  }
  [[nodiscard]] std::string folder_of(uid_t user) const {
    return place().shared + "-" + std::to_string(user);
  }
  [[nodiscard]] std::string journal_of(uid_t user) const {
    return folder_of(user) + "/" + node_name() + "." + std::to_string(user) + ".journal";
  }
  /// As this user may have written it.
  void leave(uid_t user, const std::string& lines) const {
    fs::create_directory(folder_of(user));
    std::ofstream(journal_of(user)) << lines;
    for (const std::string& path : {folder_of(user), journal_of(user)})
      EXPECT_EQ(::chown(path.c_str(), user, user), 0);
    EXPECT_EQ(::chmod(journal_of(user).c_str(), 0644), 0);
  }
  [[nodiscard]] std::string was(const std::string& value, int policy = 0) const {
    return was_line({limit(policy), value});
  }
  [[nodiscard]] std::string limit(int policy) const {
    return sysfs_.path(policy, "scaling_max_freq");
  }
  [[nodiscard]] std::string begin() const { return begin_line(boot_id()); }
  void let_everybody_set() const {
    for (const auto& [path, value] : sysfs_.settings())
      EXPECT_EQ(::chmod(path.c_str(), 0666), 0);
  }
  [[nodiscard]] const FakeSysfs& sysfs() const { return sysfs_; }
  [[nodiscard]] const test::TemporaryFolder& folder() const { return folder_; }

private:
  FakeSysfs sysfs_{FakeSysfs::Driver::acpi_cpufreq, {{0, 1}, {2, 3}, {4, 5}}};
  test::TemporaryFolder folder_;
};

TEST_F(Hostile, each_user_has_a_folder_where_root_has_made_none_for_all) {
  const auto writes_to = [&](uid_t user, const std::string& folder) {
    return as_user(user, [&] {
             return JournalFile::open(place()).path().starts_with(folder + "/") ? 0 : 1;
           }) == 0;
  };
  EXPECT_TRUE(writes_to(uid_of_anna, folder_of(uid_of_anna)));
  fs::create_directory(place().shared);
  EXPECT_TRUE(writes_to(uid_of_anna, folder_of(uid_of_anna))) << "she may not write there";
  EXPECT_EQ(::chmod(place().shared.c_str(), 01777), 0);
  EXPECT_TRUE(writes_to(uid_of_anna, place().shared));
  EXPECT_TRUE(writes_to(otto, place().shared));
  EXPECT_EQ(journals_of_node(place()).size(), 3U);
  EXPECT_EQ(::chmod(place().shared.c_str(), 0777), 0);
  EXPECT_TRUE(writes_to(otto, folder_of(otto))) << "others could take his file away";
  EXPECT_EQ(::chmod(place().shared.c_str(), 01777), 0);
  EXPECT_EQ(::chown(place().shared.c_str(), uid_of_anna, uid_of_anna), 0);
  EXPECT_TRUE(writes_to(otto, folder_of(otto))) << "it is not root's";
}

TEST_F(Hostile, a_folder_that_others_made_or_may_change_is_not_used) {
  const std::string own = folder_of(0);
  const auto refusal = [&] {
    try {
      (void)JournalFile::open(place());
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  fs::create_directory(own);
  EXPECT_EQ(::chown(own.c_str(), uid_of_anna, uid_of_anna), 0);
  EXPECT_NE(refusal().find("cannot use " + own + ": it belongs to user 54321; try: a folder of "),
            std::string::npos)
      << refusal();
  EXPECT_EQ(::chown(own.c_str(), 0, 0), 0);
  EXPECT_EQ(::chmod(own.c_str(), 0775), 0);
  EXPECT_NE(refusal().find("others may change it"), std::string::npos) << refusal();
  fs::remove(own);
  fs::create_directory(folder().path("elsewhere"));
  fs::create_directory_symlink(folder().path("elsewhere"), own);
  EXPECT_NE(refusal(), "");
  EXPECT_TRUE(fs::is_empty(folder().path("elsewhere")));
  fs::remove(own);
  EXPECT_EQ(refusal(), "");
}

/// What may stand in the place of a journal.
struct Trap {
  const char* name;
  void (*make)(const std::string& journal, const std::string& victim);
};

class HostileJournal : public Hostile, public testing::WithParamInterface<Trap> {};

TEST_P(HostileJournal, is_neither_used_nor_waited_for_nor_followed) {
  const std::string victim = folder().path("victim");
  std::ofstream(victim) << begin() << was("1200000");
  fs::create_directory(folder_of(0));
  GetParam().make(journal_of(0), victim);
  const auto before = sysfs().settings();
  EXPECT_THROW((void)JournalFile::open(place()), Error);
  EXPECT_THROW((void)restore_left_behind(place()), Error);
  leave(uid_of_anna, begin());
  let_everybody_set();
  const auto all = restore_all_left_behind(place(), true);
  ASSERT_EQ(all.size(), 2U); // the other one is looked at, too
  EXPECT_EQ(all[0].restored.failed.size(), 1U);
  EXPECT_EQ(all[1].what, What::nothing);
  EXPECT_EQ(sysfs().settings(), before);
  EXPECT_EQ(read_small_file(victim) + "\n", begin() + was("1200000"));
}

void make_journal(const std::string& path) { std::ofstream(path) << begin_line(boot_id()); }

const Trap traps[] = {
    {"symlink", [](const auto& path, const auto& victim) { fs::create_symlink(victim, path); }},
    {"hard_link", [](const auto& path, const auto& victim) { fs::create_hard_link(victim, path); }},
    {"fifo", [](const auto& path, const auto&) { ::mkfifo(path.c_str(), 0600); }},
    {"folder", [](const auto& path, const auto&) { fs::create_directory(path); }},
    {"device", [](const auto& path, const auto&) { fs::create_symlink("/dev/zero", path); }},
    {"huge_file",
     [](const auto& path, const auto&) {
       make_journal(path);
       fs::resize_file(path, std::uintmax_t{1} << 40);
     }},
    {"file_of_another_user",
     [](const auto& path, const auto&) {
       make_journal(path);
       EXPECT_EQ(::chown(path.c_str(), uid_of_anna, uid_of_anna), 0);
     }},
    {"file_that_a_group_may_write",
     [](const auto& path, const auto&) {
       make_journal(path);
       EXPECT_EQ(::chmod(path.c_str(), 0664), 0);
     }},
    {"file_that_all_may_write",
     [](const auto& path, const auto&) {
       make_journal(path);
       EXPECT_EQ(::chmod(path.c_str(), 0646), 0);
     }},
};

INSTANTIATE_TEST_SUITE_P(traps, HostileJournal, testing::ValuesIn(traps),
                         [](const auto& given) { return given.param.name; });

TEST_F(Hostile, root_restores_for_a_user_what_he_may_write_himself) {
  const auto before = sysfs().settings();
  leave(uid_of_anna, begin() + was("1") + was("2000000", 2) + "nonsense\n");
  EXPECT_TRUE(restore_all_left_behind(place(), true).empty()) << "she may not set gears";
  EXPECT_EQ(sysfs().settings(), before);

  EXPECT_EQ(::chown(limit(0).c_str(), uid_of_anna, 0), 0);
  const auto all = restore_all_left_behind(place(), false);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].restored.done, (std::vector<Entry>{{limit(0), "1200000"}}));
  EXPECT_EQ(sysfs().read(0, "scaling_max_freq"), "1200000") << "the least that there is";
  EXPECT_EQ(sysfs().read(2, "scaling_max_freq"), "2601000");
  const auto& failed = all[0].restored.failed;
  ASSERT_EQ(failed.size(), 2U);
  EXPECT_NE(failed[0].what.find("54321, whose journal says so, may not write it"),
            std::string::npos);
  EXPECT_NE(failed[1].what.find(":5: passed over"), std::string::npos);
  EXPECT_TRUE(failed[0].ignored && failed[1].ignored);
  EXPECT_EQ(fs::file_size(journal_of(uid_of_anna)), 0U) << "it is not reported again";
}

TEST_F(Hostile, a_user_restores_his_own_journal_only) {
  let_everybody_set();
  leave(uid_of_anna, begin() + was("1200000"));
  EXPECT_EQ(
      as_user(otto,
              [&] { return static_cast<int>(restore_all_left_behind(place(), true).size()); }),
      0);
  EXPECT_EQ(sysfs().read(0, "scaling_max_freq"), "2601000");
  EXPECT_EQ(
      as_user(uid_of_anna,
              [&] { return static_cast<int>(restore_all_left_behind(place(), true).size()); }),
      1);
  EXPECT_EQ(sysfs().read(0, "scaling_max_freq"), "1200000");
}

TEST_F(Hostile, who_may_write_a_file_is_told_by_its_owner_group_and_mode) {
  const std::string path = folder().path("file");
  std::ofstream(path) << "";
  const auto expect = [&](uid_t owner, gid_t group, mode_t mode, uid_t user, bool may) {
    EXPECT_EQ(::chown(path.c_str(), owner, group), 0);
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_EQ(may_write(user, path), may) << owner << ' ' << group << ' ' << std::oct << mode;
  };
  const passwd* const daemon = ::getpwnam("daemon");
  ASSERT_NE(daemon, nullptr);
  expect(0, 0, 0644, 0, true);
  expect(uid_of_anna, 0, 0644, uid_of_anna, true);
  expect(uid_of_anna, 0, 0466, uid_of_anna, false);
  expect(0, 0, 0664, uid_of_anna, false);
  expect(0, 0, 0646, uid_of_anna, true);
  expect(0, daemon->pw_gid, 0664, daemon->pw_uid, true);
  expect(0, daemon->pw_gid, 0646, daemon->pw_uid, false);
  expect(0, 0, 0664, daemon->pw_uid, false);
  EXPECT_FALSE(may_write(0, folder().path("missing")));
}

/// A process of anna's that runs until the test ends.
struct Running {
  test::Child process{[] { become(uid_of_anna); }};
};

TEST_F(Hostile, the_node_is_anothers_while_his_process_runs_and_he_may_set_gears) {
  std::optional<Running> running(std::in_place);
  leave(uid_of_anna, begin() + owner_line(process_of(running->process.pid())));
  const auto refusal = [&](uid_t user) {
    return as_user(user, [&] {
      try {
        (void)Lease::acquire(place(), "/nowhere/guard", this_process("12", "lu"));
      } catch (const Error& error) {
        return std::string(error.what()).find("are set by job 4711 of user 54321 ") !=
                       std::string::npos
                   ? 1
                   : 2;
      }
      return 3;
    });
  };
  EXPECT_EQ(refusal(otto), 2) << "anna may not set gears, so she keeps nobody from it";
  let_everybody_set();
  EXPECT_EQ(refusal(otto), 1);
  EXPECT_FALSE(as_user(uid_of_anna, [&] { return other_owner(place()).has_value() ? 1 : 0; }));
  EXPECT_EQ(refusal(0), 2) << "nobody keeps root from it";
  running.reset();
  EXPECT_EQ(refusal(otto), 2) << "her process has ended";
}

TEST_F(Hostile, who_does_not_get_the_node_does_not_say_that_he_has_it) {
  const Running running;
  let_everybody_set();
  leave(uid_of_anna, begin() + owner_line(process_of(running.process.pid())));
  leave(otto, "");
  EXPECT_EQ(as_user(otto,
                    [&] {
                      EXPECT_THROW((void)Lease::acquire(place(), "/nowhere", this_process("", "")),
                                   Error);
                      return 0;
                    }),
            0);
  EXPECT_EQ(fs::file_size(journal_of(otto)), 0U);
}

TEST_F(Hostile, a_process_of_another_user_holds_the_node_for_nobody) {
  let_everybody_set();
  leave(uid_of_anna, begin() + owner_line(process_of(1)));
  EXPECT_FALSE(as_user(otto, [&] { return other_owner(place()).has_value() ? 1 : 0; }));
  leave(uid_of_anna, begin() + owner_line(process_of(1)) + was("1200000"));
  EXPECT_EQ(restore_all_left_behind(place(), false).at(0).what, What::settings);
}

TEST_F(Hostile, names_the_user_whose_journal_it_is_and_not_whom_it_names) {
  const Running running;
  let_everybody_set();
  Owner owner = process_of(running.process.pid());
  owner.user = "root";
  leave(uid_of_anna, begin() + owner_line(owner) + was("1200000"));
  const auto left = restore_all_left_behind(place(), false).at(0);
  ASSERT_TRUE(left.owner.has_value());
  EXPECT_EQ(left.owner->user, "54321");
}

TEST_F(Hostile, root_restores_what_a_running_program_has_set_if_told_so) {
  const Running running;
  let_everybody_set();
  const std::string lines =
      begin() + owner_line(process_of(running.process.pid())) + was("1600000");
  leave(uid_of_anna, lines);
  EXPECT_EQ(restore_all_left_behind(place(), false).at(0).what, What::in_use);
  EXPECT_EQ(sysfs().read(0, "scaling_max_freq"), "2601000");
  const auto left = restore_all_left_behind(place(), true).at(0);
  EXPECT_EQ(left.what, What::in_use);
  EXPECT_EQ(left.restored.done.size(), 1U);
  EXPECT_EQ(sysfs().read(0, "scaling_max_freq"), "1600000");
  EXPECT_EQ(fs::file_size(journal_of(uid_of_anna)), lines.size()) << "her guard will restore, too";
}

/// Locks the journal in a process of that user, in this manner; 1: it cannot.
struct Locking {
  Locking(uid_t user, const std::string& journal, int access, short type)
      : process([=] {
          become(user);
          const int file = ::open(journal.c_str(), access);
          struct flock lock {};
          lock.l_type = type;
          if (file < 0 || ::fcntl(file, F_OFD_SETLK, &lock) != 0)
            ::_exit(1);
        }) {}
  test::Child process;
};

TEST_F(Hostile, a_reader_of_a_journal_can_hold_nobody_up) {
  leave(0, begin());
  const JournalFile journal = JournalFile::open(place());
  const Locking reader(uid_of_anna, journal.path(), O_RDONLY, F_RDLCK);
  EXPECT_TRUE(journal.lock());
  EXPECT_EQ(as_user(uid_of_anna,
                    [&] {
                      const int file = ::open(journal.path().c_str(), O_RDONLY);
                      struct flock lock {};
                      lock.l_type = F_WRLCK;
                      return ::fcntl(file, F_OFD_SETLK, &lock) == 0 ? 0 : errno == EBADF ? 1 : 2;
                    }),
            1);
}

TEST_F(Hostile, a_lock_ends_with_its_process) {
  leave(0, begin());
  const JournalFile journal = JournalFile::open(place());
  {
    const Locking holder(0, journal.path(), O_RDWR, F_WRLCK);
    EXPECT_FALSE(journal.lock());
  }
  EXPECT_TRUE(journal.lock());
}

TEST_F(Hostile, a_lock_of_a_stopped_process_whose_owner_has_ended_is_not_waited_for) {
  leave(0, begin() + owner_line(process_of(::getpid())) + was("1200000"));
  const JournalFile journal = JournalFile::open(place());
  const Locking holder(0, journal.path(), O_RDWR, F_WRLCK);
  ASSERT_EQ(::kill(holder.process.pid(), SIGSTOP), 0);
  EXPECT_FALSE(lock_unless_in_use(journal)) << "its owner, this process, runs";
  Owner ended = process_of(::getpid());
  ++ended.start;
  journal.append(owner_line(ended));
  EXPECT_TRUE(lock_unless_in_use(journal));
  EXPECT_EQ(restore_left_behind(place()).what, What::settings);
  EXPECT_EQ(sysfs().read(0, "scaling_max_freq"), "1200000");
}

TEST_F(Hostile, a_guard_that_was_stopped_leaves_the_next_owner_alone) {
  leave(0, begin() + owner_line(this_process("1", "first")) + was("1200000"));
  const JournalFile journal = JournalFile::open(place());
  const Descriptor guard = start_guard(HYPERMILE_GUARD, sysfs().root(), journal.descriptor());
  journal.clear();
  journal.append(begin() + owner_line(this_process("2", "second")) + was("1600000"));
  EXPECT_TRUE(guard::send(guard.number(), {guard::release, ""}));
  const auto answer = guard::receive(guard.number(), 10000);
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->word, guard::done);
  EXPECT_EQ(sysfs().read(0, "scaling_max_freq"), "2601000");
  EXPECT_EQ(journal.read().entries.size(), 1U);
}

/// Whatever bytes a user's journal has, root sets nothing that the hardware does not have, and
/// nothing but settings.
TEST_F(Hostile, a_damaged_journal_does_no_harm) {
  std::mt19937 random(13);
  let_everybody_set();
  std::string whole = begin() + owner_line(this_process("4711", "cg"));
  for (const auto& [path, value] : sysfs().settings())
    whole += was_line({path, value});
  const auto damaged = [&] {
    std::string text = whole;
    for (auto changes = random() % 8; changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = static_cast<char>(random() % 256);
        break;
      case 1:
        text.erase(at, random() % 30);
        break;
      case 2:
        text.insert(at, text.substr(random() % text.size(), random() % 60));
        break;
      default:
        text[at] = static_cast<char>('0' + random() % 10);
      }
    }
    return text;
  };
  for (int round = 0; round < 500; ++round) {
    leave(uid_of_anna, damaged());
    (void)restore_all_left_behind(place(), true);
    for (const int policy : sysfs().policies()) {
      const std::string governor = sysfs().read(policy, "scaling_governor");
      EXPECT_TRUE(governor == "ondemand" || governor == "userspace" || governor == "performance");
      for (const char* const file : {"scaling_max_freq", "scaling_min_freq"}) {
        const auto khz = std::stoul(sysfs().read(policy, file));
        EXPECT_TRUE(khz >= 1200000 && khz <= 2601000) << khz;
      }
    }
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder().path()), {}), 1);
}

} // namespace
} // namespace hypermile::control
