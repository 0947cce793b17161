#include "cli/select_options.hpp"

#include "io/plan_json.hpp"
#include "units/error.hpp"
#include "units/parse.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace hypermile::cli {
namespace {

constexpr const char* footer = R"(Methods:
  exact      the optimum, or the best known with a proven gap
  slack      least energy without slowing anything down
  alg5, alg7, alg8, edp-walk                of [F16], for cluster, grid, hybrid/async, any
  alg5-literal, alg7-literal, alg8-literal  the same as printed
  epsa, rauber-e, rauber-ep                 for homogeneous clusters
  brute      every gear vector, up to 2 million

Objectives: maxdist (P_norm - E_norm), edp (E*T), ed2p (E*T^2), edp48 ([F16] Eq. 4.8),
energy, time.
Units: times s, energies J, powers W, all for one iteration.

Examples:
  hypermile select PROBLEM.json
  hypermile select PROBLEM.json --objective energy --max-slowdown 5%
  hypermile select PROBLEM.json --objective time --power-cap 2kW
  hypermile select PROBLEM.json --compare exact,alg5,alg5-literal,slack
  hypermile select --platform platforms/table-3.1.yaml --workload W.yaml --json
  some-generator | hypermile select - --pareto

Exit code: 0 a plan, 1 unusable input, 2 wrong usage, 3 no plan keeps the bounds (the nearest
is shown). docs/selection.md describes the models, the schemas and the proofs.)";

/// Reads an option's text; a text that `parse` refuses is wrong usage.
template <class Parse> auto read_option(const Parse& parse, const std::string& text) {
  try {
    return parse(text);
  } catch (const Error& error) {
    throw CLI::ValidationError(error.what());
  }
}

select::Method read_method(const std::string& name) {
  if (const auto method = io::method_named(name))
    return *method;
  throw CLI::ValidationError(fmt::format(
      "'{}' is not a method; try: exact, epsa, rauber-e, rauber-ep, alg5, alg5-literal, alg7, "
      "alg7-literal, alg8, alg8-literal, edp-walk, slack or brute",
      name));
}

select::Objective read_objective(const std::string& name) {
  if (const auto objective = io::objective_named(name))
    return *objective;
  throw CLI::ValidationError(fmt::format(
      "'{}' is not an objective; try: maxdist, edp, ed2p, edp48, energy or time", name));
}

/// "2kW" or "average:2kW" caps the average, "peak:2kW" the peak.
void read_power_cap(const std::string& text, select::Constraints& constraints) {
  constexpr std::string_view peak = "peak:";
  constexpr std::string_view average = "average:";
  if (text.starts_with(peak))
    constraints.peak_power_cap = read_option(parse_watts, text.substr(peak.size()));
  else if (text.starts_with(average))
    constraints.average_power_cap = read_option(parse_watts, text.substr(average.size()));
  else
    constraints.average_power_cap = read_option(parse_watts, text);
}

void add_input_options(CLI::App& command, SelectOptions& options) {
  auto* problem = command
                      .add_option("problem", options.problem,
                                  "Problem to solve (PROBLEM.json), - for standard input")
                      ->type_name("FILE");
  auto* platform =
      command.add_option("--platform", options.platform, "Machines, hypermile/platform/1 (YAML)")
          ->type_name("FILE");
  auto* workload = command
                       .add_option("--workload", options.workload,
                                   "Times per node, hypermile/workload/1 (YAML or JSON)")
                       ->type_name("FILE");
  platform->needs(workload)->excludes(problem);
  workload->needs(platform)->excludes(problem);
  command
      .add_option("--energy-model", options.energy_model,
                  "Of a homogeneous cluster: homogeneous (Eq. 2.13) or rauber (Eq. 1.19)")
      ->check(CLI::IsMember({"homogeneous", "rauber"}))
      ->type_name("NAME");
}

std::vector<select::Method> read_methods(const std::string& names) {
  std::vector<select::Method> methods;
  for (std::size_t start = 0; start <= names.size();) {
    const std::size_t end = std::min(names.find(',', start), names.size());
    methods.push_back(read_method(names.substr(start, end - start)));
    start = end + 1;
  }
  return methods;
}

void add_choice_options(CLI::App& command, SelectOptions& options) {
  auto* method =
      command
          .add_option_function<std::string>(
              "--method", [&](const std::string& name) { options.methods = {read_method(name)}; },
              "How to choose, see below (default: exact)")
          ->type_name("METHOD");
  command
      .add_option_function<std::string>(
          "--compare",
          [&](const std::string& names) {
            options.compare = true;
            options.methods = read_methods(names);
          },
          "Several methods side by side, e.g. exact,alg5,slack")
      ->type_name("METHOD,...")
      ->excludes(method);
  command
      .add_option_function<std::string>(
          "--objective",
          [&](const std::string& name) { options.request.objective = read_objective(name); },
          "What to optimise, see below (default: maxdist)")
      ->type_name("OBJECTIVE");
  command
      .add_option("--weight", options.request.weight,
                  "maxdist only: maximise w*P_norm - (1-w)*E_norm, w from 0 to 1")
      ->type_name("W");
}

void add_bound_options(CLI::App& command, SelectOptions& options) {
  select::Constraints& bounds = options.request.constraints;
  command
      .add_option_function<std::string>(
          "--max-slowdown",
          [&](const std::string& text) { bounds.max_slowdown = read_option(parse_ratio, text); },
          "T_new <= (1 + x) * T_old, e.g. 5%")
      ->type_name("RATIO");
  command
      .add_option_function<std::string>(
          "--energy-budget",
          [&](const std::string& text) { bounds.energy_budget = read_option(parse_joules, text); },
          "Energy of one iteration, e.g. 500J")
      ->type_name("ENERGY");
  command
      .add_option_function<std::vector<std::string>>(
          "--power-cap",
          [&](const std::vector<std::string>& texts) {
            for (const std::string& text : texts)
              read_power_cap(text, bounds);
          },
          "Average power E/T (2kW), or the sum of all active powers (peak:2kW)")
      ->type_name("[peak:]POWER")
      ->allow_extra_args(false);
}

} // namespace

void add_select_options(CLI::App& command, SelectOptions& options) {
  command.footer(footer);
  add_input_options(command, options);
  add_choice_options(command, options);
  add_bound_options(command, options);
  command.add_flag("--pareto", options.pareto, "The whole Pareto front of time against energy");
  command.add_flag("--json", options.json,
                   "hypermile/plan/1 (an array with --compare), or hypermile/front/1");
}

void check_select_options(const CLI::App& command, const SelectOptions& options) {
  if (options.problem.empty() && options.workload.empty())
    throw CLI::RequiredError("PROBLEM.json (or --platform and --workload)");
  if (!options.pareto)
    return;
  for (const char* option : {"--method", "--compare", "--objective", "--weight", "--max-slowdown",
                             "--energy-budget", "--power-cap"})
    if (command.count(option) > 0)
      throw CLI::ValidationError("--pareto shows the whole front, whatever the method, objective "
                                 "or bound",
                                 fmt::format("leave out {}", option));
}

} // namespace hypermile::cli
