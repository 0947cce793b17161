#include "control/small_file.hpp"

#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>

namespace hypermile::control {
namespace {

using test::Faults;

class SmallFile : public testing::Test {
protected:
  SmallFile() : path_(folder_.path("value")) { std::ofstream(path_) << "performance\n"; }
  [[nodiscard]] const std::string& path() const { return path_; }

private:
  test::TemporaryFolder folder_;
  std::string path_;
};

template <class Action> int errno_of(const Action& action) {
  try {
    action();
  } catch (const FileError& error) {
    return error.number();
  }
  return 0;
}

TEST_F(SmallFile, is_read_whole_where_reads_are_short) {
  const Faults faults("SHORT:read:/value");
  EXPECT_EQ(read_small_file(path()), "performance");
}

TEST_F(SmallFile, takes_a_value_shorter_than_the_one_before) {
  write_small_file(path(), "5");
  EXPECT_EQ(read_small_file(path()), "5");
  EXPECT_EQ(std::ifstream(path()).seekg(0, std::ios::end).tellg(), 2);
}

TEST_F(SmallFile, is_not_written_in_parts) {
  const Faults faults("SHORT:write:/value");
  EXPECT_EQ(errno_of([&] { write_small_file(path(), "1200000"); }), EIO);
}

TEST_F(SmallFile, fails_with_the_reason_of_the_system) {
  EXPECT_EQ(errno_of([&] { read_small_file(path() + "s"); }), ENOENT);
  EXPECT_EQ(errno_of([&] { write_small_file(path() + "s", "5"); }), ENOENT);
  const Faults faults("EBUSY:read:/value;EACCES:write:/value");
  EXPECT_EQ(errno_of([&] { read_small_file(path()); }), EBUSY);
  try {
    write_small_file(path(), "5");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_EQ(error.what(), "cannot write 5 to " + path() + ": Permission denied (EACCES)");
    EXPECT_TRUE(error.not_permitted());
  }
  EXPECT_EQ(why_not_writable(path()), EACCES);
}

TEST_F(SmallFile, that_is_large_is_refused) {
  std::ofstream(path()) << std::string(100'000, 'x');
  EXPECT_EQ(errno_of([&] { read_small_file(path()); }), EFBIG);
}

} // namespace
} // namespace hypermile::control
