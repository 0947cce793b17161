#include "io/problem_json.hpp"

#include "io/json_reader.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace hypermile::io {
namespace {

using model::ModelKind;

/// More gears than any processor has; keeps a hostile table from costing hours.
constexpr std::size_t most_gears = 1024;

struct ModelName {
  std::string_view name;
  ModelKind kind;
};
constexpr std::array<ModelName, 10> model_names{{{"rauber", ModelKind::rauber},
                                                 {"homogeneous", ModelKind::homogeneous},
                                                 {"cluster", ModelKind::cluster},
                                                 {"grid", ModelKind::grid},
                                                 {"hybrid", ModelKind::hybrid},
                                                 {"async", ModelKind::async},
                                                 {"async_physical", ModelKind::async},
                                                 {"async_literal", ModelKind::async_literal},
                                                 {"table", ModelKind::table},
                                                 {"cluster_table", ModelKind::table}}};

ModelKind read_kind(const JsonReader& at) {
  const std::string name = at.text();
  for (const ModelName& known : model_names)
    if (known.name == name)
      return known.kind;
  std::vector<std::string_view> names;
  for (const ModelName& known : model_names)
    names.push_back(known.name);
  at.fail(fmt::format("'{}' is not a model", name), fmt::format("{}", fmt::join(names, ", ")));
}

model::GearTable read_gears(const JsonReader& at) {
  std::vector<Hertz> frequencies;
  for (const double ghz : at.numbers(most_gears))
    frequencies.emplace_back(ghz * 1e9);
  try {
    return model::GearTable{std::move(frequencies)};
  } catch (const Error& error) {
    at.fail(error.what());
  }
}

std::size_t read_cluster(const JsonReader& at, ModelKind kind) {
  const bool clustered = kind == ModelKind::grid || kind == ModelKind::hybrid;
  return clustered || at.has("cluster") ? at.at("cluster").index() : 0;
}

// Everything that can throw comes before the aggregate: g++ 12 destroys the members of a braced
// list twice when a later one throws.
model::AnalyticNode read_analytic_node(const JsonReader& at, ModelKind kind) {
  at.expect_keys({"cluster", "gears_ghz", "tcp_s", "tcm_s", "pd_w", "ps_w"});
  model::GearTable gears = read_gears(at.at("gears_ghz"));
  const Seconds computation{at.at("tcp_s").not_negative()};
  const Seconds communication{at.at("tcm_s").not_negative()};
  const Watts dynamic_power{at.at("pd_w").not_negative()};
  const Watts static_power{at.at("ps_w").not_negative()};
  const std::size_t cluster = read_cluster(at, kind);
  return {std::move(gears), computation, communication, dynamic_power, static_power, cluster};
}

std::vector<double> one_per_gear(const JsonReader& at, std::size_t gears) {
  if (!at.is_array())
    return std::vector<double>(gears, at.not_negative());
  std::vector<double> values = at.numbers(most_gears);
  if (values.size() != gears)
    at.fail(fmt::format("has {} values for {} gears", values.size(), gears));
  return values;
}

model::TableNode read_table_node(const JsonReader& at) {
  at.expect_keys(
      {"cluster", "gears_ghz", "tcm_s", "gear_time_s", "gear_active_power_w", "idle_power_w"});
  model::GearTable gears = read_gears(at.at("gears_ghz"));
  if (!at.at("gear_time_s").is_array() || !at.at("gear_active_power_w").is_array())
    at.fail("gear_time_s and gear_active_power_w are arrays with one value per gear");
  const auto times = one_per_gear(at.at("gear_time_s"), gears.size());
  const auto powers = one_per_gear(at.at("gear_active_power_w"), gears.size());
  const auto waiting = one_per_gear(at.at("idle_power_w"), gears.size());
  const Seconds communication{at.at("tcm_s").not_negative()};
  const std::size_t cluster = read_cluster(at, ModelKind::table);
  std::vector<model::MeasuredGear> measured;
  for (std::size_t g = 0; g < gears.size(); ++g)
    measured.push_back(
        {Seconds{times[g]}, Watts{powers[g]} * Seconds{times[g]}, Watts{waiting[g]}});
  return {std::move(gears), std::move(measured), communication, cluster};
}

model::HomogeneousCluster read_homogeneous(const JsonReader& at) {
  at.expect_keys({"gears_ghz", "tcp_s", "tcm_s", "pd_w", "ps_w"});
  model::GearTable gears = read_gears(at.at("gears_ghz"));
  constexpr std::size_t most_nodes = 10'000'000;
  const auto computation = at.at("tcp_s").numbers(most_nodes);
  const auto communication = at.at("tcm_s").numbers(most_nodes);
  if (communication.size() != computation.size())
    at.fail(fmt::format("tcp_s has {} values, tcm_s {}", computation.size(), communication.size()),
            "one of each per node");
  const Watts dynamic_power{at.at("pd_w").not_negative()};
  const Watts static_power{at.at("ps_w").not_negative()};
  std::vector<model::HomogeneousCluster::Task> tasks;
  for (std::size_t i = 0; i < computation.size(); ++i)
    tasks.push_back({Seconds{computation[i]}, Seconds{communication[i]}});
  return {std::move(gears), std::move(tasks), dynamic_power, static_power};
}

model::Problem read_analytic(const JsonReader& at, ModelKind kind) {
  std::vector<model::AnalyticNode> nodes;
  for (const JsonReader& node : at.elements())
    nodes.push_back(read_analytic_node(node, kind));
  switch (kind) {
  case ModelKind::grid:
    return grid_problem(nodes);
  case ModelKind::hybrid:
    return hybrid_problem(nodes);
  case ModelKind::async:
  case ModelKind::async_literal:
    return async_problem(nodes, kind);
  default:
    return cluster_problem(nodes);
  }
}

model::Problem read_problem(const JsonReader& at) {
  const ModelKind kind = read_kind(at.at("model"));
  if (kind == ModelKind::rauber || kind == ModelKind::homogeneous)
    return homogeneous_problem(read_homogeneous(at.at("homogeneous")), kind);
  if (kind != ModelKind::table)
    return read_analytic(at.at("nodes"), kind);
  std::vector<model::TableNode> nodes;
  for (const JsonReader& node : at.at("nodes").elements())
    nodes.push_back(read_table_node(node));
  return table_problem(nodes);
}

} // namespace

model::Problem parse_problem(std::string_view text, const std::string& file) {
  const JsonReader top(parse_json(text, file), file);
  try {
    return read_problem(top);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::model)
      top.fail(error.what());
    throw;
  }
}

} // namespace hypermile::io
