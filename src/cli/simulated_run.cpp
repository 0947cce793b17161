#include "cli/simulated_run.hpp"

#include "cli/commands.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/removed_when_ended.hpp"

#include "io/text_file.hpp"
#include "report/simulation_json.hpp"
#include "report/simulation_text.hpp"
#include "simulate/failure.hpp"
#include "simulate/process.hpp"
#include "units/error.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

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
