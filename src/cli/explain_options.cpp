#include "cli/explain_options.hpp"

#include "cli/help.hpp"
#include "cli/problem_options.hpp"
#include "cli/read_option.hpp"

#include "io/gears_text.hpp"
#include "io/request_words.hpp"
#include "units/parse.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace hypermile::cli {
namespace {

constexpr const char* explain_usage =
    "hypermile explain DIR [--run NAME | --gears GEAR,... | --plan FILE]\n"
    "       hypermile explain PLAN [--problem FILE]\n"
    "       hypermile explain --model MODEL --platform PLATFORM -n N [OPTIONS]\n"
    "       hypermile explain RUN.hmr [--platform PLATFORM] [OPTIONS]";

constexpr const char* explain_footer =
    R"(DIR is the folder of 'hypermile simulate --report DIR'. From the timeline of its
unscaled run, hypermile computes what the time consists of in the gears of one
of its runs, or in any other gears: the critical path (which rank computes,
which MPI calls cost how much), how much later each rank could be (slack), how
long it waits, and the effect of one gear more or less on each node.

PLAN is the output of 'hypermile select --json'; - is standard input. hypermile
explains it with the model of its problem: which node decides the time, how much
earlier the others finish, and the effect of one gear more or less on each node.

A model of a program (docs/models.md) or a recorded run (docs/replay.md) is
simulated first, and explained as a folder is: in gear 0, in the gears that
--gears or --plan give, or in those of the method --run.

Examples:
  Explain what limits the chosen gears:
    hypermile simulate --platform table-3.1 -n 8 --report out -- ./app
    hypermile explain out

  The unscaled run; your own gears; those of a plan, with all calls of the path:
    hypermile explain out --run unscaled
    hypermile explain out --gears 0,3,5,2,0,0,1,1
    hypermile explain out --plan plan.json --top 1000 --json

  A program that does not exist yet, in gear 0; a recorded run as planned:
    hypermile explain --model stencil --platform table-3.1 -n 16
    hypermile explain app.hmr --run planned

  A plan, with the problem that it names, or with a given one:
    hypermile select PROBLEM.json --json > plan.json
    hypermile explain plan.json
    hypermile select - --json < P.json | hypermile explain - --problem P.json

Exit code:
  0             explained
  1             the folder or the plan cannot be used
  2             wrong usage, also a run or gears that do not exist

docs/explain.md says what the figures mean.)";

void add_gears_options(CLI::App& command, ExplainOptions& options) {
  auto* run = command.add_option(
      "--run", options.run,
      "DIR: explain the gears that this run had at its end: unscaled, exact, gears-1 "
      "... PLAN with several plans: the plan of this method. Default: exact, "
      "else the first run with gears; the first plan");
  run->type_name("NAME")->check(not_empty());
  auto* gears =
      command.add_option("--gears", options.gears,
                         "DIR: explain these gears: one per node with ranks, e.g. 0,3,5; one for "
                         "all, e.g. 3; by type, e.g. type1=2,type3=1. Default: those of the run");
  gears->type_name("GEAR,...")->check(understood_by(io::parse_gear_choice))->excludes(run);
  command
      .add_option("--plan", options.plan,
                  "DIR: explain the gears of a plan, the output of 'hypermile select --json'. "
                  "Default: those of the run")
      ->type_name("FILE")
      ->check(not_empty())
      ->excludes(run)
      ->excludes(gears);
}

void add_aim_options(CLI::App& command, ExplainOptions& options) {
  add_read_option(command, "--objective", "OBJECTIVE",
                  fmt::format("What better gears improve: {}. Default: the objective with which "
                              "the gears were chosen",
                              select::objective_names()),
                  io::parse_objective, [&](select::Objective name) { options.objective = name; });
  add_read_option(
      command, "--max-slowdown", "RATIO",
      "Bound on the slowdown, e.g. 5%: slower gears are not better. Default: the bound with "
      "which the gears were chosen",
      parse_slowdown, [&](double ratio) { options.max_slowdown = ratio; });
}

void refuse(const CLI::App& command, const std::vector<const char*>& names, const char* reason) {
  for (const char* name : names)
    if (command.count(name) > 0)
      throw CLI::ValidationError(name, reason);
}

} // namespace

void add_explain_options(CLI::App& command, ExplainOptions& options) {
  command.formatter(std::make_shared<HelpFormatter>(explain_usage));
  command.footer(explain_footer);
  command.add_option("PLAN|DIR|RUN", options.subject,
                     "A plan, the folder of a report, or a recorded run");
  add_run_source(command, options.simulated);
  add_gears_options(command, options);
  command
      .add_option("--problem", options.source.problem,
                  "PLAN: its problem in JSON. Default: the problem that the plan names")
      ->type_name("FILE")
      ->check(not_empty());
  add_problem_options(command, "--problem", options.source);
  add_aim_options(command, options);
  command
      .add_option("--top", options.top,
                  "DIR: number of calls and segments of the path that are listed, 1 to 1000000. "
                  "Default: 10")
      ->type_name("N")
      ->check(whole_number(1, 1000000));
  command.add_flag("--json", options.json, "Print JSON, hypermile/explanation/1");
}

void check_explain_options(const CLI::App& command, ExplainOptions& options) {
  check_run_source(command, options.subject, options.source.platform, options.simulated);
  if (options.simulated.named())
    return refuse(command, {"--problem", "--workload", "--energy-model"},
                  "is for a plan; a run brings everything that is needed");
  if (options.subject.empty())
    throw CLI::RequiredError("PLAN, DIR, a recorded run or --model");
  if (std::filesystem::is_directory(options.subject))
    return refuse(command, {"--problem", "--platform", "--workload", "--energy-model"},
                  "is for a plan; a folder contains everything that is needed");
  refuse(command, {"--gears", "--plan", "--top"},
         "is for a run, or a folder of 'hypermile simulate --report'");
  check_platform_of_problem(options.source);
}

} // namespace hypermile::cli
