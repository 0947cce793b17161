#include "report/multisplitting_report.hpp"

#include "report/bar_chart.hpp"
#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;
using study::ComparedGrid;
using study::MultisplittingFigures;
using study::MultisplittingLine;
using study::MultisplittingTable;
using study::MultisplittingVersion;

std::string name_of(const MultisplittingVersion& version) {
  const char* const program = version.is_asynchronous ? "async" : "sync";
  return version.apply.empty() ? fmt::format("{}, gear 0", program)
                               : fmt::format("{}, gears {}", program, version.apply);
}

std::string name_of(const ComparedGrid& grid) {
  return grid.grid == nullptr ? "mean" : fmt::format("{} {}", grid.grid->name, grid.grid->ranks);
}

std::string method_of(const MultisplittingLine& line) {
  return line.method.empty() ? "published" : line.method;
}

std::string number(const std::optional<double>& value, double factor) {
  return value ? fmt::format("{:.2f}", factor * *value) : "";
}

std::vector<std::string> columns_of(const MultisplittingFigures& figures) {
  return {number(figures.slowdown, 100), number(figures.saving, 100), number(figures.distance, 100),
          number(figures.spread, 1)};
}

constexpr const char* headings[] = {"slowdown %", "saving %", "distance", "spread"};

/// Only spreads were published, and only programs that have one were run.
bool is_of_spreads(const MultisplittingTable& table) {
  return std::ranges::all_of(table.versions,
                             [](const auto& version) { return version.is_asynchronous; });
}

std::vector<std::string> differences_of(const MultisplittingReport& report) {
  return {
      fmt::format("The program is hypermile's own (apps/README.md) with {}: 32^3 points in "
                  "place of 400^3 and more. A core of this machine counts as {}: with more, "
                  "computation takes longer, as in larger problems, and messages do not.",
                  fmt::join(study::multisplitting_arguments(), " "), report.reference_speed),
      ("The thesis prints neither its tolerance nor how long messages take. Late values slow "
       "down convergence: clusters that do not wait do 1.3 to 1.8 times as many outer iterations "
       "here as clusters that do."),
      ("With the synchronous program all clusters wait for each other: exact chooses by the "
       "dependency model, the method of the thesis by the hybrid one, as the thesis does."),
      ("Each run verifies its solution: residual of the assembled solution, and distance from "
       "the known one. A run that fails fails the table."),
      "Gears are chosen again as more iterations have been measured; the thesis chooses once.",
      ("Figures are against the synchronous program in gear 0. Distances here are T_0 / T - "
       "E / E_0 (Eq. 3.5); those printed are saving minus degradation."),
      "A spread is the standard deviation of the clusters' numbers of outer iterations."};
}

ordered_json or_null(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json json_of(const std::optional<double>& value, double factor) {
  return value ? ordered_json(factor * *value) : ordered_json();
}

ordered_json json_of(const MultisplittingTable& table, const ComparedGrid& grid) {
  ordered_json json{{"grid", grid.grid == nullptr ? "mean" : grid.grid->name},
                    {"ranks", nullptr},
                    {"platform", nullptr},
                    {"failure", or_null(grid.failure)},
                    {"lines", ordered_json::array()}};
  if (grid.grid != nullptr) {
    json["ranks"] = grid.grid->ranks;
    json["platform"] = grid.grid->platform;
  }
  for (const MultisplittingLine& line : grid.lines) {
    const MultisplittingVersion& version = table.versions[line.version];
    json["lines"].push_back({{"program", version.is_asynchronous ? "async" : "sync"},
                             {"apply", or_null(version.apply)},
                             {"method", line.method.empty() ? table.method : line.method},
                             {"published", line.method.empty()},
                             {"slowdown_percent", json_of(line.figures.slowdown, 100)},
                             {"saving_percent", json_of(line.figures.saving, 100)},
                             {"distance_points", json_of(line.figures.distance, 100)},
                             {"iterations_standard_deviation", json_of(line.figures.spread, 1)}});
  }
  return json;
}

} // namespace

std::string print_multisplitting(const MultisplittingReport& report) {
  std::string text =
      fmt::format("{}: {}: {}\n\n{:<13}{:<20}{:<11}{:>11}{:>10}{:>10}{:>9}\n", report.table.name,
                  report.table.source, report.table.title, "grid", "program", "method", headings[0],
                  headings[1], headings[2], headings[3]);
  for (const ComparedGrid& grid : report.grids) {
    std::string name = name_of(grid);
    std::string version;
    for (const MultisplittingLine& line : grid.lines) {
      const std::string is = name_of(report.table.versions[line.version]);
      const auto columns = columns_of(line.figures);
      std::string row =
          fmt::format("{:<13}{:<20}{:<11}{:>11}{:>10}{:>10}{:>9}", name, is == version ? "" : is,
                      method_of(line), columns[0], columns[1], columns[2], columns[3]);
      row.erase(row.find_last_not_of(' ') + 1);
      text += row + "\n";
      name.clear();
      version = is;
    }
    if (!grid.failure.empty())
      text += labelled(name, grid.failure, 13);
  }
  text += "\n";
  for (const std::string& difference : differences_of(report))
    text += wrapped(difference);
  return text;
}

std::string multisplitting_json(const std::vector<const MultisplittingReport*>& reports) {
  ordered_json json{{"schema", "hypermile/multisplitting/1"}, {"tables", ordered_json::array()}};
  for (const MultisplittingReport* report : reports) {
    ordered_json entry{{"table", report->table.name},
                       {"title", report->table.title},
                       {"source", report->table.source},
                       {"reference_speed", report->reference_speed},
                       {"differences", differences_of(*report)},
                       {"grids", ordered_json::array()}};
    for (const ComparedGrid& grid : report->grids)
      entry["grids"].push_back(json_of(report->table, grid));
    json["tables"].push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

std::string multisplitting_page(const MultisplittingReport& report, const std::string& command,
                                const std::string& plot) {
  std::string text = fmt::format(
      "# {}: {}\n\nMade by `{}`, simulated; what the columns mean is in "
      "[reproduction.md](../reproduction.md#programs-whose-clusters-do-not-wait).\n\n"
      "![the figures as a chart]({})\n\n| grid, ranks | program | method | {} |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n",
      report.table.source, report.table.title, command, plot, fmt::join(headings, " | "));
  for (const ComparedGrid& grid : report.grids) {
    std::string name = name_of(grid);
    for (const MultisplittingLine& line : grid.lines) {
      text +=
          fmt::format("| {} | {} | {} | {} |\n", name, name_of(report.table.versions[line.version]),
                      method_of(line), fmt::join(columns_of(line.figures), " | "));
      name.clear();
    }
    if (!grid.failure.empty())
      text += fmt::format("| {} | {} | | | | | |\n", name, grid.failure);
  }
  text += "\n## What differs in the set-up\n\n";
  for (const std::string& difference : differences_of(report))
    text += fmt::format("- {}\n", difference);
  return text;
}

std::string multisplitting_plot(const MultisplittingReport& report) {
  const bool spreads = is_of_spreads(report.table);
  BarChart chart{.title = fmt::format("{}: {}, by program/gears{}", report.table.name,
                                      spreads ? "spread of iterations" : "distances",
                                      report.grids.back().grid == nullptr ? ", means" : ""),
                 .unit = spreads ? "iterations" : "points",
                 .categories = {},
                 .series = {}};
  for (const MultisplittingVersion& version : report.table.versions)
    chart.categories.push_back(fmt::format("{}/{}", version.is_asynchronous ? "async" : "sync",
                                           version.apply.empty() ? "gear 0" : version.apply));
  const ComparedGrid& grid = report.grids.back(); // the means, where there are several
  for (const std::string& method :
       {std::string("published"), report.table.method, std::string("exact"), std::string("none")}) {
    BarChart::Series series{.name = method == "none" ? "gear 0" : method, .values = {}};
    for (std::size_t v = 0; v < report.table.versions.size(); ++v) {
      const auto line = std::ranges::find_if(grid.lines, [&](const MultisplittingLine& l) {
        return l.version == v && method_of(l) == method;
      });
      const auto value = line == grid.lines.end() ? std::nullopt
                         : spreads                ? line->figures.spread
                                                  : line->figures.distance;
      series.values.push_back(value && !spreads ? std::optional(100 * *value) : value);
    }
    chart.series.push_back(std::move(series));
  }
  return bar_chart(chart);
}

} // namespace hypermile::report
