#include "report/simulation_text.hpp"

#include "report/extrapolation.hpp"
#include "report/loop_text.hpp"
#include "report/phases.hpp"
#include "report/power_cap.hpp"
#include "report/remarks.hpp"
#include "report/sensitivity.hpp"
#include "runtime/decide/gear0_ratio.hpp"
#include "runtime/decide/time_model.hpp"
#include "units/wrapped.hpp"

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

/// "The model spmd.lua, with size = 1e+09. Roles: 2 ranks master, 6 ranks worker."
std::string model_of(const simulate::ModelSummary& model) {
  std::vector<std::string> parameters;
  for (const auto& [name, value] : model.parameters)
    parameters.push_back(fmt::format("{} = {:g}", name, value));
  std::vector<std::string> roles;
  for (const auto& [name, ranks] : model.roles)
    roles.push_back(fmt::format("{} {} '{}'", ranks, ranks == 1 ? "rank" : "ranks", name));
  return fmt::format("The model {}{}{}. Roles: {}.", model.file,
                     parameters.empty() ? "" : ", with ", fmt::join(parameters, ", "),
                     fmt::join(roles, ", "));
}

/// Of the part that was simulated, in which it was seen.
std::string overlap_of(const Simulation& s) {
  const SimulatedRun& unscaled = s.runs.front();
  const Seconds time = unscaled.part ? unscaled.part->time : unscaled.time;
  constexpr double worth_telling = 0.01;
  if (!(s.overlap > worth_telling * time))
    return "";
  return fmt::format(" Here they do: one link is given messages at a time for which it would need "
                     "{:.3g} s more ({:.1f} % of the time). Compare a small job without --fast.",
                     s.overlap.value(), 100 * (s.overlap / time));
}

void print_heading(Out out, const Simulation& s) {
  fmt::format_to(out, "{} on {} ranks of platform {}\n", fmt::join(s.program, " "), s.ranks,
                 s.platform);
  for (const std::string& remark : s.remarks)
    fmt::format_to(out, "{}", wrapped(fmt::format("{}.", remark)));
  if (s.model)
    fmt::format_to(out, "{}", wrapped(model_of(*s.model)));
  else if (!s.replayed.empty())
    fmt::format_to(out, "Repeated from the recording {}.\n", s.replayed);
  else if (s.reference_speed)
    fmt::format_to(out, "One core of this machine counts as {:.1f} Gf{}.\n",
                   s.reference_speed->value() / 1e9,
                   s.reference_speed_was_measured ? " (measured; --reference-speed sets it)" : "");
  else
    fmt::format_to(out, "The computation comes from the given recording.\n");
  if (s.uncontended)
    fmt::format_to(
        out, "{}",
        wrapped("Without SimGrid: each message has the network for itself. Where messages "
                "share links, the run takes longer." +
                overlap_of(s)));
  if (s.waiting == simulate::Waiting::spinning)
    fmt::format_to(out, "Ranks spin while they wait.\n");
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

constexpr const char* planned = simulate::planned_method;

/// In points, as the distance; or "2.1 J", in the unit of the objective.
std::string behind_in_words(double behind, const std::string& name) {
  const auto& row =
      select::row_of(select::objective_named(name).value_or(select::Objective::maxdist));
  return row.unit.empty() ? fmt::format("{:.2f}", 100 * behind)
                          : fmt::format("{:.4g} {}", behind, row.unit);
}

void print_runs(Out out, const Simulation& s) {
  const SimulatedRun& unscaled = s.runs.front();
  const std::size_t width = width_of_methods(s);
  fmt::format_to(out, "\n{:<{}}{:>10}{:>12}{:>10}{:>11}{:>11}{}\n", "method", width, "time s",
                 "energy J", "saving %", "slowdown %", "distance",
                 s.planned ? "  behind plan" : "");
  for (const SimulatedRun& run : s.runs) {
    fmt::format_to(out, "{:<{}}{:>10.3f}{:>12.2f}", shown(run), width, run.time.value(),
                   run.energy.value());
    if (&run != &unscaled) {
      const auto c = simulate::compare(run, unscaled);
      fmt::format_to(out, "{:>10.2f}{:>11.2f}{:>11.2f}", 100 * c.saving, 100 * c.slowdown,
                     100 * c.distance);
      if (const auto behind = simulate::behind_plan(s, run); behind && run.method != planned)
        fmt::format_to(out, "{:>13}", behind_in_words(*behind, s.objective));
    }
    fmt::format_to(out, "\n");
  }
}

/// What the last column of the runs refers to.
void print_plan(Out out, const Simulation& s) {
  if (!s.planned || std::ranges::any_of(s.runs, [](const auto& r) { return r.method == planned; }))
    return;
  const auto forecast =
      model::normalised(s.planned->baseline, s.planned->expected.time, s.planned->expected.energy);
  fmt::format_to(out, "{}",
                 wrapped(fmt::format(
                     "\"behind plan\": compared with what the dependency model forecasts of the "
                     "gears that --method planned would set: {:.3f} s, {:.2f} J, distance {:.2f}.",
                     s.planned->expected.time.value(), s.planned->expected.energy.value(),
                     100 * forecast.distance)));
}

/// Beside the table, whose energy is that of the nodes with ranks. `who`: "The switches draw".
void print_besides(Out out, const Simulation& s, const std::string& who, Watts power) {
  std::string energies;
  for (const SimulatedRun& run : s.runs)
    energies += fmt::format("{}{} {:.2f} J", energies.empty() ? "" : ", ", shown(run),
                            (power * run.time).value());
  fmt::format_to(out, "{}",
                 wrapped(fmt::format("{} {:.4g} W, which is not in the table: {}.", who,
                                     power.value(), energies)));
}

void print_besides(Out out, const Simulation& s) {
  if (s.switch_power)
    print_besides(out, s, "The switches draw", *s.switch_power);
  const auto& [count, power] = s.idle_nodes;
  if (count > 0)
    print_besides(out, s,
                  fmt::format("{} {} no ranks and draw{}", count,
                              count == 1 ? "node has" : "nodes have", count == 1 ? "s" : ""),
                  power);
}

void print_caps(Out out, const Simulation& s) {
  if (s.power_caps.none())
    return;
  fmt::format_to(out, "\nCaps on power\n");
  for (const SimulatedRun& run : s.runs)
    for (const CapOutcome& cap : caps_of(s.power_caps, run.energy / run.time, run.report))
      fmt::format_to(out, "{}", wrapped(fmt::format("{}: {}", shown(run), cap_text(cap))));
  for (const SimulatedRun& run : s.runs)
    if (const std::string why = given_up(run.report); !why.empty())
      fmt::format_to(out, "{}", wrapped(fmt::format("{}: {}", shown(run), why)));
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

void print_basis(Out out, const Simulation& s) {
  if (s.protocol)
    fmt::format_to(out, "{}",
                   wrapped(fmt::format("In the dependency model a message takes as long as in the "
                                       "unscaled run. {}.",
                                       protocol_of(*s.protocol))));
}

/// What `planned` chose among, where it was asked for.
void print_repetitions(Out out, const Simulation& s) {
  if (!s.planned)
    return;
  const simulate::WholeRunPlan& plan = *s.planned;
  if (plan.repetitions > 0)
    fmt::format_to(out, "{}",
                   wrapped(fmt::format("planned: the best of gear 0 and {} gear choices of the "
                                       "dependency model, as repetitions of the recorded run "
                                       "showed.",
                                       plan.repetitions)));
  if (!plan.not_repeated.empty())
    fmt::format_to(out, "{}",
                   wrapped(fmt::format("planned rests on the dependency model alone. The run was "
                                       "not repeated in other gears: {}.",
                                       plan.not_repeated)));
}

/// A difference of the objective, in its unit.
std::string gap_of(double gap, const std::string& name) {
  const auto objective = select::objective_named(name).value_or(select::Objective::maxdist);
  return select::difference_in_words(objective, gap) +
         (select::row_of(objective).unit.empty() ? "" : " per iteration");
}

/// What is proven about the last choice.
std::string proof_of(const runtime::Decision& decision, const std::string& objective) {
  if (!decision.declined.empty())
    return "";
  const std::string model = runtime::name_of(decision.time_model);
  if (decision.exact)
    return fmt::format("; the last choice is proven to be the optimum of the {} model", model);
  if (decision.gap)
    return fmt::format(
        "; the last choice is proven to be at most {} from the optimum of the {} model",
        gap_of(*decision.gap, objective), model);
  return fmt::format("; nothing is proven about the last choice ({} model)", model);
}

/// When the gears of a run were set, over all ranks.
struct TimesSet {
  std::size_t choices = 0; ///< that reached a rank
  std::size_t missed = 0;  ///< that did not reach every rank before the program ended
  Seconds first;           ///< when the first choice reached its first rank
  Seconds last;            ///< when the last choice reached its last rank
};

/// From the first choice on that is not gear 0 for all nodes: the ones before change nothing.
TimesSet times_set(const runtime::RunReport& report) {
  const auto first = std::ranges::find_if(report.decisions, runtime::sets_a_gear);
  TimesSet set;
  for (auto d = static_cast<std::size_t>(first - report.decisions.begin());
       d < report.decisions.size(); ++d) {
    std::vector<Seconds> times;
    for (const RankReport& rank : report.ranks)
      if (d < rank.changes.size())
        times.push_back(rank.changes[d].time);
    set.missed += times.size() < report.ranks.size() ? 1 : 0;
    if (times.empty())
      continue;
    if (set.choices++ == 0)
      set.first = std::ranges::min(times);
    set.last = std::ranges::max(times);
  }
  return set;
}

std::string changes_of(const runtime::RunReport& report) {
  const auto [choices, missed, first, last] = times_set(report);
  if (choices == 0)
    return missed == 0 ? "all nodes stayed in gear 0"
                       : "the program ended before the chosen gears could be set";
  std::string times = choices == 1
                          ? fmt::format("gears set once, at {:.3g} s", first.value())
                          : fmt::format("gears first set at {:.3g} s, {} times, last at {:.3g} s",
                                        first.value(), choices, last.value());
  if (missed == 0)
    return times;
  return times + (missed == 1
                      ? "; the last choice did not reach all ranks"
                      : fmt::format("; the last {} choices did not reach all ranks", missed));
}

void print_changes(Out out, const Simulation& s) {
  fmt::format_to(out, "\nWhen gears were set\n");
  for (const SimulatedRun& run : s.runs)
    if (!run.report.decisions.empty())
      fmt::format_to(out, "{}",
                     wrapped(fmt::format("{}: {}{}", run.method, changes_of(run.report),
                                         proof_of(run.report.decisions.back(), s.objective))));
}

void print_gears(Out out, const Simulation& s) {
  fmt::format_to(out, "\nGears at the end (nodes x setting)\n");
  for (const SimulatedRun& run : s.runs) {
    if (run.report.decisions.empty())
      continue;
    fmt::format_to(out, "{}\n{}", run.method, gears_text(run.report.ranks));
  }
}

void print_sensitivities(Out out, const Simulation& s) {
  for (const SimulatedRun& run : s.runs)
    if (const std::string text = sensitivity_text(run.report); !text.empty())
      fmt::format_to(out, "\n{}", wrapped(fmt::format("{}: {}", run.method, text)));
}

/// Of each choice that saw several.
void print_phases(Out out, const Simulation& s) {
  for (const SimulatedRun& run : s.runs) {
    if (run.report.decisions.empty())
      continue;
    if (const std::string phases = phases_text(run.report); !phases.empty())
      fmt::format_to(out, "\n{}{}", run.method, phases);
  }
}

} // namespace

std::string run_text(const Simulation& simulation) {
  std::string text;
  print_heading(Out{text}, simulation);
  return text;
}

std::string print_simulation(const Simulation& simulation) {
  std::string text;
  Out out{text};
  print_heading(out, simulation);
  text += extrapolation_text(simulation);
  const bool gears_were_chosen = std::ranges::any_of(
      simulation.runs, [](const auto& run) { return !run.report.decisions.empty(); });
  if (!simulation.uncontended) // where nobody looks for a loop
    text += loop_text(simulation.runs.front().report.ranks, gears_were_chosen);
  print_runs(out, simulation);
  print_plan(out, simulation);
  print_repetitions(out, simulation);
  print_besides(out, simulation);
  print_caps(out, simulation);
  if (any_expected(simulation)) {
    print_predictions(out, simulation);
    print_basis(out, simulation);
  }
  if (!simulation.no_forecast.empty())
    fmt::format_to(
        out, "\n{}",
        wrapped(fmt::format("The dependency model predicts nothing: {}.", simulation.no_forecast)));
  if (any_chosen(simulation)) {
    print_changes(out, simulation);
    print_gears(out, simulation);
    print_phases(out, simulation);
    print_sensitivities(out, simulation);
  }
  for (const SimulatedRun& run : simulation.runs)
    text += remarks_on(run, simulation.runs.front());
  return text;
}

} // namespace hypermile::report
