#include "report/reproduction.hpp"

#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hypermile::report {
namespace {

using study::ComparedLine;
using study::ComparedProgram;
using study::Comparison;
using study::PredictionErrors;
using Status = study::Outcome::Status;

constexpr std::size_t program_width = 10;
constexpr std::size_t method_width = 28;
constexpr std::size_t model_width = 14;
constexpr std::size_t list_width = 24;

std::string columns_of(const ComparedLine& line) {
  if (!line.effect)
    return "";
  return fmt::format("{:>11.2f}{:>9.2f}{:>10.2f}", 100 * line.effect->slowdown,
                     100 * line.effect->saving, 100 * line.effect->distance);
}

/// Published lines, and if `simulated` the others.
std::string text_of(std::string program, const std::vector<ComparedLine>& lines, bool simulated) {
  std::string text;
  for (const ComparedLine& line : lines)
    if (line.published || simulated) {
      text += fmt::format("{:<{}}{:<{}}{}\n", program, program_width, label_of(line), method_width,
                          columns_of(line));
      program.clear();
    }
  return text;
}

std::string text_of_errors(std::string program, const std::vector<PredictionErrors>& models) {
  std::string text;
  for (const PredictionErrors& errors : models) {
    text +=
        fmt::format("{:<{}}{:<{}}{:>11.2f}{:>9.2f}{:>11.2f}{:>9.2f}\n", program, program_width,
                    errors.model, model_width, 100 * errors.largest_time, 100 * errors.mean_time,
                    100 * errors.largest_energy, 100 * errors.mean_energy);
    program.clear();
  }
  return text;
}

std::string name_with_ranks(const ComparedProgram& program) {
  return fmt::format("{} {}", program.published.name, program.published.ranks);
}

/// Why there are no figures, below those that were published.
std::string reason_below(std::string text, const ComparedProgram& program) {
  const std::string why = why_not_compared(program);
  if (why.empty())
    return text;
  return text + labelled(text.empty() ? name_with_ranks(program) : "", why, program_width);
}

std::string text_of_methods(const Comparison& comparison) {
  std::string text = fmt::format("{:<{}}{:<{}}{:>11}{:>9}{:>10}\n", "program", program_width,
                                 "method", method_width, "slowdown %", "saving %", "distance");
  for (const ComparedProgram& program : comparison.programs)
    text += reason_below(
        text_of(name_with_ranks(program), program.lines, why_not_compared(program).empty()),
        program);
  if (comparison.compared() > 1)
    text +=
        "\n" + text_of(fmt::format("mean of {}", comparison.compared()), comparison.means(), true);
  return text;
}

std::string text_of_check(const Comparison& comparison) {
  std::string text =
      fmt::format("{0:<{1}}{0:<{2}}{3:>20}{4:>20}\n{5:<{1}}{6:<{2}}{7:>11}{8:>9}{7:>11}{8:>9}\n",
                  "", program_width, model_width, "error of the time", "error of the energy",
                  "program", "model", "largest %", "mean %");
  for (const ComparedProgram& program : comparison.programs)
    text += reason_below(text_of_errors(name_with_ranks(program), program.errors), program);
  if (comparison.compared() > 1)
    text +=
        "\n" + text_of_errors(fmt::format("all {}", comparison.compared()), comparison.errors());
  text += fmt::format("{:<{}}{:<{}}{:>11.2f}\n", "", program_width, "published", model_width,
                      100 * comparison.table.time_error.value_or(0));
  return text;
}

} // namespace

std::string label_of(const ComparedLine& line) {
  return line.published ? "published, " + line.method : line.method;
}

std::string why_not_compared(const ComparedProgram& program) {
  if (!program.at_hand)
    return fmt::format("not simulated: there is no such program here; try: --program {}=COMMAND",
                       program.published.name);
  if (program.status == Status::failed)
    return fmt::format("failed: {}", program.reason);
  return program.status == Status::missing ? "missing" : "";
}

std::string print_tables(const std::vector<ListedTable>& tables) {
  std::string text;
  std::vector<std::string> alone;
  for (const ListedTable& table : tables) {
    text += labelled(table.name, fmt::format("{} ({})", table.title, table.source), list_width);
    if (!table.among_all)
      alone.push_back(table.name);
  }
  return text + "\n" +
         wrapped(
             fmt::format("To simulate one of them: hypermile reproduce TABLE; in small: --class "
                         "A. 'all' takes all but {}.",
                         fmt::join(alone, ", ")));
}

std::vector<std::string> differences_of(const Comparison& comparison) {
  const auto& table = comparison.table;
  std::vector<std::string> differences;
  if (!table.class_name.empty() && comparison.class_name != table.class_name)
    differences.push_back(fmt::format("The programs are of class {} there, of class {} here.",
                                      table.class_name, comparison.class_name));
  differences.insert(differences.end(), table.differences.begin(), table.differences.end());
  return differences;
}

std::string print_reproduction(const Comparison& comparison) {
  const auto& table = comparison.table;
  std::string text =
      wrapped(fmt::format("{}: {} ({}). Here: class {} on platform {}.", table.name, table.title,
                          table.source, comparison.class_name, table.platform));
  text +=
      "\n" + (table.checks_predictions() ? text_of_check(comparison) : text_of_methods(comparison));
  text += "\nWhat differs in the set-up\n";
  for (const std::string& difference : differences_of(comparison))
    text += labelled("-", difference, 2);
  return text;
}

} // namespace hypermile::report
