#include "io/plan_reader.hpp"

#include "io/json_reader.hpp"

#include <fmt/format.h>

namespace hypermile::io {
namespace {

constexpr std::string_view schema = "hypermile/plan/1";

std::vector<model::Gear> read_plan(const JsonReader& at) {
  if (at.at("schema").text() != schema)
    at.at("schema").fail(fmt::format("is not '{}'", schema),
                         "a plan that 'hypermile select --json' printed");
  at.expect_keys({"schema", "model", "method", "objective", "feasible", "gears", "frequencies_ghz",
                  "time_s", "energy_j", "p_norm", "e_norm", "distance", "certificate",
                  "microseconds", "violations", "tasks"});
  std::vector<model::Gear> gears;
  for (const JsonReader& gear : at.at("gears").elements())
    gears.push_back(gear.index());
  return gears;
}

} // namespace

std::vector<std::vector<model::Gear>> parse_plans(std::string_view text, const std::string& file) {
  const JsonReader top(parse_json(text, file), file);
  if (!top.is_array())
    return {read_plan(top)};
  std::vector<std::vector<model::Gear>> plans;
  for (const JsonReader& plan : top.elements())
    plans.push_back(read_plan(plan));
  return plans;
}

} // namespace hypermile::io
