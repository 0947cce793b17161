#include "cli/reproduce_multisplitting.hpp"

#include "cli/commands.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/simulate_cells.hpp"

#include "io/text_file.hpp"
#include "report/multisplitting_report.hpp"
#include "simulate/workspace.hpp"
#include "study/multisplitting.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace hypermile::cli {
namespace {

namespace fs = std::filesystem;
using report::MultisplittingReport;

/// With less the synchronous program computes so little that gears save nothing of it, unlike in
/// the thesis; with more clusters that do not wait gain no time. Results do not depend on how fast
/// the machine at hand is found to be.
constexpr const char* default_speed = "500Gf";

std::string program_file() {
  const fs::path file = fs::path(example_folder()) / "multisplitting";
  if (!fs::is_regular_file(file))
    throw Error(ErrorKind::unsupported, fmt::format("there is no program {}", file.string()),
                "make in a clone of hypermile, with SimGrid");
  return file;
}

std::unique_ptr<MultisplittingReport> reproduce(const std::string& name,
                                                const ReproduceOptions& options) {
  auto tables = study::multisplitting_tables();
  auto made = std::make_unique<MultisplittingReport>(MultisplittingReport{
      .table = *std::ranges::find(tables, name, &study::MultisplittingTable::name),
      .reference_speed =
          options.reference_speed.empty() ? default_speed : options.reference_speed});
  const std::string here = fs::current_path();
  const auto places = sweep::places_of(
      study::cells_of(made->table,
                      {.program = program_file(), .reference_speed = made->reference_speed}),
      {.version = HYPERMILE_VERSION, .study_folder = here, .platform_folder = platform_folder()});
  const auto outcomes = simulate_cells(places, {.study_folder = here,
                                                .results = fs::absolute(options.results),
                                                .lock = sweep::FileLock::Kind::alone,
                                                .jobs = options.jobs,
                                                .retry_failed = options.retry_failed,
                                                .quiet = options.quiet});
  made->grids = study::compare(made->table, outcomes);
  return made;
}

void write_page(const MultisplittingReport& report, const ReproduceOptions& options) {
  const fs::path folder = options.pages;
  simulate::make_folder(options.pages);
  const std::string& name = report.table.name;
  std::string command = fmt::format("hypermile reproduce {}", name);
  if (!options.reference_speed.empty())
    command += fmt::format(" --reference-speed {}", options.reference_speed);
  io::write_text_file(folder / (name + ".md"),
                      report::multisplitting_page(report, command, name + ".svg"));
  io::write_text_file(folder / (name + ".svg"), report::multisplitting_plot(report));
}

} // namespace

std::vector<std::string> multisplitting_table_names() {
  std::vector<std::string> names;
  for (const auto& table : study::multisplitting_tables())
    names.push_back(table.name);
  return names;
}

bool is_of_multisplitting(const std::string& table) {
  const auto names = multisplitting_table_names();
  return std::ranges::find(names, table) != names.end();
}

int reproduce_multisplitting(const ReproduceOptions& options) {
  std::vector<std::unique_ptr<MultisplittingReport>> made;
  for (const std::string& name : options.tables) {
    if (std::ranges::any_of(made, [&](const auto& report) { return report->table.name == name; }))
      continue;
    if (!options.quiet && options.tables.size() > 1)
      print_remark(name);
    made.push_back(reproduce(name, options));
    if (!options.pages.empty())
      write_page(*made.back(), options);
  }
  std::string text;
  bool complete = true;
  std::vector<const MultisplittingReport*> reports;
  for (const auto& report : made) {
    text += (text.empty() ? "" : "\n") + report::print_multisplitting(*report);
    complete = complete && std::ranges::all_of(report->grids, [](const auto& grid) {
                 return grid.failure.empty();
               });
    reports.push_back(report.get());
  }
  print_result(options.json ? report::multisplitting_json(reports) : text);
  return static_cast<int>(complete ? ExitCode::success : ExitCode::failure);
}

} // namespace hypermile::cli
