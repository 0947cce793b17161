#include "launch/job.hpp"

#include "support/nodes.hpp"
#include "support/temporary_folder.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace hypermile::launch {
namespace {

namespace fs = std::filesystem;

/// A variable of this process, while it lives.
class Variable {
public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const old = std::getenv(name))
      before_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_)
      ::setenv(name_, before_->c_str(), 1);
    else
      ::unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

private:
  const char* name_;
  std::optional<std::string> before_;
};

/// Jobs of the shell, on a node of which there is no journal.
class JobTest : public testing::Test {
protected:
  JobTest() { fs::create_directory(folder_.path("tmp")); }

  Ended run(const std::string& line) {
    return run_job(
        {"/bin/sh", "-c", line}, {}, "", [](const std::string&) { return std::nullopt; },
        [&](const std::string& remark) { remarks_.push_back(remark); });
  }

  test::TemporaryFolder folder_;
  Variable tmpdir_{"TMPDIR", folder_.path("tmp")};
  Variable state_{"HYPERMILE_STATE", folder_.path("state")};
  std::vector<std::string> remarks_;
};

TEST_F(JobTest, hands_on_what_rank_0_has_left_and_keeps_nothing) {
  runtime::RunReport run_report;
  run_report.ranks.push_back({.rank = 0, .node = test::node("a")});
  run_report.ranks[0].time = Seconds{3};
  std::ofstream(folder_.path("report"), std::ios::binary) << runtime::encode_run(run_report);
  const Ended ended = run("cat '" + folder_.path("report") + "' > \"$HYPERMILE_RESULT\"");
  EXPECT_EQ(ended.end.exit_code, 0);
  ASSERT_TRUE(ended.report);
  EXPECT_EQ(ended.report->ranks.at(0).time, Seconds{3});
  EXPECT_TRUE(fs::is_empty(folder_.path("tmp")));
  EXPECT_TRUE(remarks_.empty());
}

TEST_F(JobTest, without_a_report_has_its_exit_code_only) {
  const Ended ended = run("exit 3");
  EXPECT_EQ(ended.end.exit_code, 3);
  EXPECT_FALSE(ended.report);
  EXPECT_TRUE(fs::is_empty(folder_.path("tmp")));
  EXPECT_TRUE(remarks_.empty());
}

TEST_F(JobTest, keeps_its_exit_code_though_its_report_cannot_be_read) {
  const Ended ended = run("echo '{\"ranks\": ' > \"$HYPERMILE_RESULT\"; exit 4");
  EXPECT_EQ(ended.end.exit_code, 4);
  EXPECT_FALSE(ended.report);
  EXPECT_EQ(remarks_.size(), 1U);
  EXPECT_TRUE(fs::is_empty(folder_.path("tmp")));
}

TEST_F(JobTest, that_cannot_be_started_keeps_nothing) {
  const auto none = [](const std::string&) { return std::nullopt; };
  EXPECT_THROW((void)run_job({"no-such-launcher"}, {}, "", none, [](const std::string&) {}), Error);
  EXPECT_TRUE(fs::is_empty(folder_.path("tmp")));
}

TEST_F(JobTest, makes_no_state_where_nothing_was_set) {
  (void)run("exit 0");
  EXPECT_FALSE(fs::exists(folder_.path("state")));
}

TEST_F(JobTest, knows_when_it_ran) {
  const Ended ended = run("date +%s.%N > '" + folder_.path("now") + "'");
  double now = 0;
  std::ifstream(folder_.path("now")) >> now;
  EXPECT_LE(ended.begin.value(), now);
  EXPECT_LE(now, ended.until.value());
}

} // namespace
} // namespace hypermile::launch
