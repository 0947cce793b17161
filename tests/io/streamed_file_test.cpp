#include "io/streamed_file.hpp"
#include "io/text_file.hpp"
#include "support/temporary_folder.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace hypermile::io {
namespace {

TEST(streamed_file, is_there_as_a_whole_when_it_is_finished) {
  const test::TemporaryFolder folder;
  StreamedFile file(folder.path("a.json"));
  file.write("one, ");
  file.write("two");
  EXPECT_FALSE(std::filesystem::exists(folder.path("a.json")));
  file.finish();
  EXPECT_EQ(read_text_file(folder.path("a.json")), "one, two");
  EXPECT_EQ(file.bytes(), 8U);
}

TEST(streamed_file, leaves_nothing_behind_and_the_old_one_if_it_is_not_finished) {
  const test::TemporaryFolder folder;
  write_text_file(folder.path("a.json"), "old");
  {
    StreamedFile file(folder.path("a.json"));
    file.write("new");
  }
  EXPECT_EQ(read_text_file(folder.path("a.json")), "old");
  std::filesystem::remove(folder.path("a.json"));
  EXPECT_TRUE(folder.empty());
}

TEST(streamed_file, says_why_it_cannot_be_written) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(StreamedFile(folder.path("no/such/a.json")), Error);
}

} // namespace
} // namespace hypermile::io
