#include "cli/commands.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/simulate_cells.hpp"
#include "cli/study_file.hpp"
#include "cli/sweep_options.hpp"

#include "io/text_file.hpp"
#include "report/sweep.hpp"
#include "simulate/process.hpp"
#include "sweep/slurm.hpp"
#include "sweep/sweep.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace hypermile::cli {
namespace {

namespace fs = std::filesystem;
using study::Outcome;
using sweep::Place;

std::string folder_of_study(const SweepOptions& options) {
  return fs::absolute(options.study).parent_path();
}

std::string results_folder(const SweepOptions& options) {
  const std::string folder = options.results.empty()
                                 ? fs::path(options.study).replace_extension(".results").string()
                                 : options.results;
  return fs::absolute(folder);
}

/// Of all cells, or of the one that was asked for.
std::vector<Place> places_of(const SweepOptions& options, const study::Study& study) {
  auto places = sweep::places_of(study::cells_of(study), {.version = HYPERMILE_VERSION,
                                                          .study_folder = folder_of_study(options),
                                                          .platform_folder = platform_folder()});
  if (!options.cell)
    return places;
  if (*options.cell > places.size())
    throw CLI::ValidationError("--cell", fmt::format("the study has {} cells only", places.size()));
  return {places[*options.cell - 1]};
}

std::string list_of(const study::Results& results) {
  std::string text;
  for (std::size_t i = 0; i < results.cells.size(); ++i)
    text +=
        fmt::format("{:>6}  {:<8} {}\n", results.cells[i].number,
                    study::name_of(results.outcomes[i].status), study::described(results.cells[i]));
  return text;
}

int print_script(const SweepOptions& options, const study::Study& study) {
  const std::string results = results_folder(options);
  (void)sweep::ResultsFolder(results).lock(sweep::FileLock::Kind::shared); // made for the logs
  print_result(sweep::slurm_script({.name = study.name,
                                    .command = this_command(),
                                    .study = fs::absolute(options.study),
                                    .results = results,
                                    .cells = study::count_cells(study)}));
  return static_cast<int>(ExitCode::success);
}

/// Throws simulate::Interrupted.
std::vector<Outcome> simulate_places(const SweepOptions& options,
                                     const std::vector<Place>& places) {
  using Kind = sweep::FileLock::Kind;
  return simulate_cells(places, {.study_folder = folder_of_study(options),
                                 .results = results_folder(options),
                                 .lock = options.cell ? Kind::shared : Kind::alone,
                                 .jobs = options.jobs,
                                 .retry_failed = options.retry_failed,
                                 .quiet = options.quiet});
}

study::Results results_of(const SweepOptions& options, const study::Study& study) {
  const auto places = places_of(options, study);
  study::Results results{.study = study.name, .cells = {}, .outcomes = {}};
  for (const Place& place : places)
    results.cells.push_back(place.cell);
  results.outcomes = options.list || options.collect
                         ? sweep::collect(places, sweep::ResultsFolder(results_folder(options)))
                         : simulate_places(options, places);
  return results;
}

int show(const SweepOptions& options, const study::Results& results) {
  print_result(options.json   ? report::sweep_json(results)
               : options.list ? list_of(results)
                              : report::print_sweep(results));
  if (!options.csv.empty())
    io::write_text_file(options.csv, report::sweep_csv(results));
  const bool complete = results.count(Outcome::Status::done) == results.cells.size();
  return static_cast<int>(complete || options.list ? ExitCode::success : ExitCode::failure);
}

int run(const SweepOptions& options) {
  const study::Study study = read_study(options.study);
  if (!options.emit.empty())
    return print_script(options, study);
  try {
    return show(options, results_of(options, study));
  } catch (const simulate::Interrupted& interrupted) {
    return tell_interruption(interrupted.signal);
  }
}

} // namespace

void add_sweep_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand(
      "sweep", "Simulate many programs, sizes and platforms, side by side and resumably");
  command->group("Commands");
  const auto options = std::make_shared<SweepOptions>();
  add_sweep_options(*command, *options);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace hypermile::cli
