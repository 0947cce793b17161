#include "io/sensitivities_text.hpp"

#include "io/text_file.hpp"
#include "support/temporary_folder.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::io {
namespace {

TEST(sensitivities, are_entries_on_lines_or_with_commas) {
  const auto on_lines = parse_sensitivities("# mine\n0.9   # everything else\n\n Allreduce\t0.3\r\n"
                                            "Sendrecv/2 0.25",
                                            "f");
  EXPECT_EQ(on_lines.otherwise, 0.9);
  ASSERT_EQ(on_lines.calls.size(), 2u);
  EXPECT_EQ(on_lines.calls[0].function, "Allreduce");
  EXPECT_EQ(on_lines.calls[0].place, 0u);
  EXPECT_EQ(on_lines.calls[1].place, 2u);
  EXPECT_EQ(on_lines.calls[1].sensitivity, 0.25);
  EXPECT_EQ(parse_sensitivities("Allreduce 0.3, Sendrecv/2 0.25,0.9", "f"), on_lines);
}

TEST(sensitivities, are_read_back_as_they_were_printed) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> any(0, 1);
  for (int round = 0; round < 100; ++round) {
    model::CallSensitivities all;
    if (engine() % 2 == 0)
      all.otherwise = any(engine);
    for (std::uint32_t i = 0; i < 1 + engine() % 4; ++i)
      all.calls.push_back({"Call_" + std::to_string(engine() % 3), i, any(engine)});
    EXPECT_EQ(parse_sensitivities(print_sensitivities(all), "f"), all);
  }
}

TEST(sensitivities, that_make_no_sense_are_refused_with_their_line) {
  for (const char* const wrong : {"", "# nothing", "1.5", "-0.1", "nan", "half", "0.5 0.5", "Send",
                                  "Send/0 0.5", "Send/x 0.5", "MPI_Send 0.5", "Send 0.5,",
                                  "0.1\n0.2", "Send 0.1\nSend 0.2", "Send Recv 0.1"}) {
    try {
      (void)parse_sensitivities(wrong, "file");
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config);
      EXPECT_NE(std::string(error.what()).find("file"), std::string::npos) << error.what();
    }
  }
  try {
    (void)parse_sensitivities("0.5\nSend 2\n", "file");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("file:2: '2' is not a number from 0 to 1"),
              std::string::npos)
        << error.what();
  }
}

TEST(sensitivities, are_a_number_or_those_of_a_file) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path("s.txt");
  write_text_file(file, "Send 0.5\n");
  EXPECT_EQ(read_sensitivities("0.25").otherwise, 0.25);
  EXPECT_EQ(read_sensitivities(file).calls.size(), 1u);
  EXPECT_THROW((void)read_sensitivities("2"), Error);
  EXPECT_THROW((void)read_sensitivities(folder.path("none.txt")), Error);
}

} // namespace
} // namespace hypermile::io
