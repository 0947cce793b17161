// What a user sees on a terminal, and what happens where the standard streams are odd.

#include "simulate/simulated.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace hypermile {
namespace {

using test::contains;
using test::smpi_program;

/// `hypermile simulate` of a program with so many iterations, as a line for the shell.
std::string command(const std::string& options, int iterations = 20) {
  return "\"$HYPERMILE\" simulate --platform table-3.1 -n 4 --reference-speed 300Gf --method "
         "none " +
         options + " -- '" + smpi_program("only_allreduce") + "' " + std::to_string(iterations) +
         " 2000";
}

/// Runs it, and fails the test if anything is left in TMPDIR.
test::CommandResult shell(const std::string& line, const std::string& terminal = "xterm") {
  const test::TemporaryFolder temporary;
  auto result =
      test::RunningCommand::shell(line, {{"TMPDIR", temporary.path()}, {"TERM", terminal}}).wait();
  EXPECT_TRUE(temporary.empty());
  return result;
}

/// The same, on a terminal: `script` makes one, and prints what it shows.
std::string on_terminal(const std::string& line, const std::string& terminal = "xterm") {
  const auto result =
      shell("LINE=$(cat <<'END'\n" + line + "\nEND\n)\nscript -qec \"$LINE\" /dev/null", terminal);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  return result.out;
}

constexpr const char* erase = "\r\033[K";

TEST(progress, on_a_terminal_is_one_line_that_is_gone_at_the_end) {
  const std::string shown = on_terminal(command("", 200)); // which takes a while
  const auto status = shown.rfind(" s simulated, iteration ");
  ASSERT_NE(status, std::string::npos) << shown;
  const auto after = shown.find(erase, status);
  ASSERT_NE(after, std::string::npos) << shown;
  EXPECT_EQ(shown.substr(status, after - status).find('\n'), std::string::npos) << shown;
  EXPECT_EQ(shown.find(erase, after + 1), std::string::npos) << shown;
}

TEST(progress, on_a_dumb_terminal_has_no_line_that_is_rewritten) {
  const std::string shown = on_terminal(command(""), "dumb");
  EXPECT_TRUE(contains(shown, "hypermile: unscaled: simulating")) << shown;
  EXPECT_FALSE(contains(shown, "\033")) << shown;
}

TEST(progress, is_not_missed_where_stderr_is_closed) {
  const auto result = shell(command("") + " 2>&-");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.out, "\nunscaled ")) << result.out;
}

TEST(streams, that_are_closed_do_not_mix_results_with_other_files) {
  const auto result = shell(command("-q") + " <&- >&-");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "hypermile: error: cannot write the results to standard output: Bad file "
                        "descriptor\n");
}

TEST(streams, whose_reader_has_gone_leave_nothing_behind) {
  // Progress has no reader, as in `hypermile simulate ... 2>&1 | head -1`.
  const auto result = shell("{ " + command("", 200) + " 2>&1; echo $? >&3; } 3>&2 | true");
  EXPECT_EQ(result.err, "141\n");
}

TEST(simulate_help, fits_a_terminal_and_says_the_default_of_every_option_with_a_value) {
  const std::string text = test::run_hypermile({"simulate", "--help"}).out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80u) << line;
  for (const char* option :
       {"-n,--ranks", "--reference-speed", "--computation", "--method", "--objective", "--gears",
        "--plan", "--gears-file", "--report", "--output", "--jobs"}) {
    const auto begin = text.find(std::string("\n  ") + option + " ");
    ASSERT_NE(begin, std::string::npos) << option;
    const std::string own = text.substr(begin, text.find("\n  -", begin + 1) - begin);
    EXPECT_TRUE(contains(own, "efault")) << own;
  }
  for (const char* part :
       {"\nExamples:\n", "\nEnvironment:\n", "\nExit code:\n", "table-3.1-80-20"})
    EXPECT_TRUE(contains(text, part)) << part;
}

} // namespace
} // namespace hypermile
