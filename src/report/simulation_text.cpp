#include "report/simulation_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>

namespace hypermile::report {
namespace {

using runtime::LoopReport;
using runtime::RankReport;
using simulate::SimulatedRun;
using simulate::Simulation;

using Out = std::back_insert_iterator<std::string>;

std::string shown(const SimulatedRun& run) {
  return run.method == "none" ? "unscaled" : run.method;
}

/// In lines that fit a terminal.
std::string wrapped(const std::string& text) {
  constexpr std::size_t width = 79;
  std::string lines;
  std::size_t column = 0;
  std::istringstream words(text);
  for (std::string word; words >> word; column += word.size()) {
    if (column > 0 && column + 1 + word.size() > width) {
      lines += "\n  ";
      column = 2;
    } else if (column > 0) {
      lines += ' ';
      ++column;
    }
    lines += word;
  }
  return lines + "\n";
}

void print_heading(Out out, const Simulation& s) {
  fmt::format_to(out, "{} on {} ranks of platform {}\n", fmt::join(s.program, " "), s.ranks,
                 s.platform);
  if (s.reference_speed)
    fmt::format_to(out, "This machine's core counts as {:.1f} Gf{}.\n",
                   s.reference_speed->value() / 1e9,
                   s.reference_speed_was_measured ? " (measured; --reference-speed sets it)" : "");
  else
    fmt::format_to(out, "The computation comes from the recording that was given.\n");
}

void print_loop(Out out, const Simulation& s) {
  const SimulatedRun& run = s.runs.front();
  std::vector<int> without;
  for (const RankReport& rank : run.report.ranks)
    if (rank.loop.found == LoopReport::Found::nothing)
      without.push_back(rank.rank);
  if (!without.empty()) {
    fmt::format_to(out,
                   "No loop found on rank{} {}: no pattern of MPI calls repeats there for a\n"
                   "notable part of the time. The program ran unscaled. hm_iteration() at the\n"
                   "begin of each iteration tells hypermile where the loop is.\n",
                   without.size() == 1 ? "" : "s", fmt::join(without, ", "));
    return;
  }
  const LoopReport& loop = run.report.ranks.front().loop;
  fmt::format_to(out, "{}",
                 wrapped(fmt::format(
                     "Loop: {} iterations from {:.3g} s on, {:.0f} % of the time; found by {}.",
                     loop.iterations, loop.first_iteration.value(),
                     100 * (loop.total / run.report.ranks.front().time),
                     loop.found == LoopReport::Found::marker ? "its marker hm_iteration()"
                                                             : "its repeating MPI calls")));
  if (loop.found == LoopReport::Found::pattern)
    fmt::format_to(out, "{}", wrapped(fmt::format("One iteration: {}.", loop.description)));
}

std::string with_error(double predicted, double measured, int digits) {
  return fmt::format("{:.{}f} ({:+.1f} %)", predicted, digits, 100 * (predicted / measured - 1));
}

void print_runs(Out out, const Simulation& s) {
  const SimulatedRun& unscaled = s.runs.front();
  fmt::format_to(out, "\n{:<13}{:>10}{:>12}{:>10}{:>11}{:>11}\n", "method", "time s", "energy J",
                 "saving %", "slowdown %", "distance");
  for (const SimulatedRun& run : s.runs) {
    fmt::format_to(out, "{:<13}{:>10.3f}{:>12.2f}", shown(run), run.time.value(),
                   run.energy.value());
    if (&run != &unscaled) {
      const auto c = simulate::compare(run, unscaled);
      fmt::format_to(out, "{:>10.2f}{:>11.2f}{:>11.2f}", 100 * c.saving, 100 * c.slowdown,
                     100 * c.distance);
    }
    fmt::format_to(out, "\n");
  }
}

bool any_expected(const Simulation& s) {
  return std::ranges::any_of(s.runs, [](const auto& run) { return run.expected.has_value(); });
}

bool any_chosen(const Simulation& s) {
  return std::ranges::any_of(s.runs, [](const auto& run) { return !run.report.decisions.empty(); });
}

void print_predictions(Out out, const Simulation& s) {
  fmt::format_to(out, "\n{:<13}{:>22}{:>24}  {}\n", "predicted", "time s (error)",
                 "energy J (error)", "took effect at");
  for (const SimulatedRun& run : s.runs) {
    if (!run.expected)
      continue;
    std::vector<std::string> effects;
    for (const auto& change : run.report.ranks.front().changes)
      effects.push_back(fmt::format("{:.3g} s", change.time.value()));
    fmt::format_to(out, "{:<13}{:>22}{:>24}  {}\n", run.method,
                   with_error(run.expected->time.value(), run.time.value(), 3),
                   with_error(run.expected->energy.value(), run.energy.value(), 2),
                   fmt::format("{}", fmt::join(effects, ", ")));
  }
}

/// "2 x 2.3" for each gear that nodes of the type have at the end of the run.
std::string gears_of_type(const runtime::RunReport& report, const std::string& type_name) {
  std::map<std::size_t, std::map<std::string, const RankReport*>> by_gear;
  for (const RankReport& rank : report.ranks)
    if (rank.node.type.name == type_name)
      by_gear[rank.gear].emplace(rank.node.name, &rank);
  std::vector<std::string> texts;
  for (const auto& [gear, nodes] : by_gear) {
    const auto& type = nodes.begin()->second->node.type;
    const std::string what =
        type.frequencies_known ? fmt::format("{:.3g} GHz", type.gears.frequency(gear).value() / 1e9)
                               : fmt::format("gear {}", gear);
    texts.push_back(fmt::format("{} x {}", nodes.size(), what));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

void print_gears(Out out, const Simulation& s) {
  std::vector<std::string> types;
  for (const RankReport& rank : s.runs.front().report.ranks)
    if (std::ranges::find(types, rank.node.type.name) == types.end())
      types.push_back(rank.node.type.name);
  fmt::format_to(out, "\nGears at the end (nodes x frequency)\n");
  for (const SimulatedRun& run : s.runs) {
    if (run.report.decisions.empty())
      continue;
    fmt::format_to(out, "{}\n", run.method);
    for (const std::string& type : types)
      fmt::format_to(out, "  {:<11}{}\n", type, gears_of_type(run.report, type));
  }
}

void print_remarks_on(Out out, const SimulatedRun& run) {
  std::size_t divergences = 0;
  for (const RankReport& rank : run.report.ranks) {
    divergences += rank.divergences;
    if (!rank.failure.empty())
      fmt::format_to(out, "\n{}",
                     wrapped(fmt::format("{}: rank {}: {}", shown(run), rank.rank, rank.failure)));
  }
  if (!run.report.decisions.empty() && !run.expected)
    fmt::format_to(out, "\n{}",
                   wrapped(fmt::format("{}: gears were chosen, but the program ended before all "
                                       "ranks had heard of them, so nothing is predicted.",
                                       shown(run))));
  if (divergences > 0)
    fmt::format_to(out, "\n{}",
                   wrapped(fmt::format("{}: {} MPI calls were not in the recording; the "
                                       "computation before them was measured, so this run does "
                                       "not repeat exactly.",
                                       shown(run), divergences)));
  if (!run.report.decisions.empty() && !run.report.decisions.back().declined.empty())
    fmt::format_to(out, "\n{}",
                   wrapped(fmt::format("{}: all nodes were left in, or put back to, gear 0: {}.",
                                       shown(run), run.report.decisions.back().declined)));
}

} // namespace

std::string print_simulation(const Simulation& simulation) {
  std::string text;
  Out out{text};
  print_heading(out, simulation);
  print_loop(out, simulation);
  print_runs(out, simulation);
  if (any_expected(simulation))
    print_predictions(out, simulation);
  if (any_chosen(simulation))
    print_gears(out, simulation);
  for (const SimulatedRun& run : simulation.runs)
    print_remarks_on(out, run);
  return text;
}

} // namespace hypermile::report
