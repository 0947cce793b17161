#include "cli/gear_options.hpp"

#include "cli/checks.hpp"

#include "io/plan_reader.hpp"
#include "io/text_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace hypermile::cli {

void add_gear_options(CLI::App& command, GearOptions& options) {
  command
      .add_option("--gears", options.gears,
                  "Add a run in these gears: one per node with ranks in the order of \"nodes\" in "
                  "the JSON, e.g. 0,3,5; one for all, e.g. 3; by type, e.g. type1=2,type3=1. "
                  "Default: no such run")
      ->type_name("GEAR,...")
      ->allow_extra_args(false)
      ->check(understood_by(io::parse_gear_choice));
  command
      .add_option("--plan", options.plans,
                  "Add a run in the gears of a plan, the output of 'hypermile select --json'. "
                  "Default: no such run")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->check(not_empty());
  command
      .add_option("--gears-file", options.lists,
                  "Add a run for each line of the file, written as for --gears; # begins a "
                  "comment. Default: no such runs")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->check(not_empty());
}

std::vector<simulate::FixedGears> read_gears(const GearOptions& options) {
  std::vector<simulate::FixedGears> all;
  for (const std::string& text : options.gears)
    all.push_back({io::parse_gear_choice(text), "--gears " + text});
  for (const std::string& file : options.plans)
    for (auto& gears : io::parse_plans(io::read_text_file(file), file))
      all.push_back({std::move(gears), file});
  for (const std::string& file : options.lists)
    for (auto& [number, gears] : io::parse_gear_lines(io::read_text_file(file), file))
      all.push_back({std::move(gears), fmt::format("{}:{}", file, number)});
  return all;
}

} // namespace hypermile::cli
