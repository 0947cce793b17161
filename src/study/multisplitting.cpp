#include "study/multisplitting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::study {
namespace {

using Figures = MultisplittingFigures;
using Grid = MultisplittingGrid;
using Version = MultisplittingVersion;

const Version sync_sync{false, "sync"};
const Version sync_async{false, "async"};
const Version async_sync{true, "sync"};
const Version async_async{true, "async"};
const Version async_gear0{true, ""};

Figures spread(double value) { return {.spread = value}; }

/// As printed, in per cent and points.
Figures printed(double saving, double degradation, double distance) {
  return {.saving = saving / 100, .slowdown = degradation / 100, .distance = distance / 100};
}

/// [F16] Table 4.2.
std::vector<Grid> grids() {
  return {{"Grid.4*4", "table-4.1-4x4", 16, 4},
          {"Grid.4*8", "table-4.1-4x8", 32, 4},
          {"Grid.8*4", "table-4.1-8x4", 32, 8},
          {"Grid.8*8", "table-4.1-8x8", 64, 8}};
}

MultisplittingTable table_4_3() {
  MultisplittingTable table{.name = "f16-4.3",
                            .title =
                                "Multisplitting, spread of the clusters' numbers of iterations",
                            .source = "[F16] Table 4.3",
                            .method = "alg8",
                            .objective = "maxdist",
                            .versions = {async_gear0, async_async, async_sync},
                            .grids = grids()};
  table.grids[0].published = {spread(60.43), spread(13.86), spread(1.12)};
  table.grids[1].published = {spread(58.06), spread(27.43), spread(1.22)};
  table.grids[2].published = {spread(50.97), spread(20.76), spread(1.15)};
  table.grids[3].published = {spread(52.46), spread(48.40), spread(2.38)};
  return table;
}

/// The plots have no figures; the text has some means.
MultisplittingTable figure_4_5() {
  MultisplittingTable table{
      .name = "f16-fig-4.5",
      .title = "Multisplitting, five versions of the program on four grids",
      .source = "[F16] Figures 4.5 to 4.7",
      .method = "alg8",
      .objective = "maxdist",
      .versions = {sync_sync, sync_async, async_sync, async_async, async_gear0},
      .grids = grids()};
  table.published_means = {
      {.slowdown = 0.029}, {}, printed(22, -5.72, 27.72), {}, {.slowdown = -0.169}};
  return table;
}

MultisplittingTable of_grid5000(const char* name, const char* title, const char* source,
                                const char* method, const char* objective,
                                std::vector<Figures> published) {
  return {.name = name,
          .title = title,
          .source = source,
          .method = method,
          .objective = objective,
          .versions = {sync_sync, sync_async, async_sync, async_async, async_gear0},
          .grids = {{"Grid'5000", "table-4.4", 32, 4, std::move(published)}}};
}

/// One simulation, and the runs in it by method.
struct Wanted {
  bool is_asynchronous;
  std::string apply;
  std::string model;
  std::vector<std::string> methods;
};

/// All wait for each other in a synchronous program, so that the hybrid model is wrong for it: the
/// paper's method takes it all the same.
std::vector<Wanted> wanted_of(const MultisplittingTable& table) {
  std::vector<Wanted> wanted;
  for (const Version& version : table.versions) {
    if (version.apply.empty())
      continue;
    if (version.is_asynchronous) {
      wanted.push_back({true, version.apply, "hybrid", {"exact", table.method}});
      continue;
    }
    wanted.push_back({false, version.apply, "hybrid", {table.method}});
    wanted.push_back({false, version.apply, "auto", {"exact"}});
  }
  return wanted;
}

Cell cell_of(const MultisplittingTable& table, const Grid& grid, const Wanted& wanted,
             const MultisplittingRuns& runs) {
  Program program{.name =
                      fmt::format("multisplitting {}", wanted.is_asynchronous ? "async" : "sync"),
                  .command = {runs.program, "--clusters", std::to_string(grid.clusters), "--outer",
                              wanted.is_asynchronous ? "async" : "sync"},
                  .classes = {""},
                  .ranks = {grid.ranks},
                  .options = {}};
  for (const std::string& argument : multisplitting_arguments())
    program.command.push_back(argument);
  const Study study{.name = table.name,
                    .programs = {program},
                    .platforms = {grid.platform},
                    .methods = wanted.methods,
                    .options = {{"objective", {table.objective}},
                                {"time-model", {wanted.model}},
                                {"apply", {wanted.apply}},
                                {"reference-speed", {runs.reference_speed}},
                                {"simgrid-option", multisplitting_simgrid_options()}}};
  return cells_of(study).front();
}

/// What became of the simulations of a grid.
struct Outcomes {
  const MultisplittingTable& table;
  const Grid& grid;
  std::vector<Wanted> wanted;
  const Outcome* first;

  /// Null: there is none.
  [[nodiscard]] const Run* find(const Version& version, const std::string& method) const {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i].is_asynchronous != version.is_asynchronous ||
          (!version.apply.empty() && wanted[i].apply != version.apply))
        continue;
      const auto& runs = first[i].runs;
      const auto run = std::ranges::find(runs, method, &Run::method);
      if (run != runs.end())
        return &*run;
    }
    return nullptr;
  }
};

Figures figures_of(const Run& run, const Run* reference, std::size_t clusters) {
  Figures figures{.spread = spread_of(run.iterations, clusters)};
  if (reference == nullptr)
    return figures;
  const Effect effect = effect_of(run, *reference);
  figures.saving = effect.saving;
  figures.slowdown = effect.slowdown;
  figures.distance = effect.distance;
  return figures;
}

ComparedGrid compare(const Outcomes& outcomes) {
  const auto& [table, grid, wanted, first] = outcomes;
  ComparedGrid compared{.grid = &grid};
  for (std::size_t i = 0; i < wanted.size() && compared.failure.empty(); ++i)
    if (first[i].status != Outcome::Status::done)
      compared.failure = first[i].reason.empty() ? "it was not simulated" : first[i].reason;
  const Run* const reference = outcomes.find({false, ""}, "none");
  for (std::size_t v = 0; v < table.versions.size(); ++v) {
    const Version& version = table.versions[v];
    if (!grid.published.empty())
      compared.lines.push_back({v, "", v < grid.published.size() ? grid.published[v] : Figures{}});
    const std::vector<std::string> methods = version.apply.empty()
                                                 ? std::vector<std::string>{"none"}
                                                 : std::vector<std::string>{table.method, "exact"};
    for (const std::string& method : methods)
      if (const Run* const run = outcomes.find(version, method); run != nullptr)
        compared.lines.push_back({v, method, figures_of(*run, reference, grid.clusters)});
  }
  std::erase_if(compared.lines, [](const auto& line) { return line.figures.none(); });
  return compared;
}

/// Of one line of all grids; none where one has none.
std::optional<double> mean_of(const std::vector<ComparedGrid>& grids,
                              const MultisplittingLine& line,
                              std::optional<double> Figures::*member) {
  double sum = 0;
  for (const ComparedGrid& grid : grids) {
    const auto same = std::ranges::find_if(grid.lines, [&](const MultisplittingLine& other) {
      return other.version == line.version && other.method == line.method;
    });
    if (same == grid.lines.end() || !(same->figures.*member))
      return std::nullopt;
    sum += *(same->figures.*member);
  }
  return sum / static_cast<double>(grids.size());
}

ComparedGrid means_of(const MultisplittingTable& table, const std::vector<ComparedGrid>& grids) {
  ComparedGrid means{.grid = nullptr};
  std::size_t version = table.versions.size();
  for (const MultisplittingLine& line : grids.front().lines) {
    if (line.version != std::exchange(version, line.version) &&
        line.version < table.published_means.size() && !table.published_means[line.version].none())
      means.lines.push_back({line.version, "", table.published_means[line.version]});
    means.lines.push_back({line.version,
                           line.method,
                           {.saving = mean_of(grids, line, &Figures::saving),
                            .slowdown = mean_of(grids, line, &Figures::slowdown),
                            .distance = mean_of(grids, line, &Figures::distance),
                            .spread = mean_of(grids, line, &Figures::spread)}});
  }
  return means;
}

} // namespace

std::vector<MultisplittingTable> multisplitting_tables() {
  return {table_4_3(),
          of_grid5000("f16-4.5", "Multisplitting, five versions on four clusters of Grid'5000",
                      "[F16] Table 4.5", "alg8", "maxdist",
                      {printed(23.16, 4.12, 19.04), printed(18.36, 2.59, 15.77),
                       printed(26.93, -21.48, 48.41), printed(14.9, -26.41, 41.31)}),
          of_grid5000("f16-4.6", "Multisplitting, the same by EDP", "[F16] Table 4.6", "edp-walk",
                      "edp48",
                      {printed(21.83, 12.78, 9.05), printed(18.26, 7.68, 10.58),
                       printed(24.95, -12.24, 37.19), printed(10.32, -17.04, 27.36)}),
          figure_4_5()};
}

/// The tolerance is what a user of such a program may ask for; of the restarts 2, 3, 5 and 10, 3
/// is the best one for the asynchronous program (apps/README.md).
std::vector<std::string> multisplitting_arguments() {
  return {"--grid", "32", "--restart", "3", "--tolerance", "1e-4"};
}

/// A poll takes a microsecond, and no longer if many find nothing.
std::vector<std::string> multisplitting_simgrid_options() {
  return {"smpi/grow-injected-times:no", "smpi/test:1e-6"};
}

std::vector<Cell> cells_of(const MultisplittingTable& table, const MultisplittingRuns& runs) {
  std::vector<Cell> cells;
  for (const Grid& grid : table.grids)
    for (const Wanted& wanted : wanted_of(table)) {
      cells.push_back(cell_of(table, grid, wanted, runs));
      cells.back().number = cells.size();
    }
  return cells;
}

std::vector<ComparedGrid> compare(const MultisplittingTable& table,
                                  const std::vector<Outcome>& outcomes) {
  std::vector<ComparedGrid> compared;
  const auto wanted = wanted_of(table);
  for (std::size_t g = 0; g < table.grids.size(); ++g)
    compared.push_back(
        compare(Outcomes{table, table.grids[g], wanted, outcomes.data() + g * wanted.size()}));
  const bool complete =
      std::ranges::all_of(compared, [](const auto& grid) { return grid.failure.empty(); });
  if (compared.size() > 1 && complete)
    compared.push_back(means_of(table, compared));
  return compared;
}

std::optional<double> spread_of(const std::vector<std::size_t>& iterations, std::size_t clusters) {
  if (clusters == 0 || iterations.empty() || iterations.size() % clusters != 0)
    return std::nullopt;
  const std::size_t ranks = iterations.size() / clusters;
  double sum = 0;
  for (std::size_t c = 0; c < clusters; ++c)
    sum += static_cast<double>(iterations[c * ranks]);
  const double mean = sum / static_cast<double>(clusters);
  double squares = 0;
  for (std::size_t c = 0; c < clusters; ++c)
    squares += std::pow(static_cast<double>(iterations[c * ranks]) - mean, 2);
  return std::sqrt(squares / static_cast<double>(clusters));
}

} // namespace hypermile::study
