#include "cli/simulation_input.hpp"

#include "cli/checks.hpp"
#include "cli/installation.hpp"
#include "cli/platform_file.hpp"
#include "cli/read_option.hpp"

#include "io/platform_yaml.hpp"
#include "simulate/placement.hpp"
#include "units/parse.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hypermile::cli {
namespace {

Speed read_speed(const std::string& text) {
  const Speed speed = parse_speed(text);
  if (speed <= Speed{})
    throw Error(ErrorKind::config, fmt::format("'{}' is not more than 0", text));
  return speed;
}

Seconds read_gear_change(const std::string& text) {
  return not_negative(parse_seconds(text), text);
}

simulate::Waiting read_waiting(const std::string& text) {
  return text == "spinning" ? simulate::Waiting::spinning : simulate::Waiting::idle;
}

} // namespace

void add_simulation_input(CLI::App& command, simulate::Experiment& experiment, Needs needs) {
  auto* const platform =
      command
          .add_option(
              "--platform", experiment.platform,
              fmt::format("{}a bundled platform ({}), or a file in hypermile's YAML or "
                          "SimGrid's XML",
                          needs == Needs::platform ? "Required: " : "Required without --replay: ",
                          fmt::join(io::bundled_platforms(platform_folder()), ", ")))
          ->type_name("PLATFORM")
          ->check(not_empty());
  if (needs == Needs::platform)
    platform->required();
  add_run_input(command, experiment);
  command
      .add_option(
          "--computation", experiment.computation_file,
          "Take the computation from this recording: computation.txt of a --report with the "
          "same program and number of ranks. Default: measured in the unscaled run")
      ->type_name("FILE")
      ->check(not_empty());
}

void add_run_input(CLI::App& command, simulate::Experiment& experiment) {
  add_swap_option(command, experiment.swaps);
  command
      .add_option(
          "-n,--ranks", experiment.ranks,
          "Number of MPI ranks, 1 to 100000, one per core. Default: the number of cores of the "
          "platform. Required for a platform of any size (table-3.1)")
      ->type_name("N")
      ->check(whole_number(1, 100000));
  command
      .add_option_function<std::string>(
          "--reference-speed",
          [&](const std::string& text) { experiment.reference_speed = read_speed(text); },
          "Speed of a core of this machine in the platform's unit, e.g. 320Gf. Default: "
          "measured for 0.2 s. Required for a platform in XML")
      ->type_name("SPEED")
      ->check(understood_by(read_speed));
  command
      .add_option_function<std::string>(
          "--waiting", [&](const std::string& text) { experiment.waiting = read_waiting(text); },
          "What ranks that wait for others do: idle (default) draws the platform's waiting power, "
          "spinning draws computing power, as MPI libraries mostly do. Methods know it")
      ->type_name("HOW")
      ->check(one_of({"idle", "spinning"}));
  command
      .add_option_function<std::string>(
          "--gear-change",
          [&](const std::string& text) { experiment.gear_change = read_gear_change(text); },
          "How much later than a governor (countdown, exact+wait, foresee, ...) wants it a node "
          "has another gear, e.g. 50us. Default: at once")
      ->type_name("TIME")
      ->check(understood_by(read_gear_change));
  command
      .add_option("--simgrid-option", experiment.simgrid_options,
                  "Set an item of SimGrid's configuration (its --cfg), e.g. "
                  "smpi/async-small-thresh:65536 for sends that do not wait for their receive. "
                  "May be repeated. Items that hypermile sets itself are refused")
      ->type_name("KEY:VALUE")
      ->allow_extra_args(false)
      ->check(simulate::check_simgrid_option);
}

} // namespace hypermile::cli
