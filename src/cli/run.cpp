#include "cli/commands.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/run_options.hpp"

#include "control/place.hpp"
#include "control/restore.hpp"
#include "io/platform_yaml.hpp"
#include "io/text_file.hpp"
#include "launch/command.hpp"
#include "launch/environment.hpp"
#include "launch/result_file.hpp"
#include "report/job_folder.hpp"
#include "report/job_json.hpp"
#include "report/job_text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <thread>

namespace hypermile::cli {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// Errors that the ranks would find out are found out before the job starts.
void prepare(runtime::Settings& settings) {
  if (!settings.platform.empty()) {
    const std::string file = io::find_platform(settings.platform, platform_folder());
    (void)io::load_platform(file);
    settings.platform = fs::absolute(file);
  }
  if (!settings.report_folder.empty()) {
    settings.report_folder = fs::absolute(settings.report_folder);
    std::error_code error;
    fs::create_directories(settings.report_folder, error);
    if (error)
      throw Error(
          ErrorKind::config,
          fmt::format("cannot make the folder {}: {}", settings.report_folder, error.message()),
          "a folder that can be written");
  }
}

void print_report(const RunOptions& options, const report::Job& job) {
  if (!options.settings.report_folder.empty())
    report::write_job(job, options.settings.report_folder);
  const std::string text = options.json ? report::job_json(job) : report::job_text(job);
  if (options.output == "-")
    print_result(text);
  else if (!options.output.empty())
    io::write_text_file(options.output, text);
  else if (!options.quiet)
    std::fputs(("\n" + text).c_str(), stderr);
}

/// Why there is nothing to report.
std::string no_report(const launch::End& end) {
  if (end.exit_code != 0)
    return "the job failed before its ranks had all reached MPI_Finalize; nothing can be reported";
  return "no report came from the job: either no process called MPI_Init and MPI_Finalize of a "
         "dynamically linked Open MPI or MPICH, or rank 0 ran on another node and printed its "
         "report there";
}

/// A job that ended early leaves it to a guard to restore what it had set: when we return, that is
/// done, even if the guard was killed, too. Its processes may take a moment to end after mpirun.
/// `begin`: of the job, in seconds since 1970; who has had the node for longer is somebody else.
void wait_for_guard(std::int64_t begin) {
  const control::Place place = control::this_place();
  if (!fs::exists(control::journal_path(place)))
    return;
  constexpr auto step = std::chrono::milliseconds(20);
  constexpr int steps = 250;
  try {
    auto left = control::restore_left_behind(place);
    for (int i = 0; i < steps && left.what == control::LeftBehind::What::in_use && left.owner &&
                    left.owner->since >= begin;
         ++i) {
      std::this_thread::sleep_for(step);
      left = control::restore_left_behind(place);
    }
    for (const auto& failure : left.restored.failed)
      print_remark(failure.what);
  } catch (const Error& error) {
    print_remark(error.what());
  }
}

int run(RunOptions& options) {
  prepare(options.settings);
  const std::int64_t begin = std::time(nullptr);
  const launch::ResultFile result;
  options.settings.result_file = result.path();
  const launch::End end = launch::run(
      launch::with_hypermile(options.command, options.settings, preloaded_library(), environment));
  wait_for_guard(begin);
  try {
    if (auto report = result.read()) {
      print_report(options, {.command = fmt::format("{}", fmt::join(options.command, " ")),
                             .exit_code = end.exit_code,
                             .settings = options.settings,
                             .run = std::move(*report)});
    } else {
      print_remark(no_report(end));
    }
  } catch (const Error& error) { // the job's own end is what counts
    print_error(error.what());
  }
  return end.exit_code;
}

} // namespace

void add_run_command(CLI::App& root, int& exit_code) {
  auto* command =
      root.add_subcommand("run", "Run an MPI job, choosing and setting its nodes' frequencies");
  command->group("Commands");
  const auto options = std::make_shared<RunOptions>();
  options->settings = runtime::read_settings(environment);
  add_run_options(*command, *options);
  command->callback([options, &exit_code] {
    if (options->print_library) {
      print_result(preloaded_library() + "\n");
      return;
    }
    check_run_options(*options);
    exit_code = run(*options);
  });
}

} // namespace hypermile::cli
