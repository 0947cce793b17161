#include "cli/model_options.hpp"

#include "cli/checks.hpp"
#include "cli/installation.hpp"

#include "units/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>

namespace hypermile::cli {
namespace {

/// "size=1e9".
std::pair<std::string, double> read_parameter(const std::string& text) {
  const auto equals = text.find('=');
  const char* const begin = text.c_str() + (equals == std::string::npos ? 0 : equals + 1);
  const char* const end = text.c_str() + text.size();
  double value = 0;
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (equals == 0 || equals == std::string::npos || error != std::errc() || rest != end ||
      !std::isfinite(value))
    throw Error(ErrorKind::config, fmt::format("'{}' is not NAME=NUMBER", text), "size=1e9, say");
  return {text.substr(0, equals), value};
}

} // namespace

void add_model_options(CLI::App& command, simulate::Experiment& experiment) {
  command
      .add_option("--model", experiment.model,
                  fmt::format("In place of PROGRAM, run this model of a program: a file in Lua, or "
                              "one that comes along ({})",
                              fmt::join(simulate::bundled_models(model_folder()), ", ")))
      ->type_name("MODEL")
      ->check(not_empty());
  add_set_option(command, experiment);
  command.add_flag("--all-steps", experiment.all_steps,
                   "Simulate every step of the model's steps(), where else some are simulated and "
                   "the rest is extrapolated");
  command.add_flag("--fast", experiment.uncontended,
                   "Run the model without SimGrid, in a part of the time and for jobs of any size: "
                   "each message has the network for itself. Gears: those of --gears, --plan and "
                   "--method planned");
}

void add_set_option(CLI::App& command, simulate::Experiment& experiment) {
  command
      .add_option_function<std::vector<std::string>>(
          "--set",
          [&](const std::vector<std::string>& all) {
            for (const std::string& text : all) {
              const auto [name, value] = read_parameter(text);
              if (!experiment.parameters.emplace(name, value).second)
                throw CLI::ValidationError("--set", fmt::format("'{}' is set twice", name));
            }
          },
          "Set a parameter of the model, e.g. size=1e9. May be repeated")
      ->type_name("NAME=NUMBER")
      ->allow_extra_args(false)
      ->check(understood_by(read_parameter));
}

void add_layout_options(CLI::App& command, simulate::Experiment& experiment) {
  command
      .add_option_function<std::string>(
          "--map-by",
          [&](const std::string& by) {
            experiment.layout.by = by == "node" ? model::Layout::By::node : model::Layout::By::core;
          },
          "Where ranks go: core (default) fills the cores of a node and then the next, node puts "
          "one "
          "on each node in turn")
      ->type_name("WHAT")
      ->check(one_of({"core", "node"}));
  command.add_flag("--oversubscribe", experiment.layout.oversubscribe,
                   "With --fast, more ranks than cores: each has an equal part of a core");
}

void check_model_options(const simulate::Experiment& experiment) {
  if (experiment.layout.oversubscribe && !experiment.uncontended)
    throw CLI::ValidationError("--oversubscribe",
                               "is for models without SimGrid; try: with --fast");
  if (experiment.model.empty()) {
    if (!experiment.parameters.empty())
      throw CLI::ValidationError("--set", "sets parameters of a model; try: with --model");
    if (experiment.uncontended)
      throw CLI::ValidationError("--fast", "is for models; try: with --model");
    if (experiment.all_steps)
      throw CLI::ValidationError("--all-steps", "is for models; try: with --model");
    return;
  }
  if (!experiment.ranks)
    throw CLI::RequiredError("-n, with --model,");
  if (experiment.reference_speed)
    throw CLI::ValidationError("--reference-speed",
                               "has no meaning for a model, whose work is in the platform's unit; "
                               "try: without it");
}

} // namespace hypermile::cli
