#include "accounting/append.hpp"

#include "control/small_file.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::accounting {
namespace {

namespace fs = std::filesystem;

class Append : public testing::Test {
protected:
  [[nodiscard]] std::string refused(const std::string& name) const {
    try {
      append_line(folder_.path(name), "a line\n");
      return "";
    } catch (const control::FileError& error) {
      return error.what();
    }
  }
  test::TemporaryFolder folder_;
};

TEST_F(Append, keeps_every_line_of_many_writers_whole) {
  const std::string file = folder_.path("jobs");
  constexpr int writers = 8;
  constexpr int lines = 50;
  std::vector<pid_t> children;
  for (int writer = 0; writer < writers; ++writer) {
    const pid_t child = ::fork();
    if (child == 0) {
      const std::string line(3000 + static_cast<std::size_t>(writer),
                             static_cast<char>('a' + writer));
      for (int i = 0; i < lines; ++i)
        append_line(file, line + "\n");
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children)
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  std::istringstream text(test::content(file));
  std::vector<int> seen(writers);
  for (std::string line; std::getline(text, line);) {
    const auto writer = static_cast<std::size_t>(line.front() - 'a');
    ASSERT_LT(writer, seen.size());
    EXPECT_EQ(line, std::string(3000 + writer, line.front()));
    ++seen[writer];
  }
  EXPECT_EQ(seen, std::vector<int>(writers, lines));
}

TEST_F(Append, follows_no_link_and_waits_for_no_reader) {
  fs::create_symlink(folder_.path("other"), folder_.path("link"));
  EXPECT_TRUE(test::contains(refused("link"), "ELOOP")) << refused("link");
  EXPECT_FALSE(fs::exists(folder_.path("other")));
  ASSERT_EQ(::mkfifo(folder_.path("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(test::contains(refused("pipe"), "cannot add this job to ")) << refused("pipe");
  fs::create_directory(folder_.path("folder"));
  EXPECT_TRUE(test::contains(refused("folder"), "EISDIR"));
  EXPECT_TRUE(test::contains(refused("no/jobs"), "ENOENT"));
}

TEST_F(Append, makes_a_file_that_others_can_only_read) {
  append_line(folder_.path("jobs"), "a line\n");
  const auto mode = fs::status(folder_.path("jobs")).permissions();
  EXPECT_EQ(mode & (fs::perms::group_write | fs::perms::others_write), fs::perms::none);
}

} // namespace
} // namespace hypermile::accounting
