#include "io/recording_text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::io {
namespace {

TEST(recording_text, reads_back_what_it_wrote) {
  model::Recording recording;
  const auto send = recording.operation("Send");
  const auto recv = recording.operation("Recv");
  recording.ranks = {{{send, Work{1e12}}, {recv, Work{0}}}, {}, {{recv, Work{17}}}};
  const std::string text = print_recording(recording);
  const auto again = parse_recording(text, "r");
  ASSERT_EQ(again.ranks.size(), 3u);
  ASSERT_EQ(again.ranks[0].size(), 2u);
  EXPECT_EQ(again.operations[again.ranks[0][0].operation], "Send");
  EXPECT_DOUBLE_EQ(again.ranks[0][0].computation.value(), 1e12);
  EXPECT_EQ(print_recording(again), text);
}

TEST(recording_text, refuses_anything_else_with_file_and_line) {
  const std::string head = "hypermile/computation/1\nranks 1\n";
  for (const std::string& text :
       {std::string{}, std::string{"nonsense\n"}, std::string{"hypermile/computation/1\n"},
        std::string{"hypermile/computation/1\nranks 0\n"}, head, head + "rank 1 calls 0\n",
        head + "rank 0 calls 1\n", head + "rank 0 calls 1\nSend\n",
        head + "rank 0 calls 1\nSend -5\n", head + "rank 0 calls 1\nSend 5.5\n",
        head + "rank 0 calls 1\nSend nan\n", head + "rank 0 calls 1\nSend 9007199254740993\n",
        head + "rank 0 calls 1\n 5\n", head + "rank 0 calls 1\nSend 5",
        head + "rank 0 calls 0\nSend 5\n", head + "rank 0 calls 99999999999999\nSend 5\n"}) {
    try {
      (void)parse_recording(text, "r.txt");
      FAIL() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind("r.txt:", 0), 0u) << error.what();
    }
  }
}

} // namespace
} // namespace hypermile::io
