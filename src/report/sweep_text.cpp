#include "report/sweep.hpp"

#include "units/wrapped.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hypermile::report {
namespace {

using study::Cell;
using study::Outcome;
using study::Run;
using Status = Outcome::Status;

/// What a table is of.
std::string title_of(const Cell& cell) {
  return fmt::format("{}{}{}, {} rank{}", cell.program, cell.class_name.empty() ? "" : " class ",
                     cell.class_name, cell.ranks, cell.ranks == 1 ? "" : "s");
}

/// The end of a long name, which mostly says more than its begin.
std::string end_of(const std::string& name, std::size_t longest) {
  return name.size() <= longest ? name : "..." + name.substr(name.size() - longest + 3);
}

std::string platform_of(const Cell& cell) {
  constexpr std::size_t longest = 16;
  if (cell.repetition == 1)
    return end_of(cell.platform, longest);
  const std::string number = fmt::format(" #{}", cell.repetition);
  return end_of(cell.platform, longest - number.size()) + number;
}

struct Widths {
  std::size_t platform = 8;
  std::size_t method = 8;
};

/// In what the other columns leave of a line.
std::string method_of(const Run& run, const Widths& widths) {
  constexpr std::size_t other_columns = 51;
  const std::size_t longest = 79 - other_columns - widths.platform;
  if (run.method == "none")
    return "unscaled";
  return run.method.size() <= longest ? run.method : run.method.substr(0, longest - 3) + "...";
}

Widths widths_of(const study::Results& results) {
  Widths widths;
  for (const Cell& cell : results.cells)
    widths.platform = std::max(widths.platform, platform_of(cell).size());
  for (const Outcome& outcome : results.outcomes)
    for (const Run& run : outcome.runs)
      widths.method = std::max(widths.method, method_of(run, widths).size());
  return widths;
}

std::string effect_columns(const study::Effect& effect) {
  return fmt::format("{:>11.2f}{:>9.2f}{:>9.2f}", 100 * effect.slowdown, 100 * effect.saving,
                     100 * effect.distance);
}

std::string runs_of(const Cell& cell, const Outcome& outcome, const Widths& widths) {
  std::string text;
  std::string platform = platform_of(cell); // on the first line only
  for (const Run& run : outcome.runs) {
    text += fmt::format("{:<{}} {:<{}}{:>10.3f}{:>11.2f}{}\n", platform, widths.platform,
                        method_of(run, widths), widths.method, run.time.value(), run.energy.value(),
                        &run == &outcome.runs.front()
                            ? ""
                            : effect_columns(study::effect_of(run, outcome.runs.front())));
    platform.clear();
  }
  return text;
}

std::string lines_of(const Cell& cell, const Outcome& outcome, const Widths& widths) {
  if (outcome.status == Status::done)
    return runs_of(cell, outcome, widths);
  if (outcome.status == Status::missing)
    return fmt::format("{:<{}} missing\n", platform_of(cell), widths.platform);
  return labelled(platform_of(cell), fmt::format("failed: {}", outcome.reason),
                  widths.platform + 1);
}

std::string means_of(const study::Results& results, const Widths& widths) {
  const auto means = study::means(results);
  if (means.empty() || results.count(Status::done) < 2)
    return "";
  const std::size_t width = widths.platform + 1 + widths.method;
  std::string text = fmt::format("\n{:<{}}{:>21}{:>11}{:>9}{:>9}\n", "mean of", width, "cells",
                                 "slowdown %", "saving %", "distance");
  for (const auto& [method, cells, mean] : means)
    text +=
        fmt::format("{:<{}}{:>21}{}\n", end_of(method, width), width, cells, effect_columns(mean));
  return text;
}

} // namespace

std::string print_sweep(const study::Results& results) {
  const Widths widths = widths_of(results);
  std::string text;
  std::string title;
  for (std::size_t i = 0; i < results.cells.size(); ++i) {
    const Cell& cell = results.cells[i];
    if (const std::string own = title_of(cell); own != title) {
      title = own;
      text +=
          fmt::format("{}{}\n{:<{}} {:<{}}{:>10}{:>11}{:>11}{:>9}{:>9}\n", text.empty() ? "" : "\n",
                      title, "platform", widths.platform, "method", widths.method, "time s",
                      "energy J", "slowdown %", "saving %", "distance");
    }
    text += lines_of(cell, results.outcomes[i], widths);
  }
  text += means_of(results, widths);
  return text + fmt::format("\n{} cell{}: {} done, {} failed, {} missing\n", results.cells.size(),
                            results.cells.size() == 1 ? "" : "s", results.count(Status::done),
                            results.count(Status::failed), results.count(Status::missing));
}

} // namespace hypermile::report
