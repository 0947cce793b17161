#include "runtime/exchange/report_box.hpp"

#include "control/place.hpp"
#include "io/text_file.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::runtime {
namespace {

namespace fs = std::filesystem;

/// A TMPDIR of its own.
class Box : public testing::Test {
public:
  Box() {
    if (const char* const before = std::getenv("TMPDIR"))
      before_ = before;
    ::setenv("TMPDIR", folder_.path().c_str(), 1);
  }
  ~Box() override {
    if (before_)
      ::setenv("TMPDIR", before_->c_str(), 1);
    else
      ::unsetenv("TMPDIR");
  }
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;

protected:
  /// What a command that is killed leaves behind: its file.
  [[nodiscard]] std::string killed_command() const {
    const pid_t child = ::fork();
    if (child == 0) {
      const ReportBox box;
      ::_exit(0); // without destructors
    }
    ::waitpid(child, nullptr, 0);
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      return entry.path() / "result.json";
    return "";
  }

  test::TemporaryFolder folder_;
  std::optional<std::string> before_;
};

TEST_F(Box, brings_a_report_to_the_command_that_waits_and_goes_away_with_it) {
  {
    const ReportBox box;
    EXPECT_EQ(box.content(), "");
    EXPECT_TRUE(hand_over("report", box.file()));
    EXPECT_EQ(box.content(), "report");
    EXPECT_FALSE(take_away_abandoned(box.file()));
    EXPECT_EQ(box.content(), "report");
  }
  EXPECT_TRUE(folder_.empty());
}

TEST_F(Box, of_a_killed_command_takes_no_report_and_is_taken_away) {
  const std::string file = killed_command();
  ASSERT_TRUE(fs::exists(file));
  EXPECT_FALSE(hand_over("report", file));
  EXPECT_TRUE(folder_.empty());
}

TEST_F(Box, of_a_killed_command_is_taken_away_by_the_next_command) {
  ASSERT_NE(killed_command(), "");
  const ReportBox running;
  { const ReportBox box; }
  EXPECT_TRUE(fs::exists(running.file()));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(Box, of_another_node_is_taken_for_one_in_use) {
  const std::string file = killed_command();
  io::write_text_file(fs::path(file).parent_path() / "node", control::node_name() + "2");
  EXPECT_FALSE(take_away_abandoned(file));
  EXPECT_TRUE(hand_over("report", file));
  EXPECT_EQ(io::read_text_file(file), "report");
}

TEST_F(Box, takes_nothing_away_that_is_not_its_own) {
  const std::string other = folder_.path("results");
  fs::create_directory(other);
  io::write_text_file(other + "/node", control::node_name());
  io::write_text_file(other + "/result.json", "mine");
  EXPECT_FALSE(take_away_abandoned(other + "/result.json"));
  (void)killed_command();
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    if (entry.path().filename().string().starts_with("hypermile-"))
      io::write_text_file(entry.path() / "notes.txt", "mine");
  { const ReportBox box; }
  EXPECT_EQ(io::read_text_file(other + "/result.json"), "mine");
  std::size_t notes = 0;
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    notes += fs::exists(entry.path() / "notes.txt") ? 1 : 0;
  EXPECT_EQ(notes, 1U);
}

TEST_F(Box, that_is_not_there_takes_no_report) {
  EXPECT_FALSE(hand_over("report", ""));
  EXPECT_FALSE(hand_over("report", folder_.path("hypermile-abcdef/result.json")));
  EXPECT_TRUE(folder_.empty());
}

} // namespace
} // namespace hypermile::runtime
