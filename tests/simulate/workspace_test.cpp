#include "simulate/workspace.hpp"

#include "io/text_file.hpp"
#include "support/temporary_folder.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace hypermile::simulate {
namespace {

namespace fs = std::filesystem;

/// TMPDIR for one test.
class Workspaces : public testing::Test {
protected:
  Workspaces() { ::setenv("TMPDIR", folder.path().c_str(), 1); }
  ~Workspaces() override {
    if (before.empty())
      ::unsetenv("TMPDIR");
    else
      ::setenv("TMPDIR", before.c_str(), 1);
  }
  std::string before = std::getenv("TMPDIR") == nullptr ? "" : std::getenv("TMPDIR");
  test::TemporaryFolder folder;
};

TEST_F(Workspaces, are_folders_in_tmpdir_that_go_away) {
  {
    const Workspace first;
    const Workspace second;
    EXPECT_NE(first.folder(), second.folder());
    EXPECT_EQ(fs::path(first.folder()).parent_path(), folder.path());
    fs::create_directory(first.path("sub"));
    io::write_text_file(first.path("sub/file"), "x");
  }
  EXPECT_TRUE(folder.empty());
}

TEST_F(Workspaces, keep_what_is_worth_it) {
  const test::TemporaryFolder report;
  {
    const Workspace workspace;
    for (const char* name :
         {"computation.txt", "platform.xml", "exact.out", "exact.run", "exact.status"})
      io::write_text_file(workspace.path(name), name);
    workspace.keep_in(report.path("a/b"));
    workspace.keep_in(report.path("a/b")); // once more is no error
  }
  EXPECT_EQ(io::read_text_file(report.path("a/b/computation.txt")), "computation.txt");
  EXPECT_TRUE(fs::exists(report.path("a/b/platform.xml")));
  EXPECT_TRUE(fs::exists(report.path("a/b/exact.out")));
  EXPECT_TRUE(fs::exists(report.path("a/b/exact.run")));
  EXPECT_FALSE(fs::exists(report.path("a/b/exact.status")));
}

TEST_F(Workspaces, say_why_they_cannot_be_kept) {
  const Workspace workspace;
  io::write_text_file(workspace.path("computation.txt"), "x");
  io::write_text_file(folder.path("file"), "");
  try {
    workspace.keep_in(folder.path("file/report"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(
        std::string(error.what()).find("cannot keep the report in " + folder.path("file/report")),
        std::string::npos)
        << error.what();
  }
}

TEST_F(Workspaces, say_why_they_cannot_be_made) {
  for (const char* parent : {"/proc", "/nowhere"}) { // even root cannot write there
    ::setenv("TMPDIR", parent, 1);
    try {
      const Workspace workspace;
      FAIL();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("a TMPDIR that is writable"), std::string::npos)
          << error.what();
    }
  }
}

TEST_F(Workspaces, say_how_much_space_is_missing) {
  const Workspace workspace;
  EXPECT_NO_THROW(workspace.check_space(1, "nothing much"));
  try {
    workspace.check_space(std::uintmax_t{1} << 60, "all of it");
    FAIL();
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with("all of it needs 1152921504606.8 MB in " + folder.path())) << what;
    EXPECT_NE(what.find("MB left; try: a TMPDIR with more space"), std::string::npos) << what;
  }
}

} // namespace
} // namespace hypermile::simulate
