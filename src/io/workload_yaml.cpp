#include "io/workload_yaml.hpp"

#include "io/yaml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace hypermile::io {
namespace {

using model::ModelKind;

/// How a node spends one iteration in gear 0.
struct Times {
  Seconds computation;
  Seconds communication;
  std::optional<std::size_t> cluster;
};

double plain_number(const YamlReader& at) {
  const std::string text = at.text();
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    at.fail(fmt::format("'{}' is not a number", text));
  if (value < 0)
    at.fail(fmt::format("{} is negative", text));
  return value;
}

std::size_t plain_index(const YamlReader& at) {
  const double value = plain_number(at);
  if (value != std::floor(value) || value > 1e9)
    at.fail(fmt::format("'{}' is not a whole number", at.text()));
  return static_cast<std::size_t>(value);
}

Times read_times(const YamlReader& at) {
  at.expect_keys({"tcp_s", "tcm_s", "cluster"});
  Times times{Seconds{plain_number(at.at("tcp_s"))}, Seconds{plain_number(at.at("tcm_s"))},
              std::nullopt};
  if (const auto cluster = at.find("cluster"))
    times.cluster = plain_index(*cluster);
  return times;
}

ModelKind read_model_kind(const YamlReader& at) {
  constexpr std::pair<std::string_view, ModelKind> kinds[] = {
      {"table", ModelKind::table}, {"cluster", ModelKind::cluster},
      {"grid", ModelKind::grid},   {"hybrid", ModelKind::hybrid},
      {"async", ModelKind::async}, {"async_literal", ModelKind::async_literal}};
  const std::string name = at.text();
  for (const auto& [known, kind] : kinds)
    if (known == name)
      return kind;
  at.fail(fmt::format("'{}' is not a model of nodes with gears of their own", name),
          "table, cluster, grid, hybrid, async or async_literal");
}

/// The type of every node, and which of the platform's groups it is in.
struct PlacedNode {
  const model::NodeType* type;
  std::size_t group;
};

std::vector<PlacedNode> place_nodes(const YamlReader& at, const model::Platform& platform,
                                    std::size_t count) {
  const model::NodeList nodes = at.located([&] { return model::place(platform, count); });
  std::vector<PlacedNode> placed;
  for (const model::NodeType* type : nodes)
    for (std::size_t k = 0; k < platform.groups.size(); ++k)
      if (type == &platform.groups[k].type)
        placed.push_back({type, k});
  return placed;
}

model::TableNode table_node(const Times& times, const PlacedNode& node) {
  std::vector<model::MeasuredGear> measured;
  for (model::Gear g = 0; g < node.type->gears.size(); ++g) {
    const Seconds time = times.computation * node.type->gears.scale(g);
    const model::GearPower& power = node.type->power[g];
    measured.push_back({time, power.computing * time, power.waiting});
  }
  return {node.type->gears, std::move(measured), times.communication,
          times.cluster.value_or(node.group)};
}

/// Pd and Ps of a node type, if its table of powers is what they give: Ps + Pd / S^3 computing,
/// Ps waiting.
std::pair<Watts, Watts> dynamic_and_static(const YamlReader& at, const model::NodeType& type) {
  const Watts static_power = type.power[0].waiting;
  const Watts dynamic_power = type.power[0].computing - static_power;
  const auto cubic = model::cubic_power(type.gears, dynamic_power, static_power);
  const auto close = [](Watts a, Watts b) {
    return std::abs((a - b).value()) <= 1e-9 * std::max(a.value(), b.value());
  };
  for (model::Gear g = 0; g < cubic.size(); ++g)
    if (!close(cubic[g].computing, type.power[g].computing) ||
        !close(cubic[g].waiting, type.power[g].waiting))
      at.fail(fmt::format("the power of node type '{}' in gear {} is not static + dynamic / S^3, "
                          "which this model assumes",
                          type.name, g),
              "model: table");
  return {dynamic_power, static_power};
}

std::vector<model::AnalyticNode> analytic_nodes(const YamlReader& at,
                                                const std::vector<Times>& times,
                                                const std::vector<PlacedNode>& placed) {
  std::vector<model::AnalyticNode> nodes;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto [dynamic_power, static_power] = dynamic_and_static(at, *placed[i].type);
    nodes.push_back({placed[i].type->gears, times[i].computation, times[i].communication,
                     dynamic_power, static_power, times[i].cluster.value_or(placed[i].group)});
  }
  return nodes;
}

model::Problem build(const YamlReader& top, ModelKind kind, const std::vector<Times>& times,
                     const std::vector<PlacedNode>& placed) {
  if (kind == ModelKind::table) {
    std::vector<model::TableNode> nodes;
    for (std::size_t i = 0; i < times.size(); ++i)
      nodes.push_back(table_node(times[i], placed[i]));
    return table_problem(nodes);
  }
  const auto nodes = analytic_nodes(top.at("model"), times, placed);
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

} // namespace

model::Problem parse_workload(const std::string& text, const std::string& file,
                              const model::Platform& platform) {
  const YamlReader top = YamlReader::parse(text, file);
  top.expect_keys({"schema", "model", "nodes"});
  if (const YamlReader schema = top.at("schema"); schema.text() != "hypermile/workload/1")
    schema.fail(fmt::format("'{}' is not a schema that this version reads", schema.text()),
                "hypermile/workload/1");
  const auto model = top.find("model");
  const ModelKind kind = model ? read_model_kind(*model) : ModelKind::table;
  std::vector<Times> times;
  top.at("nodes").for_each([&](const YamlReader& node) { times.push_back(read_times(node)); });
  // One entry stands for a whole node here, however many cores it has.
  model::Platform nodes = platform;
  for (auto& group : nodes.groups)
    group.type.cores = 1;
  const auto placed = place_nodes(top.at("nodes"), nodes, times.size());
  return top.located([&] { return build(top, kind, times, placed); });
}

} // namespace hypermile::io
