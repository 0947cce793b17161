#include "simulate/platform_xml.hpp"

#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace hypermile::simulate {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
    case '&':
      safe += "&amp;";
      break;
    case '<':
      safe += "&lt;";
      break;
    case '"':
      safe += "&quot;";
      break;
    default:
      safe += c;
    }
  }
  return safe;
}

template <class Value> std::string per_gear(const model::NodeType& type, const Value& value) {
  std::vector<std::string> values;
  for (model::Gear g = 0; g < type.gears.size(); ++g)
    values.push_back(value(g));
  return fmt::format("{}", fmt::join(values, ","));
}

/// The speed of a core in each gear. All digits: a speed that was rounded would not stretch
/// computation by exactly S.
std::string speeds(const model::NodeType& type) {
  return per_gear(type, [&](model::Gear g) {
    return fmt::format("{:.17g}f", (type.speed / type.gears.scale(g)).value());
  });
}

void write_properties(Out out, const model::NodeType& type,
                      const std::vector<model::GearPower>& powers) {
  const auto power = per_gear(type, [&](model::Gear g) {
    const auto& p = powers[g];
    return fmt::format("{0:.17g}:{0:.17g}:{1:.17g}", p.waiting.value(), p.computing.value());
  });
  const auto frequencies = per_gear(type, [&](model::Gear g) {
    return fmt::format("{:.6g}", type.gears.frequency(g).value() / 1e9);
  });
  fmt::format_to(out, "      <prop id=\"wattage_per_state\" value=\"{}\"/>\n", power);
  if (type.frequencies_known)
    fmt::format_to(out, "      <prop id=\"frequencies_ghz\" value=\"{}\"/>\n", frequencies);
  if (!type.power_limits.empty())
    fmt::format_to(out, "      <prop id=\"power_limits_w\" value=\"{}\"/>\n",
                   per_gear(type, [&](model::Gear g) {
                     return fmt::format("{:.6g}", type.power_limits[g].value());
                   }));
  if (!type.uncore.empty())
    fmt::format_to(out, "      <prop id=\"uncore_ghz\" value=\"{}\"/>\n",
                   per_gear(type, [&](model::Gear g) {
                     return fmt::format("{:.6g}", type.uncore[g].value() / 1e9);
                   }));
  fmt::format_to(out, "      <prop id=\"node_type\" value=\"{}\"/>\n", escaped(type.name));
  if (type.sensitivity != 1)
    fmt::format_to(out, "      <prop id=\"sensitivity\" value=\"{}\"/>\n", type.sensitivity);
  if (!type.site.empty())
    fmt::format_to(out, "      <prop id=\"site\" value=\"{}\"/>\n", escaped(type.site));
}

void write_host(Out out, const model::NodeType& type, const std::vector<model::GearPower>& powers,
                const std::string& name) {
  fmt::format_to(out, "    <host id=\"{}\" speed=\"{}\" core=\"{}\">\n", name, speeds(type),
                 type.cores);
  write_properties(out, type, powers);
  fmt::format_to(out, "    </host>\n");
}

void write_link(Out out, const std::string& tag, const std::string& id, const model::Link& link,
                const char* more) {
  fmt::format_to(out, "    <{} id=\"{}\" bandwidth=\"{:.17g}Bps\" latency=\"{:.17g}s\"{}/>\n", tag,
                 id, link.bandwidth.value(), link.latency.value(), more);
}

/// A Cluster zone of SimGrid: each node at the one switch.
void write_switch(Out out, const std::vector<std::string>& names, const model::Network& network) {
  for (const auto& name : names)
    fmt::format_to(out, "    <host_link id=\"{0}\" up=\"link-{0}_UP\" down=\"link-{0}_DOWN\"/>\n",
                   name);
  if (network.backbone)
    write_link(out, "backbone", "backbone", *network.backbone, "");
}

/// The link between two sites, written "between-nancy-lyon" whichever comes first.
std::string long_link(const std::string& site, const std::string& other) {
  return fmt::format("between-{}-{}", std::min(site, other), std::max(site, other));
}

void write_long_links(Out out, const model::NodeList& nodes, const model::Link& link) {
  std::set<std::string> sites;
  for (const auto* type : nodes)
    sites.insert(escaped(type->site));
  for (auto site = sites.begin(); site != sites.end(); ++site)
    for (auto other = std::next(site); other != sites.end(); ++other)
      write_link(out, "link", long_link(*site, *other), link, " sharing_policy=\"SPLITDUPLEX\"");
}

/// A Full zone of SimGrid: a route for each pair of nodes. (Zones in a zone would need gateways,
/// which a Cluster zone of SimGrid 3.32 cannot have beside single hosts.)
void write_routes(Out out, const std::vector<std::string>& names, const model::NodeList& nodes) {
  for (std::size_t a = 0; a < names.size(); ++a)
    for (std::size_t b = 0; b < names.size(); ++b) {
      const std::string from = escaped(nodes[a]->site);
      const std::string to = escaped(nodes[b]->site);
      fmt::format_to(out, "    <route src=\"{0}\" dst=\"{1}\" symmetrical=\"NO\">", names[a],
                     names[b]);
      if (a == b && nodes[a]->memory) {
        fmt::format_to(out, "<link_ctn id=\"memory-{}\"/></route>\n", names[a]);
        continue;
      }
      fmt::format_to(out, "<link_ctn id=\"link-{}\" direction=\"UP\"/>", names[a]);
      if (from != to)
        fmt::format_to(out, "<link_ctn id=\"{}\" direction=\"{}\"/>", long_link(from, to),
                       from < to ? "UP" : "DOWN");
      fmt::format_to(out, "<link_ctn id=\"link-{}\" direction=\"DOWN\"/></route>\n", names[b]);
    }
}

/// The attributes `topology` and `topo_parameters` of a cluster of SimGrid.
struct ClusterShape {
  const char* topology;
  std::string parameters;
};

ClusterShape shape_of(const model::Topology& topology) {
  if (const auto* tree = std::get_if<model::FatTree>(&topology))
    return {"FAT_TREE", fmt::format("{};{};{};{}", tree->down.size(), fmt::join(tree->down, ","),
                                    fmt::join(tree->up, ","), fmt::join(tree->parallel, ","))};
  if (const auto* torus = std::get_if<model::Torus>(&topology))
    return {"TORUS", fmt::format("{}", fmt::join(torus->sizes, ","))};
  const auto& [groups, group_links, chassis, chassis_links, routers, router_links, nodes] =
      std::get<model::Dragonfly>(topology);
  return {"DRAGONFLY", fmt::format("{},{};{},{};{},{};{}", groups, group_links, chassis,
                                   chassis_links, routers, router_links, nodes)};
}

/// A torus of SimGrid has no way from a node to itself. In the others it leads over the node's link
/// and back; here there is a link that takes as long.
std::string loopback(const model::Network& network) {
  if (!std::holds_alternative<model::Torus>(network.topology))
    return "";
  return fmt::format(" loopback_bw=\"{:.17g}Bps\" loopback_lat=\"{:.17g}s\"",
                     network.link.bandwidth.value(), 2 * network.link.latency.value());
}

/// SimGrid lays out all nodes itself, also those without ranks, and gives all the same properties.
void write_cluster(Out out, const model::Platform& platform,
                   const std::vector<model::GearPower>& power) {
  const auto& [type, count] = platform.groups.front();
  const model::Network& network = platform.network;
  const auto& [topology, parameters] = shape_of(network.topology);
  fmt::format_to(out,
                 "  <cluster id=\"cluster\" prefix=\"{}-\" radical=\"0-{}\" suffix=\"\" "
                 "speed=\"{}\" core=\"{}\" bw=\"{:.17g}Bps\" lat=\"{:.17g}s\"{} "
                 "sharing_policy=\"SPLITDUPLEX\" topology=\"{}\" topo_parameters=\"{}\">\n",
                 escaped(type.name), count - 1, speeds(type), type.cores,
                 network.link.bandwidth.value(), network.link.latency.value(), loopback(network),
                 topology, parameters);
  write_properties(out, type, power);
  fmt::format_to(out, "  </cluster>\n");
}

/// A zone with the nodes that have ranks, and the one switch of each site. A Cluster zone has no
/// way inside a node.
void write_star(Out out, const model::NodeList& nodes, const std::vector<std::string>& names,
                const std::vector<std::vector<model::GearPower>>& power,
                const model::Network& network) {
  const bool routed = network.between_sites || std::ranges::any_of(nodes, [](const auto* type) {
                        return type->memory.has_value();
                      });
  fmt::format_to(out, "  <zone id=\"cluster\" routing=\"{}\">\n", routed ? "Full" : "Cluster");
  for (std::size_t i = 0; i < nodes.size(); ++i)
    write_host(out, *nodes[i], power[i], names[i]);
  for (const auto& name : names)
    write_link(out, "link", "link-" + name, network.link, " sharing_policy=\"SPLITDUPLEX\"");
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i]->memory)
      write_link(out, "link", "memory-" + names[i], *nodes[i]->memory,
                 " sharing_policy=\"FATPIPE\"");
  if (network.between_sites)
    write_long_links(out, nodes, *network.between_sites);
  if (routed) {
    write_routes(out, names, nodes);
  } else {
    write_switch(out, names, network);
  }
  fmt::format_to(out, "  </zone>\n");
}

} // namespace

SimGridPlatform to_simgrid(const model::Platform& platform, std::size_t ranks, Waiting waiting,
                           const model::Layout& layout) {
  SimGridPlatform result;
  const auto [nodes, node_of_rank, ranks_of_node] = model::place(platform, ranks, layout);
  result.idle_nodes = model::idle_nodes(platform, nodes);
  auto names = model::names_of(nodes);
  std::vector<std::vector<model::GearPower>> power;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const model::NodeType& type = *nodes[i];
    result.nodes.push_back({names[i], type.name, type.gears.size(), type.site});
    power.push_back(waiting == Waiting::spinning ? model::spinning(type, ranks_of_node[i])
                                                 : type.power);
  }
  for (const std::uint32_t node : node_of_rank)
    result.host_of_rank.push_back(names[node]);
  for (std::string& name : names)
    name = escaped(name);
  Out out{result.xml};
  result.xml = "<?xml version=\"1.0\"?>\n"
               "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
               "<platform version=\"4.1\">\n";
  if (std::holds_alternative<model::Star>(platform.network.topology)) {
    write_star(out, nodes, names, power, platform.network);
  } else {
    if (power.front() != power.back())
      throw Error(ErrorKind::config,
                  "--waiting spinning: nodes with different numbers of ranks draw different power, "
                  "which SimGrid cannot tell apart in this topology",
                  fmt::format("-n with a multiple of {}", nodes.front()->cores));
    write_cluster(out, platform, power.front());
  }
  result.xml += "</platform>\n";
  return result;
}

} // namespace hypermile::simulate
