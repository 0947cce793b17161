#include "cli/choice_options.hpp"

#include "cli/checks.hpp"

#include "io/plan_json.hpp"
#include "runtime/settings.hpp"
#include "units/parse.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <set>

namespace hypermile::cli {
namespace {

double read_slowdown(const std::string& text) {
  const double ratio = parse_ratio(text);
  if (ratio < 0)
    throw Error(ErrorKind::config, fmt::format("'{}' is less than 0", text));
  return ratio;
}

Seconds read_think(const std::string& text) {
  const Seconds time = parse_seconds(text);
  if (time <= Seconds{})
    throw Error(ErrorKind::config, fmt::format("'{}' is not more than 0", text));
  return time;
}

} // namespace

std::string check_method(const std::string& name) {
  static const std::set<std::string> fitting{"exact", "alg5",  "alg5-literal", "edp-walk",
                                             "slack", "brute", "none"};
  if (fitting.contains(name))
    return "";
  return fmt::format("'{}' is not a method; try: exact, alg5, alg5-literal, edp-walk, slack, "
                     "brute or none",
                     name);
}

std::string check_objective(const std::string& name) {
  return io::objective_named(name)
             ? ""
             : fmt::format("'{}' is not an objective; try: maxdist, edp, ed2p, edp48, energy, time",
                           name);
}

std::string check_time_model(const std::string& name) {
  return one_of({"auto", "cluster", "dependency"})(name);
}

void add_choice_options(CLI::App& command, Choice choice) {
  command
      .add_option("--objective", choice.objective,
                  "What the gears optimise, see below. Default: maxdist")
      ->type_name("OBJECTIVE")
      ->check(check_objective);
  command
      .add_option_function<std::string>(
          "--max-slowdown",
          [choice](const std::string& text) { choice.max_slowdown = read_slowdown(text); },
          "With 'exact': by how much the run may take longer than in gear 0, e.g. 5%. For a while "
          "iterations may be slower than that, because the time before was in gear 0. Default: no "
          "bound")
      ->type_name("RATIO")
      ->check(understood_by(read_slowdown));
  command
      .add_option_function<std::string>(
          "--confidence",
          [choice](const std::string& text) {
            choice.confidence = runtime::parse_confidence(text);
          },
          "Probability with which --max-slowdown is kept although iterations vary, from 50% to "
          "less than 100%; a higher one leaves more slack. Default: 95%")
      ->type_name("RATIO")
      ->check(understood_by(runtime::parse_confidence));
  command
      .add_option(
          "--time-model", choice.time_model,
          "Model of 'exact': cluster (all wait for the slowest rank), dependency (which rank "
          "waits for which), or auto (default): dependency if all events were recorded")
      ->type_name("MODEL")
      ->check(check_time_model);
  command
      .add_option_function<std::string>(
          "--think", [choice](const std::string& text) { choice.think = read_think(text); },
          "About how long one choice by the dependency model may take, e.g. 1s. Default: 50ms")
      ->type_name("TIME")
      ->check(understood_by(read_think));
}

} // namespace hypermile::cli
