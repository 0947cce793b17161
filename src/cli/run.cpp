#include "cli/collective_rules.hpp"
#include "cli/commands.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/run_energy.hpp"
#include "cli/run_options.hpp"
#include "cli/run_preparation.hpp"

#include "launch/job.hpp"
#include "replay/recorded_run.hpp"
#include "report/job_folder.hpp"
#include "report/job_json.hpp"
#include "report/job_text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include <unistd.h>

namespace hypermile::cli {
namespace {

namespace fs = std::filesystem;

/// The ranks write beside the file: an earlier one stays until there is a new one.
std::string unfinished(const std::string& file) { return fs::absolute(file).string() + ".part"; }

void prepare_recording(const RunOptions& options, runtime::Settings& settings) {
  if (options.record_to.empty())
    return;
  settings.method = "none";
  settings.run_file = unfinished(options.record_to);
  settings.program = fmt::format("{}", fmt::join(options.command, " "));
}

/// What a recording is worth is known once it has been read. Whether it is worth anything.
bool keep_recording(const RunOptions& options) {
  const std::string& file = options.record_to;
  if (file.empty())
    return true;
  const std::string written = unfinished(file);
  try {
    if (!fs::exists(written))
      throw Error(ErrorKind::hardware, "the run was not recorded: no file came from rank 0",
                  "a folder that the node of rank 0 can write to");
    const auto run = replay::read_recorded_run(written);
    fs::rename(written, file);
    if (const std::string why = replay::why_not_repeatable(run); !why.empty())
      throw Error(ErrorKind::unsupported, fmt::format("{} cannot be repeated: {}", file, why));
    for (const std::string& remark : replay::remarks(run))
      print_remark(remark);
    print_remark(fmt::format("the run is kept in {}; try: hypermile simulate --replay {}{}", file,
                             file,
                             run.platform.empty() ? " --platform P --reference-speed SPEED" : ""));
    return true;
  } catch (const std::exception& error) {
    std::error_code ignored;
    fs::remove(written, ignored);
    print_error(error.what());
    return false;
  }
}

/// Errors that the ranks would find out are found out before the job starts.
void prepare(RunOptions& options) {
  runtime::Settings& settings = options.settings;
  prepare_recording(options, settings);
  prepare_settings(options);
  if (settings.report_folder.empty())
    return;
  settings.report_folder = fs::absolute(settings.report_folder);
  std::error_code error;
  fs::create_directories(settings.report_folder, error);
  if (error)
    throw Error(
        ErrorKind::config,
        fmt::format("cannot make the folder {}: {}", settings.report_folder, error.message()),
        "a folder that can be written");
}

/// What cannot be kept is told, and shown all the same. Whether all was kept.
bool print_report(const RunOptions& options, const report::Job& job) {
  bool kept = true;
  try {
    if (!options.settings.report_folder.empty())
      report::write_job(job, options.settings.report_folder);
  } catch (const Error& error) {
    print_error(error.what());
    kept = false;
  }
  const bool shown = show_report(options.output, options.output.json ? report::job_json(job)
                                                                     : report::job_text(job));
  if (kept && !options.settings.report_folder.empty())
    tell_kept(options.output, fs::proximate(options.settings.report_folder).string());
  return shown && kept;
}

/// Why there is nothing to report.
std::string no_report(const launch::Ended& ended) {
  if (ended.begun)
    return "the job ended before all its ranks had called MPI_Finalize; nothing can be reported";
  return "no report came from the job. Either a warning above says why; or no process called "
         "MPI_Init of a dynamically linked Open MPI or MPICH (a process that only calls "
         "MPI_Session_init is not watched); or rank 0 printed the report itself, "
         "because it ran on another node or could not pass the report on";
}

launch::Ended run_job(const RunOptions& options, const runtime::Settings& settings,
                      const control::Variables& of_mpi) {
  return launch::run_job(
      options.command, settings, preloaded_library(), runtime::own_environment,
      [](const std::string& text) { print_remark(text); }, of_mpi);
}

runtime::Settings in_gear0(runtime::Settings settings) {
  settings.method = "none";
  settings.wait_gear = runtime::WaitGear::off;
  settings.gears.clear();
  settings.run_file.clear();
  settings.learn_folder.clear();
  settings.plan_file.clear();
  return settings;
}

report::Job job_of(const RunOptions& options, launch::Ended& ended) {
  report::Job job{.command = fmt::format("{}", fmt::join(options.command, " ")),
                  .exit_code = ended.end.exit_code,
                  .settings = options.settings,
                  .run = std::move(*ended.report)};
  job.external = external_energy(options.settings.meter, ended, job.remarks);
  return job;
}

/// The rules that --collectives names, checked; none: the library's own.
std::optional<RulesInForce> rules_of_run(const RunOptions& options) {
  if (options.collectives.empty())
    return std::nullopt;
  return put_in_force(options.collectives, options.mpi, options.command);
}

int run(RunOptions& options) {
  prepare(options);
  const auto rules = rules_of_run(options);
  const auto of_mpi = rules ? rules->variables : control::Variables{};
  std::optional<launch::Ended> baseline;
  if (options.baseline) {
    baseline = run_job(options, in_gear0(options.settings), of_mpi);
    if (baseline->end.exit_code != 0)
      return baseline->end.exit_code;
  }
  launch::Ended ended = run_job(options, options.settings, of_mpi);
  if (!ended.report) {
    if (!ended.reported_elsewhere)
      print_remark(no_report(ended));
    return ended.end.exit_code;
  }
  bool kept = keep_recording(options);
  try {
    report::Job job = job_of(options, ended);
    if (rules)
      job.collective_rules = rules->file;
    if (baseline && baseline->report) {
      if (job.external)
        job.baseline_external = external_energy(options.settings.meter, *baseline, job.remarks);
      job.baseline = std::move(baseline->report);
    }
    kept = print_report(options, job) && kept;
  } catch (const std::exception& error) {
    print_error(error.what());
    kept = false;
  }
  return exit_code_of(ended.end.exit_code, kept);
}

/// What the variables say, as far as it is understood; an error is told by the command itself.
runtime::Settings settings_of(const runtime::Environment& variables, std::string& error) {
  try {
    return runtime::read_settings(variables);
  } catch (const Error& refused) {
    error = refused.what();
    return {};
  }
}

} // namespace

void add_run_command(CLI::App& root, int& exit_code) {
  auto* command =
      root.add_subcommand("run", "Run an MPI job; choose and set the frequencies of its nodes");
  command->group("Commands");
  const auto options = std::make_shared<RunOptions>();
  const auto refused = std::make_shared<std::string>();
  options->settings = settings_of(runtime::own_environment, *refused);
  add_run_options(*command, *options);
  command->callback([command, options, refused, &exit_code] {
    if (options->print_library) {
      print_result(preloaded_library() + "\n");
      return;
    }
    if (!refused->empty())
      throw CLI::ValidationError(*refused);
    bound_by_default(*command, *options);
    check_run_options(*options);
    for (const std::string& variable : unknown_settings(environ))
      print_remark(fmt::format("the variable {} is ignored: hypermile has no such setting; try: "
                               "hypermile run --help",
                               variable));
    exit_code = run(*options);
  });
}

} // namespace hypermile::cli
