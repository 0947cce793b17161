#include "cli/calibrate_options.hpp"

#include "cli/checks.hpp"
#include "cli/help.hpp"
#include "cli/machine_options.hpp"
#include "cli/read_option.hpp"

#include "units/parse.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <memory>

namespace hypermile::cli {
namespace {

constexpr const char* calibrate_usage = "hypermile calibrate-power [OPTIONS]";

/// The backends and meters of the registry stand between the two.
constexpr const char* what_calibrate_does =
    R"(Measures what this node draws in each gear while all of its cores compute, while
they wait as MPI libraries do, and while they idle, and how fast they compute;
prints a platform for 'hypermile run', 'select' and 'simulate'. The node should
do nothing else meanwhile. Its gears are restored, however that ends.

Where gears cannot be set, the present one alone is measured. Whatever is not
measured is said not to be, in comments of the platform.

)";

constexpr const char* calibrate_examples =
    R"(
Examples:
  This node, 10 s for each of computing, waiting and idling in up to 8 gears:
    hypermile calibrate-power --output node.yaml

  Every gear, with an external meter:
    hypermile calibrate-power --gears all --meter wattmeter:log.csv > node.yaml

  Gears that are power limits, where frequencies may not be set:
    hypermile calibrate-power --backend power-limit --output node.yaml
    hypermile calibrate-power --backend power-limit --power-limits 120W,100W,80W

  No meter: speeds measured, power from a data sheet:
    hypermile calibrate-power --assume 200W,110W,50W --output node.yaml

Exit code:
  0             measured
  1             nothing measures power, the node is in use, or the log has gaps
  2             wrong usage
  4             the energy counters may not be read; see 'hypermile doctor'

docs/calibration.md says how each figure comes about.)";

Seconds read_duration(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc{} || stop != end || !(value >= 0.01 && value <= 3600))
    throw Error(ErrorKind::config, fmt::format("'{}' is not a number from 0.01 to 3600", text));
  return Seconds{value};
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Empty: all.
std::vector<model::Gear> read_gears(const std::string& text) {
  std::vector<model::Gear> gears;
  if (text == "all")
    return gears;
  for (const std::string& part : parts_of(text)) {
    model::Gear gear = 0;
    const char* const end = part.data() + part.size();
    const auto [stop, status] = std::from_chars(part.data(), end, gear);
    if (status != std::errc{} || stop != end)
      throw Error(ErrorKind::config, fmt::format("'{}' is not a gear", part),
                  "numbers such as 0,4,8, or all");
    if (std::ranges::find(gears, gear) != gears.end())
      throw Error(ErrorKind::config, fmt::format("gear {} is named twice", gear));
    gears.push_back(gear);
  }
  return gears;
}

model::GearPower read_power(const std::string& text) {
  const auto parts = parts_of(text);
  if (parts.size() != 3)
    throw Error(ErrorKind::config, fmt::format("'{}' is not three powers", text),
                "of the whole node in gear 0: computing, waiting, idle, e.g. 200W,110W,50W");
  const Watts computing = not_negative(parse_watts(parts[0]), parts[0]);
  const Watts waiting = not_negative(parse_watts(parts[1]), parts[1]);
  const Watts idle = not_negative(parse_watts(parts[2]), parts[2]);
  if (computing < waiting || waiting < idle)
    throw Error(
        ErrorKind::config,
        fmt::format("in '{}' waiting draws more than computing, or idling more than that", text),
        "computing, waiting, idle in this order");
  return {computing, waiting, idle};
}

std::string check_backend(const std::string& name) {
  const machine::Backend* const backend = machine::find_backend(name);
  return backend != nullptr && backend->emulates
             ? fmt::format("backend '{}' has nothing that could be measured", name)
             : machine::check_backend(name);
}

std::string check_meter(const std::string& spec) {
  const bool meter = spec == "auto" || machine::find_meter(spec) != nullptr;
  const std::string wrong = machine::check_meter(spec);
  return wrong.empty() && !meter ? fmt::format("'{}' measures nothing; try: --assume", spec)
                                 : wrong;
}

} // namespace

void add_calibrate_options(CLI::App& command, CalibrateOptions& options) {
  command.formatter(std::make_shared<HelpFormatter>(calibrate_usage));
  command.footer(fmt::format("{}Backends:\n{}\nMeters:\n{}{}", what_calibrate_does,
                             machine::backends_help(), machine::meters_help(), calibrate_examples));
  add_backend_options(command, options.backend, check_backend, options.own);
  add_read_option(command, "--seconds", "N",
                  "How long each part is measured, 0.01 to 3600. Default: 10", read_duration,
                  [&](Seconds seconds) { options.seconds = seconds; });
  add_read_option(command, "--gears", "GEAR,...",
                  "Which gears are measured, e.g. 0,4,8, or all; the power of others follows from "
                  "theirs. Default: up to 8, spread over all",
                  read_gears, [&](std::vector<model::Gear> gears) {
                    options.all_gears = gears.empty();
                    options.gears = std::move(gears);
                  });
  auto* const meter =
      command.add_option("--meter", options.meter, "What measures power, see below. Default: auto")
          ->type_name("METER")
          ->check(check_meter);
  add_read_option(command, "--assume", "POWER,...",
                  "No meter: what the node draws in gear 0 computing, waiting and idle", read_power,
                  [&](model::GearPower power) { options.assumed = power; })
      ->excludes(meter);
  command
      .add_option("-o,--output", options.output,
                  "Where the platform goes; a table is then printed. Default: stdout")
      ->type_name("FILE")
      ->check(not_empty());
  command.add_flag("--json", options.json,
                   "Print JSON, hypermile/calibration/1, instead of the platform or the table");
  command.add_flag("-q,--quiet", options.quiet, "No progress on stderr");
}

} // namespace hypermile::cli
