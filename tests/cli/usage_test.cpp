// hypermile as somebody meets it who does not know it.

#include "support/command_line.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace hypermile {
namespace {

using test::run_hypermile;
using test::RunningCommand;

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

TEST(usage, without_a_command_shows_what_there_is) {
  const auto result = run_hypermile({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  expect_contains(result.err, "usage: hypermile COMMAND [OPTIONS]\n");
  expect_contains(result.err, "\n  select ");
  EXPECT_TRUE(
      result.err.ends_with("\nhypermile: error: no command is given\ntry: hypermile --help\n"))
      << result.err;
}

TEST(usage, of_a_command_or_option_that_does_not_exist_names_it) {
  const auto command = run_hypermile({"bogus"});
  EXPECT_EQ(command.exit_code, 2);
  EXPECT_EQ(command.err, "hypermile: error: there is no command 'bogus'\ntry: hypermile --help\n");
  const auto option = run_hypermile({"--bogus"});
  EXPECT_EQ(option.exit_code, 2);
  EXPECT_EQ(option.err, "hypermile: error: unknown option --bogus\ntry: hypermile --help\n");
}

TEST(usage, of_simulate_says_whether_this_build_can) {
  const auto result = run_hypermile({"simulate"});
  EXPECT_EQ(result.exit_code, 2);
#ifdef HYPERMILE_SIMGRID
  expect_contains(result.err, "--platform is required");
#else
  expect_contains(result.err, "hypermile: error: this hypermile was built without SimGrid");
#endif
}

TEST(version, is_printed) {
  const auto result = run_hypermile({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(result.out.starts_with("hypermile ")) << result.out;
  EXPECT_EQ(result.err, "");
}

class Help : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Help, fits_a_terminal_and_has_usage_examples_and_exit_codes) {
  auto arguments = GetParam();
  arguments.emplace_back("--help");
  const auto result = run_hypermile(arguments);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  expect_contains(result.out, "\nusage: hypermile ");
  const bool simulates = !GetParam().empty() && GetParam().front() != "explain";
  expect_contains(result.out, simulates ? "    hypermile " + GetParam().front() + " "
                                        : "    hypermile select ");
  expect_contains(result.out, "\nExit code:");
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80U) << line;
}

INSTANTIATE_TEST_SUITE_P(Commands, Help,
                         testing::Values(std::vector<std::string>{},
                                         std::vector<std::string>{"select"},
                                         std::vector<std::string>{"explain"}));
#ifdef HYPERMILE_SIMGRID
INSTANTIATE_TEST_SUITE_P(Simulations, Help,
                         testing::Values(std::vector<std::string>{"simulate"},
                                         std::vector<std::string>{"record"},
                                         std::vector<std::string>{"sweep"},
                                         std::vector<std::string>{"reproduce"}));
#endif

/// Every option that takes a value says what it is without it, or that it is required.
void expect_defaults(const std::string& command, const std::vector<const char*>& options) {
  const std::string text = run_hypermile({command, "--help"}).out;
  for (const char* option : options) {
    const auto begin = text.find(std::string("\n  ") + option + " ");
    ASSERT_NE(begin, std::string::npos) << option;
    const auto end = text.find("\n  -", begin + 1);
    EXPECT_NE(text.substr(begin, end - begin).find("Default:"), std::string::npos) << option;
  }
}

TEST(select_help, says_the_default_of_every_option_with_a_value) {
  expect_defaults("select", {"--energy-model", "--method", "--objective", "--weight",
                             "--max-slowdown", "--energy-budget", "--power-cap"});
}

TEST(explain_help, says_the_default_of_every_option_with_a_value) {
  expect_defaults("explain", {"--run", "--gears", "--plan", "--problem", "--energy-model",
                              "--max-slowdown", "--top"});
}

class Streams : public testing::Test {
protected:
  static test::CommandResult select(const std::string& redirection) {
    return RunningCommand::shell("\"$HYPERMILE\" select '" HYPERMILE_SOURCE_DIR
                                 "/tests/golden/public-08-cluster.json' " +
                                 redirection)
        .wait();
  }
};

TEST_F(Streams, that_take_no_results_are_an_error) {
  for (const char* redirection : {">/dev/full", ">&-", "<&- >&-"}) {
    const auto result = select(redirection);
    EXPECT_EQ(result.exit_code, 1) << redirection;
    expect_contains(result.err, "hypermile: error: cannot write the results to standard output: ");
  }
}

TEST_F(Streams, that_are_not_needed_may_be_closed) { EXPECT_EQ(select("<&- 2>&-").exit_code, 0); }

} // namespace
} // namespace hypermile
