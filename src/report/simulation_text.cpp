#include "report/simulation_text.hpp"

#include "report/loop_text.hpp"
#include "report/over_ranks.hpp"
#include "report/remarks.hpp"
#include "report/wrapped.hpp"

#include "select/objectives.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace hypermile::report {
namespace {

using runtime::LoopReport;
using runtime::RankReport;
using simulate::SimulatedRun;
using simulate::Simulation;

using Out = std::back_insert_iterator<std::string>;

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

std::string with_error(double predicted, double measured, int digits) {
  return fmt::format("{:.{}f} ({:+.1f} %)", predicted, digits, 100 * (predicted / measured - 1));
}

std::string shown(const SimulatedRun& run) { return short_method(simulate::shown(run.method)); }

/// Of the column of methods.
std::size_t width_of_methods(const Simulation& s) {
  std::size_t width = 12;
  for (const SimulatedRun& run : s.runs)
    width = std::max(width, shown(run).size());
  return width + 1;
}

void print_runs(Out out, const Simulation& s) {
  const SimulatedRun& unscaled = s.runs.front();
  const std::size_t width = width_of_methods(s);
  fmt::format_to(out, "\n{:<{}}{:>10}{:>12}{:>10}{:>11}{:>11}\n", "method", width, "time s",
                 "energy J", "saving %", "slowdown %", "distance");
  for (const SimulatedRun& run : s.runs) {
    fmt::format_to(out, "{:<{}}{:>10.3f}{:>12.2f}", shown(run), width, run.time.value(),
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
  return std::ranges::any_of(s.runs, [](const auto& run) { return run.expected || run.forecast; });
}

bool any_chosen(const Simulation& s) {
  return std::ranges::any_of(s.runs, [](const auto& run) { return !run.report.decisions.empty(); });
}

void print_predictions(Out out, const Simulation& s) {
  const std::size_t width = width_of_methods(s);
  fmt::format_to(out, "\n{:<{}}{:<12}{:>20}{:>24}\n", "predicted", width, "time model",
                 "time s (error)", "energy J (error)");
  for (const SimulatedRun& run : s.runs) {
    std::string name = shown(run);
    for (const auto& [model, expected] :
         {std::pair{"cluster", run.expected}, std::pair{"dependency", run.forecast}})
      if (expected)
        fmt::format_to(out, "{:<{}}{:<12}{:>20}{:>24}\n", std::exchange(name, ""), width, model,
                       with_error(expected->time.value(), run.time.value(), 3),
                       with_error(expected->energy.value(), run.energy.value(), 2));
  }
}

/// How messages travel, and what that rests on.
std::string protocol_of(const model::dependency::Protocol& protocol) {
  const auto source = [&](bool seen) {
    return protocol.known ? "" : seen ? " (seen in the recording)" : " (assumed)";
  };
  const std::string start =
      !protocol.starts_at_receive ? "travels as soon as it is sent"
      : protocol.eager_below == 0
          ? "travels once its receive is posted"
          : fmt::format(
                "travels once its receive is posted, one of less than {} B as soon as it is "
                "sent",
                protocol.eager_below);
  return fmt::format("A send of {} B or more waits for its receiver{}; a smaller message {}{}",
                     protocol.synchronous_from, source(protocol.synchronous_from_seen), start,
                     source(protocol.start_seen));
}

std::string network_of(const simulate::NetworkUse& network) {
  const auto& [share, misfit] = network.contention;
  if (network.evaluation == network::Evaluation::shared_network)
    return fmt::format("messages share the network (they held each other up for {:.2g} % of the "
                       "time)",
                       100 * share);
  return fmt::format("messages have constant costs (the network explains the recorded time within "
                     "{:.2g} % only)",
                     100 * misfit);
}

void print_basis(Out out, const Simulation& s) {
  if (s.protocol && s.network)
    fmt::format_to(out, "{}",
                   wrapped(fmt::format("By dependency: {}. {}.", network_of(*s.network),
                                       protocol_of(*s.protocol))));
}

/// A difference of the objective, in its unit.
std::string gap_of(double gap, const std::string& name) {
  const auto objective = select::objective_named(name).value_or(select::Objective::maxdist);
  return select::difference_in_words(objective, gap) +
         (select::row_of(objective).unit.empty() ? "" : " per iteration");
}

/// What is proven of the last choice.
std::string proof_of(const runtime::Decision& decision, const std::string& objective) {
  if (!decision.declined.empty())
    return "";
  const char* const model =
      decision.time_model == runtime::TimeModelKind::dependency ? "dependency" : "cluster";
  if (decision.exact)
    return fmt::format("; the last is proven to be the optimum of the {} model", model);
  if (decision.gap)
    return fmt::format("; the last is proven to be at most {} from the optimum of the {} model",
                       gap_of(*decision.gap, objective), model);
  return fmt::format("; of the last nothing is proven ({} model)", model);
}

/// When each choice took effect: on the first and on the last rank.
std::string changes_of(const runtime::RunReport& report) {
  std::vector<std::string> texts;
  for (std::size_t d = 0; d < report.decisions.size(); ++d) {
    std::vector<double> times;
    for (const RankReport& rank : report.ranks)
      if (d < rank.changes.size())
        times.push_back(rank.changes[d].time.value());
    if (times.empty())
      texts.emplace_back("too late");
    else if (times.size() < report.ranks.size())
      texts.push_back(fmt::format("{} on {} of {} ranks", over_ranks(times, "{:.3g}"), times.size(),
                                  report.ranks.size()));
    else
      texts.push_back(over_ranks(times, "{:.3g}"));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

void print_changes(Out out, const Simulation& s) {
  fmt::format_to(out, "\nGears chosen, and set at (s; first..last rank)\n");
  for (const SimulatedRun& run : s.runs)
    if (!run.report.decisions.empty())
      fmt::format_to(out, "{}",
                     wrapped(fmt::format("{}: {}{}", run.method, changes_of(run.report),
                                         proof_of(run.report.decisions.back(), s.objective))));
}

void print_gears(Out out, const Simulation& s) {
  fmt::format_to(out, "\nGears at the end (nodes x frequency)\n");
  for (const SimulatedRun& run : s.runs) {
    if (run.report.decisions.empty())
      continue;
    fmt::format_to(out, "{}\n{}", run.method, gears_text(run.report.ranks));
  }
}

} // namespace

std::string print_simulation(const Simulation& simulation) {
  std::string text;
  Out out{text};
  print_heading(out, simulation);
  text += loop_text(simulation.runs.front().report.ranks);
  print_runs(out, simulation);
  if (any_expected(simulation)) {
    print_predictions(out, simulation);
    print_basis(out, simulation);
  }
  if (!simulation.no_forecast.empty())
    fmt::format_to(out, "\n{}",
                   wrapped(fmt::format("Nothing is predicted by the dependency model: {}.",
                                       simulation.no_forecast)));
  if (any_chosen(simulation)) {
    print_changes(out, simulation);
    print_gears(out, simulation);
  }
  for (const SimulatedRun& run : simulation.runs)
    text += remarks_on(run, simulation.runs.front());
  return text;
}

} // namespace hypermile::report
