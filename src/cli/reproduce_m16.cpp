#include "cli/reproduce_m16.hpp"

#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

#include "io/text_file.hpp"
#include "report/m16_report.hpp"
#include "simulate/model_fit.hpp"
#include "simulate/uncontended.hpp"

#include <filesystem>

namespace hypermile::cli {
namespace {

namespace fs = std::filesystem;

struct Table {
  const char* title;
  const char* file; ///< of what was published, without its ending
  const char* model;
  std::vector<std::string> parameters;
};

std::vector<Table> tables() {
  return {{"[M16] Table III: energy of SPMD on 32 nodes, measured",
           "table-3",
           "spmd",
           {"work", "each"}},
          {"[M16] Table IV: energy of DAC on 32 nodes, by the paper's own model",
           "table-4",
           "dac",
           {"sort", "start", "start_each", "merge", "level", "level_each"}}};
}

simulate::Observations read(const fs::path& file) {
  return simulate::parse_observations(io::read_text_file(file), file, std::nullopt);
}

/// What the nodes without ranks draw in each run, with the parameters that fit best.
std::vector<Joules> idle_energies(const simulate::ModelFitRequest& request,
                                  const simulate::Observations& observations,
                                  const simulate::ModelFit& fitted) {
  simulate::Experiment experiment = request.experiment;
  for (std::size_t i = 0; i < request.parameters.size(); ++i)
    experiment.parameters[request.parameters[i]] = fitted.fit.parameters[i].value;
  std::vector<Joules> energies;
  for (const simulate::Observation& row : observations.rows) {
    experiment.ranks = row.ranks;
    const auto simulation = simulate::run(
        experiment, find_installation(),
        {.step = [](const std::string&) {}, .status = [](const std::string&) {}, .printed = {}});
    energies.push_back(simulation.idle_nodes.power * simulation.runs.front().time);
  }
  return energies;
}

report::M16Table made_again(const Table& table, const simulate::Listener& listener) {
  const fs::path folder = fs::path(reproduction_folder()) / "m16";
  simulate::ModelFitRequest request{
      .experiment = {}, .parameters = table.parameters, .with_idle_nodes = true};
  request.experiment.model = folder / (std::string(table.model) + ".lua");
  request.experiment.platform = folder / "platform.yaml";
  request.experiment.layout.by = model::Layout::By::node;
  request.experiment.uncontended = true;
  report::M16Table made{.title = table.title, .parameters = table.parameters};
  made.published = read(folder / (std::string(table.file) + ".csv"));
  made.merpsys = read(folder / (std::string(table.file) + "-merpsys.csv"));
  made.fitted = simulate::fit_model(request, made.published, find_installation(), listener);
  made.idle = idle_energies(request, made.published, made.fitted);
  return made;
}

} // namespace

int reproduce_m16(bool json, bool quiet) {
  std::vector<report::M16Table> made;
  {
    ProgressLine progress(quiet);
    for (const Table& table : tables())
      made.push_back(
          made_again(table, {.step = [&](const std::string& text) { progress.step(text); },
                             .status = [&](const std::string& text) { progress.status(text); },
                             .printed = {}}));
  }
  print_result(json ? report::m16_json(made) : report::print_m16(made));
  return static_cast<int>(ExitCode::success);
}

} // namespace hypermile::cli
