#include "cli/simulated_run.hpp"

#include "cli/commands.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

#include "io/text_file.hpp"
#include "report/simulation_json.hpp"
#include "report/simulation_text.hpp"
#include "simulate/failure.hpp"
#include "simulate/process.hpp"
#include "units/error.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <csignal>
#include <filesystem>
#include <thread>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::cli {

simulate::Simulation simulate_with_progress(const simulate::Experiment& experiment, bool quiet) {
  ProgressLine progress(quiet);
  return simulate::run(experiment, find_installation(),
                       {.step = [&](const std::string& text) { progress.step(text); },
                        .status = [&](const std::string& text) { progress.status(text); },
                        .printed = [&](const std::string& line) { progress.printed(line); }});
}

void write_report(const simulate::Simulation& simulation, const std::string& folder) {
  if (!simulation.not_kept.empty())
    throw Error(ErrorKind::hardware, simulation.not_kept);
  const std::filesystem::path path(folder);
  io::write_text_file(path / "simulation.json", report::simulation_json(simulation));
  io::write_text_file(path / "simulation.txt", report::print_simulation(simulation));
}

namespace {

std::array<char, PATH_MAX> temporary_folder{};

/// For what is not watched by a simulation: the model itself, and the search for gears. Only what
/// a handler may call.
extern "C" void remove_folder_and_end(int signal) {
  const pid_t child = ::_Fork();
  if (child == 0) {
    static char name[] = "rm";
    static char option[] = "-rf";
    const std::array<char*, 4> words{name, option, temporary_folder.data(), nullptr};
    ::execv("/bin/rm", words.data());
    ::_exit(1);
  }
  if (child > 0)
    ::waitpid(child, nullptr, 0);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// From now on signals that end this process remove the folder first.
void remove_when_ended(const std::string& folder) {
  if (folder.size() >= temporary_folder.size())
    return;
  std::ranges::copy(folder, temporary_folder.begin());
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (::signal(signal, remove_folder_and_end) == SIG_IGN)
      ::signal(signal, SIG_IGN);
}

simulate::Experiment with_report(simulate::Experiment experiment, const std::string& folder) {
  remove_when_ended(folder);
  experiment.report_folder = folder;
  experiment.jobs = std::max(1U, std::thread::hardware_concurrency());
  return experiment;
}

} // namespace

SimulatedRun::SimulatedRun(simulate::Experiment experiment, bool quiet)
    : simulation_(simulate_with_progress(with_report(std::move(experiment), folder()), quiet)) {
  write_report(simulation_, folder());
}

int run_simulated(const std::function<int()>& work) {
  try {
    return work();
  } catch (const simulate::ProgramFailed& error) {
    print_error(error.what());
    return error.exit_code();
  } catch (const simulate::GearsDoNotFit& error) {
    print_error(error.what());
    return static_cast<int>(ExitCode::usage);
  } catch (const simulate::Interrupted& interrupted) {
    print_remark("interrupted; every simulation is stopped");
    return 128 + interrupted.signal;
  }
}

} // namespace hypermile::cli
