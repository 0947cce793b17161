#include "cli/commands.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/platform_file.hpp"
#include "cli/steer_evaluate.hpp"
#include "cli/steer_options.hpp"
#include "cli/steer_replay.hpp"
#include "cli/timeline_file.hpp"

#include "control/place.hpp"
#include "io/power_schedule.hpp"
#include "io/text_file.hpp"
#include "report/steer_details.hpp"
#include "report/steer_folder.hpp"
#include "report/steer_outcome.hpp"
#include "session/remote.hpp"
#include "units/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace hypermile::cli {
namespace {

/// This node, as a platform describes it whose gears are power limits.
model::NodeType limited_node(const model::Platform& platform) {
  const std::string host = control::node_name();
  const model::NodeType* const type = model::type_of_host(platform, host);
  if (type == nullptr)
    throw Error(ErrorKind::config,
                fmt::format("platform {} knows no host '{}'", platform.name, host),
                "'hosts' of a type in its file");
  if (type->power_limits.empty())
    throw Error(ErrorKind::config,
                fmt::format("the gears of type '{}' are frequencies, not power limits", type->name),
                "what 'hypermile calibrate-power --backend power-limit' writes, or no --platform");
  return *type;
}

void complete(SteerOptions& options) {
  session::Job& job = options.job;
  job.library = progress_library();
  job.machine.guard = program_folder() + "/hypermile-guard";
  if (!options.platform.empty()) {
    const model::Platform platform = load_named_platform(options.platform);
    if (is_limited(job.machine.backend))
      job.machine.limited = limited_node(platform);
    else
      job.machine.emulated = platform.groups.front().type;
  }
  if (!options.schedule_file.empty())
    job.schedule =
        io::parse_power_schedule(io::read_text_file(options.schedule_file), options.schedule_file);
}

std::string name_of(const session::Job& job) {
  return job.command.empty() ? fmt::format("process {}", job.pid)
                             : fmt::format("{}", fmt::join(job.command, " "));
}

/// The samples go to each file that is named.
std::vector<std::unique_ptr<TimelineFile>> timelines_of(const SteerOptions& options) {
  std::vector<std::unique_ptr<TimelineFile>> timelines;
  timelines.push_back(std::make_unique<TimelineFile>(options.timeline_file));
  if (options.report_folder.empty())
    return timelines;
  report::prepare_steer_folder(options.report_folder);
  timelines.push_back(std::make_unique<TimelineFile>(
      (std::filesystem::path(options.report_folder) / report::steer_timeline_name).string()));
  return timelines;
}

/// False, and says why, where a file cannot be written.
bool is_written(const std::function<void()>& write) {
  try {
    write();
    return true;
  } catch (const Error& error) {
    print_error(error.what());
    return false;
  }
}

int steer_program(SteerOptions& options) {
  complete(options);
  const auto timelines = timelines_of(options);
  session::Listener listener{.remark = [](const std::string& text) { print_remark(text); }};
  listener.sample = [&](const session::Row& row, const session::NodeLayout& node) {
    for (const auto& timeline : timelines)
      timeline->add(row, node);
    if (options.verbose)
      std::fputs((session::text_line(row, node.space) + "\n").c_str(), stderr);
  };
  const session::Outcome outcome = session::run(options.job, listener);
  const std::string name = name_of(options.job);
  is_written([&] { timelines.front()->finish(); });
  const bool in_folder = options.report_folder.empty() || is_written([&] {
                           report::write_steer(name, outcome, options.report_folder);
                         });
  const bool shown =
      show_report(options.output, options.output.json ? report::steer_json(name, outcome)
                                                      : report::steer_text(name, outcome));
  if (in_folder && !options.report_folder.empty())
    tell_kept(options.output, options.report_folder);
  return exit_code_of(outcome.exit_code, shown && in_folder);
}

pid_t read_pid(const std::string& text) {
  pid_t pid = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (status != std::errc{} || end != text.data() + text.size() || pid <= 0)
    throw CLI::ValidationError("PID", fmt::format("'{}' is not the number of a process", text));
  return pid;
}

int set_bound(const SteerOptions& options) {
  const pid_t pid = read_pid(options.job.command.front());
  const auto reply = session::ask(pid, options.set);
  if (!reply)
    throw Error(ErrorKind::config, fmt::format("process {} is not being steered", pid),
                "the PID of the program, or of the 'hypermile steer' that steers it");
  if (*reply == "ok")
    return 0;
  print_error(reply->starts_with("error: ") ? reply->substr(7) : *reply);
  return static_cast<int>(ExitCode::failure);
}

int run(SteerOptions& options) {
  if (!options.set.empty())
    return set_bound(options);
  if (!options.replay.empty())
    return replay_table(options);
  return steer_program(options);
}

} // namespace

void add_steer_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand(
      "steer", "Hold a multithreaded program to a bound on power, throughput or time");
  command->group("Commands");
  const auto options = std::make_shared<SteerOptions>();
  add_steer_options(*command, *options);
  add_steer_evaluate_command(*command, exit_code);
  command->callback([command, options, &exit_code] {
    if (!command->get_subcommands().empty()) // which has run
      return;
    check_steer_options(*options);
    exit_code = run(*options);
  });
}

} // namespace hypermile::cli
