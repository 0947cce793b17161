#include "cli/checks.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"
#include "cli/read_option.hpp"

#include "io/request_words.hpp"
#include "io/text_file.hpp"
#include "launch/srun.hpp"
#include "learn/learnt_platform.hpp"
#include "learn/memory_folder.hpp"
#include "learn/starting_plan.hpp"
#include "report/loop_text.hpp"
#include "units/parse.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <sstream>

namespace hypermile::cli {
namespace {

constexpr const char* plan_footer =
    R"(Shows what a folder of 'hypermile run --learn' knows of each job, and what the
next run of it would begin with: gears from MPI_Init on, and their predicted
effect on time and energy. JOB is a part of the job's command line or of the
name of its file; without it all jobs are listed.

Objectives:
{objectives}

Examples:
  What is known, and what it would save:
    hypermile plan memory

  Look at the plan of one job, then run in it:
    hypermile plan memory "ep --class C" -o plan.json
    hypermile run --plan plan.json -- mpirun -n 64 ./ep --class C

  Run it under Slurm in these gears, without any permission:
    hypermile plan memory "ep --class C" --print-srun

  What the nodes draw, as their meters showed while the job ran:
    hypermile plan memory "ep --class C" --print-platform > cluster.yaml

  Least energy with at most 5% more time:
    hypermile plan memory --objective energy --max-slowdown 5%

Exit code:
  0             there is a plan
  1             there is none: nothing is known of the job, or its file is
                damaged
  2             wrong usage

docs/learning.md explains the figures and the JSON.)";

struct PlanOptions {
  std::string folder;
  std::string job;
  std::string file;
  std::string objective = "maxdist";
  std::optional<double> max_slowdown;
  bool json = false;
  bool print_srun = false;
  bool print_platform = false;
};

struct Known {
  std::string file;
  learn::Memory memory;
};

/// Those that can be read; of the others it is told why not.
std::vector<Known> memories_in(const std::string& folder, const std::string& job) {
  std::vector<Known> known;
  for (const std::string& file : learn::MemoryFolder(folder).files())
    try {
      auto memory = learn::parse_memory(io::read_text_file(file), file);
      if (file.find(job) != std::string::npos ||
          learn::command_of(memory.identity).find(job) != std::string::npos)
        known.push_back({file, std::move(memory)});
    } catch (const Error& error) {
      print_error(error.what());
    }
  return known;
}

learn::StartingPlan plan_of(const Known& known, const PlanOptions& options) {
  constexpr Seconds think{2};
  select::Request request;
  request.objective = io::parse_objective(options.objective);
  request.constraints.max_slowdown = options.max_slowdown;
  auto plan = learn::make_plan(known.memory, request, {}, think);
  plan.planned.origin = known.file;
  return plan;
}

std::string effect_of(const learn::StartingPlan& plan) {
  if (!plan.declined.empty())
    return fmt::format("no plan: {}", plan.declined);
  const auto& [origin, runs, baseline, time, energy] = plan.planned;
  return fmt::format("time {:+.2f} %, energy {:+.2f} %", 100 * (time / baseline.time - 1),
                     100 * (energy / baseline.energy - 1));
}

/// The settings of the nodes of each type, a line each.
std::string gears_of(const Known& known, const learn::StartingPlan& plan) {
  std::vector<runtime::RankReport> ranks;
  for (std::size_t r = 0; r < plan.ranks.size(); ++r)
    ranks.push_back({.node = known.memory.identity.nodes[r], .gear = plan.ranks[r].gear});
  std::string text;
  std::istringstream lines(report::gears_text(ranks));
  for (std::string line; std::getline(lines, line);)
    text += fmt::format("  {}\n", line);
  return text;
}

void print_list(const std::vector<Known>& all, const PlanOptions& options) {
  std::string text;
  for (const Known& known : all) {
    const auto plan = plan_of(known, options);
    text += fmt::format("{}\n  {} ranks, {} run{}; {}\n", learn::command_of(known.memory.identity),
                        known.memory.ranks.size(), known.memory.runs,
                        known.memory.runs == 1 ? "" : "s", known.file);
    text += fmt::format("  predicted of the next run, against gear 0: {}\n", effect_of(plan));
    if (plan.declined.empty())
      text += "  gears (nodes x setting)\n" + gears_of(known, plan);
  }
  print_result(text);
}

[[noreturn]] void fail_to_find(const PlanOptions& options) {
  std::string there;
  for (const Known& known : memories_in(options.folder, ""))
    there += fmt::format("\n  {} ({} ranks)", learn::command_of(known.memory.identity),
                         known.memory.ranks.size());
  throw Error(
      ErrorKind::config,
      there.empty()
          ? fmt::format("{} knows of no job", options.folder)
          : fmt::format("{} knows of no job '{}', only of:{}", options.folder, options.job, there),
      there.empty() ? fmt::format("hypermile run --learn {} -- COMMAND", options.folder) : "");
}

/// The command that starts the job in the gears of the plan, as its ranks were before.
std::string srun_of(const Known& known, const learn::StartingPlan& plan) {
  std::vector<launch::SrunRank> ranks;
  for (std::size_t r = 0; r < plan.ranks.size(); ++r) {
    const model::NodeType& type = known.memory.identity.nodes[r].type;
    ranks.push_back({.node = plan.ranks[r].node, .kind = "type " + type.name});
    if (type.frequencies_known)
      ranks.back().frequency = type.gears.frequency(plan.ranks[r].gear);
  }
  return launch::srun_command(ranks, learn::shell_command_of(known.memory.identity));
}

void run(const PlanOptions& options) {
  const auto all = memories_in(options.folder, options.job);
  if (all.empty())
    fail_to_find(options);
  if (options.file.empty() && !options.json && !options.print_srun && !options.print_platform)
    return print_list(all, options);
  if (all.size() > 1) {
    std::vector<std::string> jobs;
    for (const Known& known : all)
      jobs.push_back(known.file);
    throw Error(ErrorKind::config,
                fmt::format("{} jobs match: {}", all.size(), fmt::join(jobs, ", ")),
                "name one of them after the folder");
  }
  if (options.print_platform)
    return print_result(learn::learnt_platform(all.front().memory, all.front().file));
  const auto plan = plan_of(all.front(), options);
  if (!plan.declined.empty())
    throw Error(ErrorKind::model,
                fmt::format("{}: there is no plan: {}", all.front().file, plan.declined));
  const std::string json = learn::print_starting_plan(plan);
  if (!options.file.empty())
    io::write_text_file(options.file, json);
  if (options.print_srun)
    print_result(srun_of(all.front(), plan));
  else if (options.json)
    print_result(json);
  else
    print_list(all, options);
}

void add_options(CLI::App& command, PlanOptions& options) {
  command.add_option("FOLDER", options.folder, "Folder of 'hypermile run --learn'")
      ->required()
      ->check(not_empty());
  command.add_option("JOB", options.job, "Part of a command line, or of the name of a file in it");
  command
      .add_option("-o,--output", options.file,
                  "Write the plan of the one job as JSON to this file, for 'hypermile run --plan'")
      ->type_name("FILE")
      ->check(not_empty());
  command
      .add_option("--objective", options.objective,
                  "What the gears optimise, see below. Default: maxdist")
      ->type_name("OBJECTIVE")
      ->check(check_objective);
  command
      .add_option_function<std::string>(
          "--max-slowdown",
          [&options](const std::string& text) { options.max_slowdown = parse_slowdown(text); },
          "By how much the run may take longer than in gear 0, e.g. 5%. Default: no bound")
      ->type_name("RATIO")
      ->check(understood_by(parse_slowdown));
  auto* const json = command.add_flag("--json", options.json,
                                      "Print the plan of the one job, hypermile/job-plan/1");
  auto* const srun =
      command
          .add_flag("--print-srun", options.print_srun,
                    "Print only the srun command of Slurm that runs the one job in these gears, by "
                    "--cpu-freq: without permissions of your own")
          ->excludes(json);
  command
      .add_flag("--print-platform", options.print_platform,
                "Print only the nodes of the one job as a platform, with the power that their "
                "meters showed, for --platform")
      ->excludes(json)
      ->excludes(srun);
}

} // namespace

void add_plan_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand(
      "plan", "Show what earlier runs of a job have taught, and the gears of the next run");
  command->group("Commands");
  command->formatter(std::make_shared<HelpFormatter>("hypermile plan FOLDER [JOB] [OPTIONS]"));
  command->footer(with_lists(plan_footer));
  const auto options = std::make_shared<PlanOptions>();
  add_options(*command, *options);
  command->callback([options, &exit_code] {
    run(*options);
    exit_code = static_cast<int>(ExitCode::success);
  });
}

} // namespace hypermile::cli
