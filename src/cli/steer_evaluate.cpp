#include "cli/steer_evaluate.hpp"

#include "cli/checks.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/read_option.hpp"
#include "cli/steer_tables.hpp"

#include "report/steer_evaluation.hpp"
#include "units/parse.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace hypermile::cli {
namespace {

constexpr const char* steer_evaluate_usage = "hypermile steer evaluate [TABLE.csv ...] [OPTIONS]";

struct EvaluateOptions {
  std::vector<std::string> files;
  TableOptions tables;
  std::vector<std::string> methods{"adaptive", "nornir", "bisect", "limartinez"};
  steer::Noise noise;
  bool json = false;
  bool quiet = false;
};

std::string footer() {
  std::string text =
      R"(Replays programs that were measured in all configurations of a machine: nine
bounds on throughput and nine on power for each, from a tenth to nine tenths of
the range between its least and its most. Without TABLE.csv: the six programs of
PARSEC that come along. A file of voltages may be among the tables.

Methods:
)";
  for (const steer::SearchMethod& method : steer::methods())
    text += fmt::format("  {:<15} {}\n", method.name, method.description);
  return text + R"(
Examples:
  How good the methods are on the programs that come along:
    hypermile steer evaluate

  hypermile's own on measurements of another machine, for a script:
    hypermile steer evaluate mine/*.csv --methods adaptive --noise 1% --json

docs/steer.md explains the tables, the figures and the JSON.)";
}

void check_methods(const std::vector<std::string>& methods) {
  for (const std::string& method : methods)
    (void)steer::supports(method, {}); // throws for what is none
}

void run(const EvaluateOptions& options) {
  const auto tables =
      load_tables(options.files.empty() ? bundled_tables() : options.files, options.tables);
  report::EvaluationSubject subject{.tables = {}, .noise = options.noise};
  for (const steer::Table& table : tables)
    subject.tables.push_back(table.name);
  steer::Evaluation evaluation;
  {
    ProgressLine progress(options.quiet);
    evaluation = steer::evaluate(tables, options.methods, options.noise,
                                 [&](std::size_t done, std::size_t all) {
                                   progress.status(fmt::format("{} of {}", done, all));
                                 });
  }
  if (tables.size() > 1 && std::ranges::find(options.methods, "adaptive") != options.methods.end())
    subject.left_out = steer::leave_one_out(tables, options.noise);
  print_result(options.json ? report::evaluation_json(subject, evaluation)
                            : report::evaluation_text(subject, evaluation));
}

} // namespace

void add_steer_evaluate_command(CLI::App& steer, int& exit_code) {
  auto* command = steer.add_subcommand(
      "evaluate", "Compare methods on programs that were measured in all configurations");
  const auto options = std::make_shared<EvaluateOptions>();
  command->formatter(std::make_shared<HelpFormatter>(steer_evaluate_usage));
  command->footer(footer());
  command->add_option("TABLE", options->files, "CSV of measurements");
  command
      ->add_option("--methods", options->methods,
                   "Which, by comma. Default: adaptive,nornir,bisect,limartinez")
      ->type_name("METHOD,...")
      ->delimiter(',')
      ->check(understood_by([](const std::string& method) { check_methods({method}); }));
  add_read_option(*command, "--noise", "PERCENT",
                  "Measurements deviate by this much (standard deviation). Default: 0", read_noise,
                  [options](double noise) { options->noise.deviation = noise; });
  command->add_option("--seed", options->noise.seed, "Of the noise. Default: 1")
      ->type_name("N")
      ->check(whole_number(0, std::numeric_limits<std::size_t>::max()));
  add_table_options(*command, options->tables);
  command->add_flag("--json", options->json, "Cases and summary, hypermile/steer-evaluation/1");
  command->add_flag("-q,--quiet", options->quiet, "No progress on stderr");
  command->callback([options, &exit_code] {
    run(*options);
    exit_code = static_cast<int>(ExitCode::success);
  });
}

} // namespace hypermile::cli
