// Man pages and completions: what the command says of itself to shells and to man(1).

#include "support/command_line.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace hypermile {
namespace {

using test::contains;
using test::run_hypermile;
using Words = std::vector<std::string>;

struct Completed {
  std::vector<std::string> words;
  std::string or_else; ///< after the colon
};

Completed complete(Words line) {
  line.insert(line.begin(), {"completion", "words", "--"});
  const auto result = run_hypermile(line);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  Completed completed;
  std::istringstream lines(result.out);
  for (std::string text; std::getline(lines, text);)
    if (text.starts_with(':'))
      completed.or_else = text.substr(1);
    else
      completed.words.push_back(text.substr(0, text.find('\t')));
  return completed;
}

Words with(Words words, const std::string& last) {
  words.push_back(last);
  return words;
}

/// All commands there are, by what leads to them.
std::vector<Words> commands_below(const Words& command) {
  std::vector<Words> all{command};
  const auto help = run_hypermile(with(command, "--help")).out;
  for (const std::string& name : complete(with(command, "")).words)
    if (contains(help, "\n  " + name + " ") || contains(help, "\n  " + name + "\n")) {
      const auto below = commands_below(with(command, name));
      all.insert(all.end(), below.begin(), below.end());
    }
  return all;
}

/// As the list of options in --help has them.
std::set<std::string> options_in_help(const Words& command) {
  const std::string help = run_hypermile(with(command, "--help")).out;
  const std::regex option("\n  (?:-\\w,)?(--[a-z0-9-]+)");
  std::set<std::string> names;
  for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found)
    names.insert((*found)[1]);
  return names;
}

/// What a line for the shell prints, on stderr, too; $HYPERMILE is the command.
std::string output_of(const std::string& line) {
  const auto result = test::RunningCommand::shell(line).wait();
  return result.out + result.err;
}

TEST(completion, has_all_commands_and_their_options) {
  const auto commands = commands_below({});
  EXPECT_GT(commands.size(), 8U);
  for (const Words& command : commands) {
    const auto words = complete(with(command, "--")).words;
    const auto documented = options_in_help(command);
    EXPECT_EQ(std::set<std::string>(words.begin(), words.end()), documented)
        << testing::PrintToString(command);
  }
}

TEST(help, of_every_command_fits_a_terminal) {
  for (const Words& command : commands_below({})) {
    std::istringstream lines(run_hypermile(with(command, "--help")).out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 80U) << testing::PrintToString(command) << line;
  }
}

TEST(completion, offers_what_begins_with_what_is_there) {
  EXPECT_EQ(complete({"sel"}).words, Words{"select"});
  EXPECT_EQ(complete({"select", "--obj"}).words, Words{"--objective"});
  EXPECT_EQ(complete({"select", "--objective", "ed"}).words, (Words{"edp", "ed2p", "edp48"}));
  EXPECT_EQ(complete({"select", "--objective=max"}).words, Words{"--objective=maxdist"});
  EXPECT_EQ(complete({"select", "--objective", "=", "max"}).words, Words{"maxdist"}); // bash
  EXPECT_EQ(complete({"select", "--objective", "="}).words.size(), 6U);
  EXPECT_EQ(complete({"select", "--compare", "exact,sla"}).words, Words{"exact,slack"});
  EXPECT_EQ(complete({"bogus", ""}).words, Words{});
}

TEST(completion, offers_values_that_are_taken) {
  const auto methods = complete({"select", "--method", ""}).words;
  EXPECT_GT(methods.size(), 10U);
  for (const std::string& method : methods) {
    const auto result = run_hypermile({"select", "/nowhere.json", "--method", method});
    EXPECT_FALSE(contains(result.err, "is not a method")) << result.err;
  }
}

TEST(completion, knows_what_else_may_stand_there) {
  EXPECT_EQ(complete({"select", ""}).or_else, "files");
  EXPECT_EQ(complete({"select", "--workload", ""}).or_else, "files");
  EXPECT_EQ(complete({"select", "--objective", ""}).or_else, "nothing");
  EXPECT_EQ(complete({"steer", "--backend", "emu"}).words, Words{"emulated"});
  EXPECT_EQ(complete({"steer", "--backend", ""}).or_else, "nothing");
  const auto platform = complete({"select", "--platform", "table-4.4"});
  EXPECT_EQ(platform.words, Words{"table-4.4"});
  EXPECT_EQ(platform.or_else, "files");
  EXPECT_EQ(complete({"plan", ""}).or_else, "folders");
  EXPECT_EQ(complete({"steer", "--power", "90W", "--", "./ser"}).or_else, "command 5");
  EXPECT_EQ(complete({"steer", "--", "./server", "--"}).or_else, "command 3");
}

TEST(completion, shows_nothing_of_what_the_scripts_ask) {
  EXPECT_EQ(complete({"completion", ""}).words, (Words{"bash", "zsh", "fish"}));
}

TEST(completion, works_in_bash) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path("problem.json")) << "{}";
  const auto replies = [&](const std::string& words, int current) {
    const std::string script = "cd " + folder.path("") +
                               "; source <($HYPERMILE completion bash); COMP_WORDS=($HYPERMILE " +
                               words + "); COMP_CWORD=" + std::to_string(current) +
                               "; _hypermile; IFS=,; echo \"${COMPREPLY[*]}\"";
    return output_of("bash --norc -c '" + script + "'");
  };
  EXPECT_EQ(replies("sel", 1), "select\n");
  EXPECT_EQ(replies("select --objective ed", 3), "edp,ed2p,edp48\n");
  EXPECT_EQ(replies("select --objective = max", 4), "maxdist\n");
  EXPECT_EQ(replies("select pro", 2), "problem.json\n");
  EXPECT_EQ(replies("select \"\"", 2), "problem.json\n");
}

TEST(completion, scripts_are_understood_by_the_shells_that_are_here) {
  for (const char* const shell : {"bash", "zsh", "fish"}) {
    const std::string there = output_of(std::string("command -v ") + shell);
    if (there.empty())
      continue;
    EXPECT_EQ(output_of(std::string("$HYPERMILE completion ") + shell + " | " + shell + " -n"), "");
  }
}

// --- man pages ---

TEST(manual, has_a_page_for_each_command_with_its_options) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(run_hypermile({"manual", "--all", "-o", folder.path("man1")}).exit_code, 0);
  const auto commands = commands_below({});
  std::size_t pages = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("man1")))
    pages += entry.path().extension() == ".1" ? 1 : 0;
  EXPECT_EQ(pages, commands.size());
  for (const Words& command : commands) {
    std::string name = "hypermile";
    for (const std::string& word : command)
      name += "-" + word;
    const std::string page = test::content(folder.path("man1/" + name + ".1"));
    EXPECT_TRUE(page.starts_with(".TH ")) << name;
    Words alone{"manual"};
    alone.insert(alone.end(), command.begin(), command.end());
    EXPECT_EQ(page, run_hypermile(alone).out);
    for (const std::string& option : options_in_help(command))
      EXPECT_TRUE(contains(page, std::regex_replace(option, std::regex("-"), "\\-"))) << option;
  }
}

TEST(manual, is_what_roff_understands) {
  if (output_of("command -v groff").empty())
    GTEST_SKIP() << "there is no groff here";
  const test::TemporaryFolder folder;
  ASSERT_EQ(run_hypermile({"manual", "--all", "-o", folder.path("man1")}).exit_code, 0);
  EXPECT_EQ(output_of("groff -man -Tutf8 -ww -z " + folder.path("man1") + "/*.1"), "");
  const std::string shown =
      output_of("groff -man -Tascii -P-c -P-b -P-u " + folder.path("man1/hypermile-select.1"));
  for (const char* const part : {"HYPERMILE-SELECT(1)", "hypermile select PROBLEM.json [OPTIONS]",
                                 "--objective OBJECTIVE", "EXIT CODE", "EXAMPLES"})
    EXPECT_TRUE(contains(shown, part)) << part << " is not in\n" << shown;
}

TEST(manual, of_no_command_says_so) {
  const auto result = run_hypermile({"manual", "bogus"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "there is no command 'bogus'")) << result.err;
  EXPECT_EQ(run_hypermile({"manual", "--all"}).exit_code, 2);
}

} // namespace
} // namespace hypermile
