#include "simulate/runner.hpp"

#include "simulate/failure.hpp"
#include "simulate/process.hpp"

#include "io/text_file.hpp"
#include "runtime/status.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace hypermile::simulate {
namespace {

/// One simulation under way.
class Job {
public:
  Job(const Experiment& experiment, const Installation& installation, const Placement& placement,
      const Workspace& workspace, const Task& task)
      : method_(task.method), settings_(task.settings), output_(task.output),
        status_(runtime::StatusFile::create(settings_.status_file, placement.ranks)),
        process_(command(experiment, installation, placement, workspace)) {}

  /// None: it still runs. Throws Error where it failed.
  std::optional<SimulatedRun> poll() {
    const auto end = process_.wait(Seconds{});
    if (!end)
      return std::nullopt;
    return result(*end);
  }

  [[nodiscard]] std::string progress() const {
    std::uint64_t iterations = 0;
    double time_s = 0;
    for (std::size_t rank = 0; rank < status_.ranks(); ++rank) {
      iterations = std::max(iterations, status_.rank(rank).iterations.load());
      time_s = std::max(time_s, status_.rank(rank).time_s.load());
    }
    return fmt::format("{}: {:.2f} s simulated, iteration {}", shown(method_), time_s, iterations);
  }

private:
  Process::Command command(const Experiment& experiment, const Installation& installation,
                           const Placement& placement, const Workspace& workspace) const {
    Process::Command command{.arguments = {installation.smpimain, experiment.program[0]},
                             .environment = runtime::to_environment(settings_),
                             .output = output_,
                             .hidden = "HYPERMILE_"}; // what the simulation does not set is unset
    const Copies copies = experiment.replayed.empty() ? Copies::each_rank : Copies::one;
    for (const std::string& option : simgrid_options(placement, workspace.folder(), copies))
      command.arguments.push_back(option);
    for (const std::string& option : experiment.simgrid_options)
      command.arguments.push_back("--cfg=" + option);
    command.arguments.push_back("--"); // from here on SimGrid takes no argument for its own
    command.arguments.push_back(placement.platform_file);
    command.arguments.insert(command.arguments.end(), experiment.program.begin() + 1,
                             experiment.program.end());
    command.environment.emplace_back("LD_PRELOAD", installation.interposer);
    command.environment.emplace_back("SMPI_GLOBAL_SIZE", std::to_string(placement.ranks));
    return command;
  }

  SimulatedRun result(const Process::End& end) const {
    if (end.exit_code != 0 || !std::filesystem::exists(settings_.result_file))
      throw explain_failure(shown(method_), end, status_, output_);
    SimulatedRun run{.method = method_,
                     .time = {},
                     .energy = {},
                     .report = runtime::decode_run(io::read_text_file(settings_.result_file)),
                     .expected = std::nullopt,
                     .forecast = std::nullopt,
                     .exit_code = end.exit_code,
                     .output = io::read_text_file(output_)};
    check_divergences(run.report);
    std::vector<std::string> counted;
    for (const auto& rank : run.report.ranks) {
      run.time = std::max(run.time, rank.time);
      if (std::ranges::find(counted, rank.node.name) == counted.end())
        run.energy += rank.energy.value_or(Joules{});
      counted.push_back(rank.node.name);
    }
    return run;
  }

  /// A few calls may differ where a program's course depends on timing.
  void check_divergences(const runtime::RunReport& report) const {
    std::size_t divergences = 0;
    std::size_t calls = 0;
    for (const auto& rank : report.ranks) {
      divergences += rank.divergences;
      calls += rank.calls + 1; // MPI_Finalize
    }
    if (10 * divergences > calls)
      throw Error(ErrorKind::config,
                  fmt::format("{}: {} of {} MPI calls are not in the recorded computation",
                              shown(method_), divergences, calls),
                  "the recording of the same program with the same arguments");
  }

  std::string method_;
  runtime::Settings settings_;
  std::string output_;
  runtime::StatusFile status_;
  Process process_;
};

using Jobs = std::vector<std::pair<std::size_t, std::unique_ptr<Job>>>;

/// "3 of 20: " where there are several.
std::string count(std::size_t finished, std::size_t all) {
  return all == 1 ? "" : fmt::format("{} of {}: ", finished, all);
}

std::string status_line(const Jobs& jobs, std::size_t finished, std::size_t all) {
  std::string line;
  for (const auto& [index, job] : jobs)
    line += (line.empty() ? count(finished, all) : " | ") + job->progress();
  return line;
}

} // namespace

std::vector<SimulatedRun> Runner::run(std::span<const Task> tasks) const {
  std::vector<std::optional<SimulatedRun>> done(tasks.size());
  std::size_t next = 0;
  std::size_t finished = 0;
  Jobs jobs;
  while (finished < tasks.size()) {
    for (; jobs.size() < experiment_.jobs && next < tasks.size(); ++next) {
      if (tasks.size() <= experiment_.jobs) // of many, a line for each that is done is enough
        listener_.step(fmt::format("{}: simulating", shown(tasks[next].method)));
      jobs.emplace_back(next, std::make_unique<Job>(experiment_, installation_, placement_,
                                                    workspace_, tasks[next]));
    }
    Process::wait_for_any(Seconds{0.1});
    for (auto& [index, job] : jobs)
      if ((done[index] = job->poll()))
        listener_.step(fmt::format("{}{}: {:.2f} s and {:.1f} J in the simulation",
                                   count(++finished, tasks.size()), shown(done[index]->method),
                                   done[index]->time.value(), done[index]->energy.value()));
    Interruption::check();
    std::erase_if(jobs, [&](const auto& job) { return done[job.first].has_value(); });
    listener_.status(status_line(jobs, finished, tasks.size()));
  }
  std::vector<SimulatedRun> runs;
  for (auto& run : done)
    runs.push_back(std::move(*run));
  return runs;
}

} // namespace hypermile::simulate
