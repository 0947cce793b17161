#include "report/platform.hpp"

#include "io/topology_yaml.hpp"
#include "model/beaten.hpp"
#include "report/setting_json.hpp"
#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <set>
#include <vector>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;

std::string count_text(const model::Platform& platform, std::size_t count) {
  return platform.scalable ? fmt::format("share {}", count) : fmt::format("{} nodes", count);
}

std::string cores_text(const model::NodeType& type) {
  return fmt::format("{} core{} of {:g} Gf", type.cores, type.cores == 1 ? "" : "s",
                     type.speed.value() / 1e9);
}

std::string gears_text(const model::NodeType& type) {
  const model::Gear slowest = type.gears.size() - 1;
  if (!type.power_limits.empty())
    return fmt::format("{} gear{}, {:.4g} to {:.4g} W per processor", type.gears.size(),
                       slowest == 0 ? "" : "s", type.power_limits.front().value(),
                       type.power_limits.back().value());
  const double fastest_ghz = type.gears.frequency(0).value() / 1e9;
  if (slowest == 0)
    return fmt::format("one gear, {:.4g} GHz", fastest_ghz);
  return fmt::format("{} gears, {:.4g} to {:.4g} GHz", type.gears.size(), fastest_ghz,
                     type.gears.frequency(slowest).value() / 1e9);
}

/// Gears that no program should have, as far as computing goes.
std::string beaten_text(const model::NodeType& type) {
  std::vector<model::SettingCost> costs;
  for (model::Gear gear = 0; gear < type.gears.size(); ++gear)
    costs.push_back({Seconds{type.gears.scale(gear)}, type.power[gear].computing});
  const auto beaten = model::beaten_by(costs);
  std::string text;
  for (model::Gear gear = 0; gear < beaten.size(); ++gear)
    if (beaten[gear])
      text += labelled(
          "  of no use",
          fmt::format("gear {}: gear {} is no slower and draws no more", gear, *beaten[gear]), 13);
  return text;
}

std::string power_text(const model::GearPower& power) {
  return fmt::format("{:.4g} W computing, {:.4g} W waiting, {:.4g} W idle", power.computing.value(),
                     power.waiting.value(), power.idle.value());
}

std::string parts_text(const model::NodeType& type) {
  std::vector<std::string> parts;
  for (const auto& [count, name] : type.parts)
    parts.push_back(count == 1 ? name : fmt::format("{}x {}", count, name));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string link_text(const model::Link& link) {
  return fmt::format("{:.4g} Gbit/s, {:.4g} us", link.bandwidth.value() * 8 / 1e9,
                     link.latency.value() * 1e6);
}

std::set<std::string> sites_of(const model::Platform& platform) {
  std::set<std::string> sites;
  for (const auto& group : platform.groups)
    sites.insert(group.type.site);
  return sites;
}

/// In quotes, as Graphviz and a reader of JSON understand it. A line break in it is "\n".
std::string dot_text(const std::string& text) { return ordered_json(text).dump(); }

std::string switch_id(const std::string& site) {
  return dot_text(site.empty() ? "switch" : fmt::format("switch {}", site));
}

std::string dot_node(const model::Platform& platform, const model::Platform::Group& group) {
  const model::NodeType& type = group.type;
  std::string label = fmt::format("{}: {}\n{}\n{}", type.name, count_text(platform, group.count),
                                  cores_text(type), gears_text(type));
  for (const auto& [count, name] : type.parts)
    label += fmt::format("\n{}x {}", count, name);
  const std::string id = dot_text(fmt::format("type {}", type.name));
  return fmt::format("  {} [shape=box, label={}];\n  {} -- {} [label={}];\n", id, dot_text(label),
                     id, switch_id(type.site), dot_text(link_text(platform.network.link)));
}

ordered_json link_json(const model::Link& link) {
  return {{"bandwidth_bytes_per_s", link.bandwidth.value()}, {"latency_s", link.latency.value()}};
}

ordered_json optional_link_json(const std::optional<model::Link>& link) {
  return link ? link_json(*link) : ordered_json();
}

ordered_json text_or_null(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json switches_json(const std::optional<model::Switches>& switches) {
  if (!switches)
    return nullptr;
  return {{"count", switches->count},
          {"power_w", switches->power.value()},
          {"component", text_or_null(switches->component)}};
}

ordered_json type_json(const model::Platform::Group& group) {
  const model::NodeType& type = group.type;
  ordered_json gears = ordered_json::array();
  for (model::Gear gear = 0; gear < type.gears.size(); ++gear)
    gears.push_back(
        {{"frequency_ghz", frequency_json(type, gear)},
         {"scale", type.gears.scale(gear)},
         {"power_limit_w", type.power_limits.empty()
                               ? ordered_json()
                               : ordered_json(type.power_limits[gear].value())},
         {"uncore_ghz",
          type.uncore.empty() ? ordered_json() : ordered_json(type.uncore[gear].value() / 1e9)},
         {"computing_w", type.power[gear].computing.value()},
         {"waiting_w", type.power[gear].waiting.value()},
         {"idle_w", type.power[gear].idle.value()}});
  ordered_json parts = ordered_json::array();
  for (const auto& [count, name] : type.parts)
    parts.push_back({{"count", count}, {"component", name}});
  return {{"name", type.name},
          {"count", group.count},
          {"site", text_or_null(type.site)},
          {"cores", type.cores},
          {"active_cores", type.active.empty() ? ordered_json() : ordered_json(type.active)},
          {"memory", optional_link_json(type.memory)},
          {"speed_gf", type.speed.value() / 1e9},
          {"parts", std::move(parts)},
          {"gears", std::move(gears)}};
}

} // namespace

std::string print_platform(const model::Platform& platform) {
  std::string text = wrapped(fmt::format("{}: {}", platform.name, platform.description));
  for (const auto& [type, count] : platform.groups) {
    text += fmt::format("\n{}: {}{}\n", type.name, count_text(platform, count),
                        type.site.empty() ? "" : fmt::format(" in {}", type.site));
    if (!type.parts.empty())
      text += labelled("  parts", parts_text(type), 11);
    text += labelled("  cores", cores_text(type), 11);
    text += labelled("  gears", gears_text(type), 11);
    text += labelled("  fastest", power_text(type.power.front()), 11);
    if (type.gears.size() > 1)
      text += labelled("  slowest", power_text(type.power.back()), 11);
    text += beaten_text(type);
  }
  const model::Network& network = platform.network;
  text += fmt::format("\nnetwork{}\n",
                      network.component.empty() ? "" : fmt::format(": {}", network.component));
  const std::string topology = io::topology_text(network.topology);
  if (topology.empty())
    text +=
        fmt::format("  each node to the switch{}: {}\n",
                    sites_of(platform).size() > 1 ? " of its site" : "", link_text(network.link));
  else
    text += labelled("  topology", topology, 11) + fmt::format("  switches {}\n  links    {}\n",
                                                               switches_of(network.topology),
                                                               link_text(network.link));
  if (const auto& switches = network.switches)
    text += labelled(
        "  power",
        fmt::format("{} switch{} of {:.4g} W{}", switches->count, switches->count == 1 ? "" : "es",
                    switches->power.value(),
                    switches->component.empty() ? "" : fmt::format(": {}", switches->component)),
        11);
  if (network.backbone)
    text += fmt::format("  backbone of the switch: {}\n", link_text(*network.backbone));
  if (network.between_sites)
    text += fmt::format("  between two sites: {}\n", link_text(*network.between_sites));
  return text;
}

std::string platform_dot(const model::Platform& platform) {
  std::string dot =
      fmt::format("graph {} {{\n  label={};\n", dot_text(platform.name), dot_text(platform.name));
  const auto sites = sites_of(platform);
  for (const std::string& site : sites) {
    std::string label = site.empty() ? "switch" : fmt::format("switch in {}", site);
    if (const std::string topology = io::topology_text(platform.network.topology);
        !topology.empty())
      label = fmt::format("{}\n{} switches", topology, switches_of(platform.network.topology));
    if (platform.network.backbone)
      label += fmt::format("\n{}", link_text(*platform.network.backbone));
    dot += fmt::format("  {} [label={}];\n", switch_id(site), dot_text(label));
  }
  for (const auto& group : platform.groups)
    dot += dot_node(platform, group);
  if (platform.network.between_sites)
    for (auto site = sites.begin(); site != sites.end(); ++site)
      for (auto other = std::next(site); other != sites.end(); ++other)
        dot += fmt::format("  {} -- {} [label={}];\n", switch_id(*site), switch_id(*other),
                           dot_text(link_text(*platform.network.between_sites)));
  return dot + "}\n";
}

std::string platform_json(const model::Platform& platform) {
  ordered_json types = ordered_json::array();
  for (const auto& group : platform.groups)
    types.push_back(type_json(group));
  const model::Network& network = platform.network;
  const ordered_json json{{"schema", "hypermile/platform-figures/1"},
                          {"name", platform.name},
                          {"description", platform.description},
                          {"scalable", platform.scalable},
                          {"ep_pair_work_f", platform.ep_pair_work
                                                 ? ordered_json(platform.ep_pair_work->value())
                                                 : ordered_json()},
                          {"types", std::move(types)},
                          {"network",
                           {{"component", text_or_null(network.component)},
                            {"topology", text_or_null(io::topology_text(network.topology))},
                            {"switches", switches_json(network.switches)},
                            {"link", link_json(network.link)},
                            {"backbone", optional_link_json(network.backbone)},
                            {"between_sites", optional_link_json(network.between_sites)}}}};
  return fmt::format("{}\n", json.dump(2));
}

} // namespace hypermile::report
