#include "cli/checks.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"
#include "cli/read_option.hpp"

#include "compare/comparison.hpp"
#include "compare/limits.hpp"
#include "compare/text.hpp"
#include "runtime/settings.hpp"
#include "units/parse.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace hypermile::cli {
namespace {

constexpr const char* compare_footer =
    R"(Says by how much B took more or less time and energy than A, and in what else
they differ: then they are not like for like. A and B are folders that
'hypermile report' takes, or files with what 'hypermile run', 'simulate',
'sweep' or 'steer' print with --json. Several runs of each tell chance from
difference: figures then have intervals.

Examples:
  Two runs; and three of each, with intervals:
    hypermile compare before after
    hypermile compare before-1 before-2 before-3 --with after-1 after-2 after-3

  Two methods of one simulation:
    hypermile compare out --with out --method unscaled --with-method exact

  In a test of every night: fail if the program has become slower by more than
  2 %, or needs more energy by more than 1 %:
    hypermile compare ref-*.json --with new-*.json --max-slowdown 2% \
        --max-more-energy 1%

Exit code:
  0             compared, and all limits that were asked for are kept
  1             a result cannot be read, or A and B have nothing in common
  2             wrong usage
  3             a limit is exceeded

docs/compare.md describes the figures, the intervals and the JSON.)";

struct CompareOptions {
  std::vector<std::string> results;
  std::vector<std::string> with;
  std::string method;
  std::string with_method;
  double confidence = 0.95;
  compare::Limits limits;
  bool json = false;
};

/// Which results are A, and which are B.
compare::Question question_of(const CompareOptions& options) {
  compare::Question question{.a = options.results, .b = options.with};
  if (question.b.empty()) {
    if (question.a.size() != 2)
      throw CLI::ValidationError(
          "RESULT", fmt::format("{} without --with, where two are A and B; try: A... --with B...",
                                question.a.size() == 1 ? "there is one" : "there are several"));
    question.b = {question.a.back()};
    question.a.pop_back();
  }
  question.confidence = options.confidence;
  question.method_a = options.method;
  question.method_b = options.with_method.empty() ? options.method : options.with_method;
  return question;
}

int run(const CompareOptions& options) {
  const auto question = question_of(options);
  if (options.limits.proven && !options.limits.max_slowdown && !options.limits.max_more_energy)
    throw CLI::ValidationError("--proven", "needs --max-slowdown or --max-more-energy");
  const auto comparison = compare::compare(question);
  const auto exceeded = compare::exceeded(comparison, options.limits);
  print_result(options.json ? compare::comparison_json(comparison, options.limits, exceeded)
                            : compare::comparison_text(comparison, options.limits, exceeded));
  return static_cast<int>(exceeded.empty() ? ExitCode::success : ExitCode::infeasible);
}

void add_what_is_compared(CLI::App& command, CompareOptions& options) {
  command
      .add_option("RESULT", options.results,
                  "A and B; with --with, all results of A: folders or files of JSON")
      ->required()
      ->check(not_empty());
  command
      .add_option("--with", options.with,
                  "The results of B, as many as there are. Default: the second RESULT")
      ->type_name("RESULT...")
      ->check(not_empty());
  command
      .add_option(
          "--method", options.method,
          "Of simulations: only the runs of this method, e.g. exact, unscaled. Default: all "
          "methods that both have")
      ->type_name("METHOD")
      ->check(not_empty());
  command
      .add_option("--with-method", options.with_method,
                  "The same of B, to compare two methods. Default: --method")
      ->type_name("METHOD")
      ->check(not_empty());
  add_read_option(
      command, "--confidence", "RATIO",
      "Probability with which intervals hold the true difference, from 50% to less than 100%. "
      "Default: 95%",
      runtime::parse_confidence, [&options](double value) { options.confidence = value; });
}

void add_limits(CLI::App& command, compare::Limits& limits) {
  add_read_option(command, "--max-slowdown", "RATIO",
                  "Exit code 3 if B takes longer than A by more than this, e.g. 2%: if the whole "
                  "interval is above it; of one run each, if the difference is. Default: no limit",
                  parse_slowdown, [&limits](double value) { limits.max_slowdown = value; });
  add_read_option(command, "--max-more-energy", "RATIO",
                  "The same of the energy. Default: no limit", parse_slowdown,
                  [&limits](double value) { limits.max_more_energy = value; });
  command.add_flag("--proven", limits.proven,
                   "Exit code 3 also if the runs do not show that these limits are kept: if the "
                   "interval reaches above one, or there is none");
  command.add_flag("--like-for-like", limits.like_for_like,
                   "Exit code 3 also if A and B are not like for like");
}

} // namespace

void add_compare_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand(
      "compare", "Compare time and energy of two results, or of several runs of each");
  command->group("Commands");
  command->formatter(
      std::make_shared<HelpFormatter>("hypermile compare A B [OPTIONS]\n"
                                      "       hypermile compare A... --with B... [OPTIONS]"));
  command->footer(compare_footer);
  const auto options = std::make_shared<CompareOptions>();
  add_what_is_compared(*command, *options);
  add_limits(*command, options->limits);
  command->add_flag("--json", options->json, "Print JSON, hypermile/comparison/1");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace hypermile::cli
