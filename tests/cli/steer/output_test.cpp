// Programs whose progress is read from what they print, which is passed on as it is.

#include "cli/steer/steered.hpp"

namespace hypermile::test {
namespace {

class SteerOutput : public SteerTest {
protected:
  [[nodiscard]] CommandResult run_line(const std::string& line,
                                       const std::string& regex = "item ([0-9]+)") const {
    return run(emulated({"--power", "75W", "--progress-regex", regex}), {"sh", "-c", line});
  }
};

TEST_F(SteerOutput, is_progress_and_passed_on) {
  const CommandResult result =
      run_line("i=0; while [ $i -lt 150 ]; do i=$((i+1)); echo item $i; sleep 0.01; done");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::string expected;
  for (int i = 1; i <= 150; ++i)
    expected += "item " + std::to_string(i) + "\n";
  EXPECT_EQ(result.out, expected);
  EXPECT_EQ(report()["reported_progress"], true);
  EXPECT_GT(report()["items"], 0);
  EXPECT_LT(report()["items"], 150);
}

TEST_F(SteerOutput, of_any_bytes_and_without_an_end_of_line_is_passed_on) {
  const CommandResult result = run_line(R"(printf 'item 1\n\000\377\r\n\033[K item 2')");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, std::string("item 1\n\0\377\r\n\033[K item 2", 21));
}

TEST_F(SteerOutput, of_megabytes_is_complete_though_the_program_ends_at_once) {
  const CommandResult result =
      run_line("head -c 5000000 /dev/zero | tr '\\0' x; echo; echo item 5");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.size(), 5'000'000 + 8U);
  EXPECT_EQ(result.out.substr(5'000'000), "\nitem 5\n");
}

TEST_F(SteerOutput, that_nobody_reads_ends_the_program_as_without_us) {
  const auto running =
      start_shell(emulated({"--power", "75W", "--progress-regex", "'(y)'"}),
                  "{ $STEER -- sh -c 'while echo y; do :; done; exit 9'; echo $? > " +
                      folder_.path("code") + "; } | head -n 1");
  EXPECT_EQ(running->wait().out, "y\n");
}

TEST_F(SteerOutput, of_a_process_that_the_program_leaves_behind_is_passed_on) {
  const CommandResult result = run_line("(sleep 1; echo item 2) & echo item 1");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "item 1\nitem 2\n");
}

} // namespace
} // namespace hypermile::test
