// What is made of a journal that somebody left.

#include "control/restore.hpp"

#include "support/fake_sysfs.hpp"
#include "support/faults.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <sys/stat.h>

namespace hypermile::control {
namespace {

using test::FakeSysfs;
using test::Faults;
using What = LeftBehind::What;

const Owner ended{
    .job = "4711", .program = "cg", .user = "anna", .pid = 1, .start = 12345, .since = 1763726580};

class Restoring : public testing::Test {
protected:
  void leave(const std::string& lines) const { JournalFile::open(place()).append(lines); }
  /// A run of before that made all slow.
  void leave_slow_policies(const std::string& boot = boot_id(), const Owner& owner = ended) const {
    std::string lines = begin_line(boot) + owner_line(owner);
    for (const auto& [path, value] : sysfs_.settings())
      if (path.ends_with("max_freq")) {
        lines += was_line({path, value});
        std::ofstream(path) << "1200000\n";
      }
    leave(lines);
  }
  [[nodiscard]] Place place() const {
    return {.sysfs = sysfs_.root(), .state = state_.path("state")};
  }
  [[nodiscard]] LeftBehind restore_all() const { return restore_left_behind(place()); }
  [[nodiscard]] const FakeSysfs& sysfs() const { return sysfs_; }
  [[nodiscard]] auto journal_size() const {
    return std::filesystem::file_size(journal_path(place()));
  }

private:
  FakeSysfs sysfs_{FakeSysfs::Driver::acpi_cpufreq, {{0, 1}, {2, 3}, {4, 5}}};
  test::TemporaryFolder state_;
};

TEST_F(Restoring, of_nothing_is_fine_and_leaves_nothing) {
  EXPECT_EQ(restore_all().what, What::nothing);
  EXPECT_FALSE(std::filesystem::exists(place().state));
  leave("");
  EXPECT_EQ(restore_all().what, What::nothing);
}

TEST_F(Restoring, lets_others_read_its_journal_and_nobody_write_it) {
  const mode_t before = ::umask(0);
  leave("");
  ::umask(before);
  struct stat about {};
  ASSERT_EQ(::stat(place().state.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0755U);
  ASSERT_EQ(::stat(journal_path(place()).c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0644U);
}

TEST_F(Restoring, sets_what_was_there_last_first_and_empties_the_journal) {
  const auto before = sysfs().settings();
  leave_slow_policies();
  const LeftBehind left = restore_all();
  EXPECT_EQ(left.what, What::settings);
  EXPECT_EQ(left.owner, ended);
  EXPECT_TRUE(left.restored.failed.empty());
  ASSERT_EQ(left.restored.done.size(), 3U);
  EXPECT_EQ(left.restored.done.front().path, sysfs().path(4, "scaling_max_freq"));
  EXPECT_EQ(left.restored.done.back().path, sysfs().path(0, "scaling_max_freq"));
  EXPECT_EQ(sysfs().settings(), before);
  EXPECT_EQ(journal_size(), 0U);
}

TEST_F(Restoring, goes_on_after_a_failure_and_tries_that_again_the_next_time) {
  leave_slow_policies();
  {
    const Faults faults("EBUSY:write:policy2/");
    const LeftBehind left = restore_all();
    ASSERT_EQ(left.restored.failed.size(), 1U);
    EXPECT_EQ(left.restored.failed[0].what, "cannot restore " +
                                                sysfs().path(2, "scaling_max_freq") +
                                                " to 2601000: Device or resource busy (EBUSY)");
    EXPECT_FALSE(left.restored.failed[0].not_permitted);
    EXPECT_EQ(left.restored.done.size(), 2U);
  }
  sysfs().write(0, "scaling_max_freq", "1600000"); // by an administrator, since
  const LeftBehind again = restore_all();
  EXPECT_EQ(again.restored.done.size(), 1U);
  EXPECT_EQ(sysfs().read(2, "scaling_max_freq"), "2601000");
  EXPECT_EQ(sysfs().read(0, "scaling_max_freq"), "1600000");
  EXPECT_EQ(journal_size(), 0U);
}

TEST_F(Restoring, says_what_is_not_permitted) {
  for (const char* error : {"EACCES", "EROFS"}) {
    leave_slow_policies();
    const Faults faults(std::string(error) + ":write:/cpufreq/");
    const LeftBehind left = restore_all();
    ASSERT_EQ(left.restored.failed.size(), 3U);
    EXPECT_TRUE(left.restored.failed[0].not_permitted);
    JournalFile::open(place()).clear();
    for (const int policy : sysfs().policies())
      sysfs().write(policy, "scaling_max_freq", "2601000");
  }
}

TEST_F(Restoring, needs_no_permission_for_what_is_as_it_was) {
  leave(begin_line(boot_id()) + was_line({sysfs().path(0, "scaling_governor"), "ondemand"}));
  const Faults faults("EACCES:write:/cpufreq/");
  EXPECT_TRUE(restore_all().restored.failed.empty());
  EXPECT_EQ(journal_size(), 0U);
}

TEST_F(Restoring, drops_a_journal_of_before_the_last_boot) {
  leave_slow_policies("another-boot");
  leave("damaged\n");
  EXPECT_EQ(restore_all().what, What::forgotten);
  EXPECT_EQ(sysfs().read(0, "scaling_max_freq"), "1200000");
  EXPECT_EQ(journal_size(), 0U);
}

TEST_F(Restoring, uses_what_is_complete_in_a_journal_that_is_cut_off) {
  leave_slow_policies();
  std::filesystem::resize_file(journal_path(place()), journal_size() - 5);
  EXPECT_EQ(restore_all().restored.done.size(), 2U);
  EXPECT_EQ(sysfs().read(2, "scaling_max_freq"), "2601000");
}

TEST_F(Restoring, passes_a_bad_line_over_and_restores_the_others) {
  const auto before = sysfs().settings();
  leave(begin_line(boot_id()) + owner_line(ended) + "nonsense\n" +
        was_line({sysfs().path(2, "scaling_max_freq"), "2601000"}));
  sysfs().write(2, "scaling_max_freq", "1200000");
  const LeftBehind left = restore_all();
  EXPECT_EQ(left.restored.done.size(), 1U);
  ASSERT_EQ(left.restored.failed.size(), 1U);
  EXPECT_EQ(left.restored.failed[0].what,
            journal_path(place()) + ":4: passed over, for it is no line of a journal: nonsense");
  EXPECT_EQ(sysfs().settings(), before);
  EXPECT_EQ(restore_all().what, What::nothing); // it was said once
}

TEST_F(Restoring, keeps_what_has_not_the_beginning_of_a_journal) {
  leave("nonsense\n");
  const auto size = journal_size();
  EXPECT_THROW((void)restore_all(), Error);
  EXPECT_EQ(journal_size(), size);
}

TEST_F(Restoring, loses_no_line_that_is_written_behind_half_a_line) {
  leave(begin_line(boot_id()) + "was 12");
  leave(owner_line(ended));
  const Journal journal = JournalFile::open(place()).read();
  EXPECT_EQ(journal.owner, ended);
  EXPECT_TRUE(journal.bad.empty());
}

TEST_F(Restoring, writes_no_frequency_that_the_hardware_does_not_have) {
  const auto limit = [&](int policy) { return sysfs().path(policy, "scaling_max_freq"); };
  leave(begin_line(boot_id()) + was_line({limit(0), "1"}) + was_line({limit(2), "99999999999"}) +
        was_line({limit(4), "2000000"}));
  const LeftBehind left = restore_all();
  EXPECT_TRUE(left.restored.failed.empty());
  EXPECT_EQ(
      left.restored.done,
      (std::vector<Entry>{{limit(4), "2000000"}, {limit(2), "2601000"}, {limit(0), "1200000"}}));
  EXPECT_EQ(sysfs().read(0, "scaling_max_freq"), "1200000");
  EXPECT_EQ(sysfs().read(2, "scaling_max_freq"), "2601000");
}

TEST_F(Restoring, writes_no_value_that_is_none_of_the_setting) {
  const auto before = sysfs().settings();
  const std::vector<std::pair<const char*, const char*>> wrong{
      {"scaling_governor", "no-such-governor"},
      {"scaling_max_freq", "ondemand"},
      {"scaling_min_freq", "-5"},
      {"scaling_setspeed", "1e9"},
      {"scaling_max_freq", "99999999999999999999999"}};
  for (const auto& [file, value] : wrong) {
    leave(begin_line(boot_id()) + was_line({sysfs().path(0, file), value}));
    EXPECT_EQ(restore_all().restored.failed.size(), 1U) << value;
    EXPECT_EQ(sysfs().settings(), before);
    JournalFile::open(place()).clear();
  }
}

TEST_F(Restoring, does_not_write_what_hypermile_would_not) {
  test::TemporaryFolder elsewhere;
  const std::string outside = elsewhere.path("scaling_max_freq");
  const std::string cpu = sysfs().root() + "/devices/system/cpu/";
  leave(begin_line(boot_id()));
  for (const std::string& path :
       {outside, cpu + "online", cpu + "../cpu/cpufreq/policy0/scaling_max_freq",
        cpu + "/cpufreq/policy0/scaling_max_freq", sysfs().root() + "/scaling_max_freq"}) {
    std::ofstream(path) << "before\n";
    leave(was_line({path, "5"}));
  }
  const auto left = restore_all();
  EXPECT_EQ(left.restored.failed.size(), 5U);
  EXPECT_TRUE(left.restored.done.empty());
  std::string text;
  std::getline(std::ifstream(outside), text);
  EXPECT_EQ(text, "before");
}

TEST_F(Restoring, leaves_alone_what_a_guard_looks_after) {
  leave_slow_policies(boot_id(), this_process("4711", "cg"));
  const JournalFile held = JournalFile::open(place());
  ASSERT_TRUE(held.lock());
  const LeftBehind left = restore_all();
  EXPECT_EQ(left.what, What::in_use);
  ASSERT_TRUE(left.owner.has_value());
  EXPECT_EQ(left.owner->job, "4711");
  EXPECT_EQ(sysfs().read(0, "scaling_max_freq"), "1200000");
}

TEST_F(Restoring, leaves_alone_what_a_running_process_set_whose_guard_was_killed) {
  Owner parent = this_process("4711", "cg");
  parent.pid = ::getppid();
  std::ifstream stat("/proc/" + std::to_string(parent.pid) + "/stat");
  std::string text;
  std::getline(stat, text);
  std::istringstream words(text.substr(text.rfind(')') + 1));
  for (int i = 0; i < 19; ++i)
    words >> text;
  words >> parent.start;
  leave_slow_policies(boot_id(), parent);
  EXPECT_EQ(restore_all().what, What::in_use);
  EXPECT_EQ(sysfs().read(0, "scaling_max_freq"), "1200000");
}

TEST_F(Restoring, tells_a_pid_that_is_used_again_from_the_owner) {
  Owner again = ended;
  again.pid = ::getppid();
  leave_slow_policies(boot_id(), again);
  EXPECT_EQ(restore_all().what, What::settings);
}

TEST_F(Restoring, is_in_order_when_the_disk_is_full) {
  leave_slow_policies();
  const Faults faults("EBUSY:write:policy2/;ENOSPC:write:.journal");
  EXPECT_EQ(restore_all().restored.done.size(), 2U);
  EXPECT_EQ(JournalFile::open(place()).read().entries.size(), 3U);
}

} // namespace
} // namespace hypermile::control
