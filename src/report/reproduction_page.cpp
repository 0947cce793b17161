// The page of a reproduction, in Markdown, and its plot.

#include "report/bar_chart.hpp"
#include "report/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hypermile::report {
namespace {

using study::ComparedLine;
using study::ComparedProgram;
using study::Comparison;
using study::PredictionErrors;
using Status = study::Outcome::Status;

std::string row_of(const std::string& program, const ComparedLine& line) {
  if (!line.effect)
    return fmt::format("| {} | {} | | | |\n", program, label_of(line));
  return fmt::format("| {} | {} | {:.2f} | {:.2f} | {:.2f} |\n", program, label_of(line),
                     100 * line.effect->slowdown, 100 * line.effect->saving,
                     100 * line.effect->distance);
}

std::string rows_of(std::string program, const std::vector<ComparedLine>& lines, bool simulated) {
  std::string text;
  for (const ComparedLine& line : lines)
    if (line.published || simulated) {
      text += row_of(program, line);
      program.clear();
    }
  return text;
}

std::string table_of_methods(const Comparison& comparison) {
  std::string text = "| program, ranks | method | slowdown % | saving % | distance |\n"
                     "| --- | --- | --- | --- | --- |\n";
  for (const ComparedProgram& program : comparison.programs)
    text += rows_of(fmt::format("{} {}", program.published.name, program.published.ranks),
                    program.lines, why_not_compared(program).empty());
  if (comparison.compared() > 1)
    text += rows_of(fmt::format("mean of {}", comparison.compared()), comparison.means(), true);
  return text;
}

std::string rows_of_errors(std::string program, const std::vector<PredictionErrors>& models) {
  std::string text;
  for (const PredictionErrors& errors : models) {
    text += fmt::format("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", program, errors.model,
                        100 * errors.largest_time, 100 * errors.mean_time,
                        100 * errors.largest_energy, 100 * errors.mean_energy);
    program.clear();
  }
  return text;
}

std::string table_of_check(const Comparison& comparison) {
  std::string text = "| program, ranks | model | largest error of the time % | mean % | largest "
                     "error of the energy % | mean % |\n"
                     "| --- | --- | --- | --- | --- | --- |\n";
  for (const ComparedProgram& program : comparison.programs)
    text += rows_of_errors(fmt::format("{} {}", program.published.name, program.published.ranks),
                           program.errors);
  if (comparison.compared() > 1)
    text += rows_of_errors(fmt::format("all {}", comparison.compared()), comparison.errors());
  return text + fmt::format("|  | published | {:.2f} | | | |\n",
                            100 * comparison.table.time_error.value_or(0));
}

std::string table_of(const Comparison& comparison) {
  return comparison.table.checks_predictions() ? table_of_check(comparison)
                                               : table_of_methods(comparison);
}

/// How long the programs take in gear 0, and what they consume, there and here.
std::string unscaled_of(const Comparison& comparison) {
  std::string text = "| program | published time s | here | published energy J | here |\n"
                     "| --- | --- | --- | --- | --- |\n";
  const auto published = [](const auto& quantity) {
    return quantity ? fmt::format("{:.2f}", quantity->value()) : std::string();
  };
  for (const ComparedProgram& program : comparison.programs)
    if (program.unscaled)
      text += fmt::format("| {} | {} | {:.2f} | {} | {:.2f} |\n", program.published.name,
                          published(program.published.time), program.unscaled->time.value(),
                          published(program.published.energy), program.unscaled->energy.value());
  return text;
}

std::string remarks_of(const Comparison& comparison) {
  std::string text;
  for (const ComparedProgram& program : comparison.programs)
    if (const std::string why = why_not_compared(program); !why.empty())
      text += fmt::format("- {}: {}\n", program.published.name, why);
  return text.empty() ? "" : "## Programs without figures\n\n" + text + "\n";
}

BarChart chart_of_distances(const Comparison& comparison) {
  BarChart chart{.title = fmt::format("{}: distances, class {} here", comparison.table.name,
                                      comparison.class_name),
                 .unit = "points",
                 .categories = {},
                 .series = {}};
  for (const ComparedLine& line : comparison.means())
    chart.series.push_back({.name = label_of(line), .values = {}});
  for (const ComparedProgram& program : comparison.programs) {
    if (program.status != Status::done)
      continue;
    chart.categories.push_back(program.published.name);
    for (std::size_t i = 0; i < program.lines.size(); ++i) {
      const auto& effect = program.lines[i].effect;
      chart.series[i].values.push_back(effect ? std::optional(100 * effect->distance)
                                              : std::nullopt);
    }
  }
  return chart;
}

/// No bar where a model does not predict all runs of a program.
BarChart chart_of_errors(const Comparison& comparison) {
  BarChart chart{
      .title = fmt::format("{}: largest error of the predicted time, class {} here",
                           comparison.table.name, comparison.class_name),
      .unit = "%",
      .categories = {},
      .series = {{.name = "cluster", .values = {}}, {.name = "dependency", .values = {}}}};
  for (const ComparedProgram& program : comparison.programs) {
    if (program.status != Status::done)
      continue;
    chart.categories.push_back(program.published.name);
    for (auto& series : chart.series) {
      const auto errors = std::ranges::find(program.errors, series.name, &PredictionErrors::model);
      series.values.push_back(errors == program.errors.end()
                                  ? std::nullopt
                                  : std::optional(100 * errors->largest_time));
    }
  }
  return chart;
}

} // namespace

std::string reproduction_plot(const Comparison& comparison) {
  return bar_chart(comparison.table.checks_predictions() ? chart_of_errors(comparison)
                                                         : chart_of_distances(comparison));
}

std::string reproduction_page(const Comparison& comparison, const std::string& command,
                              const std::string& plot) {
  const auto& table = comparison.table;
  std::string text = fmt::format("# {}: {}\n\n", table.source, table.title);
  text +=
      fmt::format("Made by `{}`. Class {} on platform `{}`, simulated; what the columns mean is "
                  "in [reproduction.md](../reproduction.md).\n\n",
                  command, comparison.class_name, table.platform);
  if (comparison.compared() > 0)
    text += fmt::format("![the figures as a chart]({})\n\n", plot);
  text += table_of(comparison) + "\n" + remarks_of(comparison);
  text += "## What differs in the set-up\n\n";
  for (const std::string& difference : differences_of(comparison))
    text += fmt::format("- {}\n", difference);
  if (comparison.compared() > 0)
    text += "\n## In gear 0\n\n" + unscaled_of(comparison);
  return text;
}

} // namespace hypermile::report
