#include "io/text_file.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include <sys/stat.h>

namespace hypermile::io {
namespace {

TEST(text_file, reads_back_what_it_wrote) {
  const std::string path = testing::TempDir() + "hypermile_text_file";
  write_text_file(path, "first");
  write_text_file(path, "second\n");
  EXPECT_EQ(read_text_file(path), "second\n");
  std::filesystem::remove(path);
}

TEST(text_file, says_why_a_file_cannot_be_read) {
  try {
    (void)read_text_file("/nonexistent/file");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot read /nonexistent/file: No such file or directory");
  }
  EXPECT_THROW((void)read_text_file("/"), Error); // a folder
}

TEST(text_file, refuses_a_device_that_does_not_end) {
  try {
    (void)read_text_file("/dev/zero");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/dev/zero is a device that does not end; try: a file");
  }
  EXPECT_EQ(read_text_file("/dev/null"), "");
}

TEST(text_file, leaves_what_is_no_file_what_it_is) {
  const std::string pipe = testing::TempDir() + "hypermile_pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = read_text_file(pipe); });
  write_text_file(pipe, "text");
  reader.join();
  EXPECT_EQ(read, "text");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  std::filesystem::remove(pipe);
  EXPECT_THROW(write_text_file("/dev/full", "text"), Error);
}

TEST(text_file, a_failed_write_is_an_error_and_leaves_nothing_behind) {
  const std::filesystem::path folder = testing::TempDir() + "hypermile_failed_write";
  std::filesystem::create_directories(folder / "taken" / "inside");
  EXPECT_THROW(write_text_file((folder / "missing" / "file").string(), "text"), Error);
  EXPECT_THROW(write_text_file((folder / "taken").string(), "text"), Error); // a full folder
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace hypermile::io
