#include "model/layout.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace hypermile::model {
namespace {

NodeList all_nodes(const Platform& platform) {
  NodeList nodes;
  for (const auto& [type, count] : platform.groups)
    nodes.insert(nodes.end(), count, &type);
  return nodes;
}

/// How many of its cores a layout uses.
std::size_t cores_of(const NodeType& type, const Layout& layout) {
  return layout.most_per_node == 0 ? type.cores : std::min(type.cores, layout.most_per_node);
}

/// As many nodes as needed, in the proportion of the counts; by node, one for each rank.
NodeList scaled_nodes(const Platform& platform, std::size_t ranks, const Layout& layout) {
  Platform narrow = platform;
  for (Platform::Group& group : narrow.groups)
    group.type.cores = layout.by == Layout::By::node ? 1 : cores_of(group.type, layout);
  NodeList nodes;
  for (const NodeType* type : place(narrow, ranks)) {
    const auto same = std::ranges::find(narrow.groups, type, [](const auto& g) { return &g.type; });
    nodes.push_back(&platform.groups[static_cast<std::size_t>(same - narrow.groups.begin())].type);
  }
  return nodes;
}

/// How many ranks share a core at the most.
std::size_t ranks_per_core(const Platform& platform, const NodeList& nodes, std::size_t ranks,
                           const Layout& layout) {
  const std::size_t cores = std::accumulate(
      nodes.begin(), nodes.end(), std::size_t{0},
      [&](std::size_t sum, const NodeType* type) { return sum + cores_of(*type, layout); });
  if (ranks <= cores)
    return 1;
  if (!layout.oversubscribe)
    throw Error(ErrorKind::config,
                fmt::format("{} ranks do not fit on platform '{}', which has {} cores{}", ranks,
                            platform.name, cores,
                            layout.most_per_node == 0
                                ? ""
                                : fmt::format(" with at most {} of a node", layout.most_per_node)),
                "fewer ranks (-n) or a larger platform");
  return (ranks + cores - 1) / cores;
}

/// Goes round the nodes, with one rank on each or all that it has room for.
PlacedRanks fill(const NodeList& nodes, std::size_t ranks, std::size_t per_core,
                 const Layout& layout) {
  PlacedRanks placed{.nodes = nodes,
                     .node_of_rank = {},
                     .ranks_of_node = std::vector<std::size_t>(nodes.size(), 0)};
  while (placed.node_of_rank.size() < ranks)
    for (std::uint32_t n = 0; n < nodes.size() && placed.node_of_rank.size() < ranks; ++n) {
      const std::size_t room = cores_of(*nodes[n], layout) * per_core - placed.ranks_of_node[n];
      const std::size_t most =
          layout.by == Layout::By::node ? std::min<std::size_t>(room, 1) : room;
      const std::size_t more = std::min(most, ranks - placed.node_of_rank.size());
      placed.node_of_rank.insert(placed.node_of_rank.end(), more, n);
      placed.ranks_of_node[n] += more;
    }
  const auto used = static_cast<std::size_t>(
      std::ranges::find(placed.ranks_of_node, std::size_t{0}) - placed.ranks_of_node.begin());
  placed.nodes.resize(used);
  placed.ranks_of_node.resize(used);
  return placed;
}

} // namespace

PlacedRanks place(const Platform& platform, std::size_t ranks, const Layout& layout) {
  if (platform.scalable)
    return fill(scaled_nodes(platform, ranks, layout), ranks, 1, layout);
  const NodeList nodes = all_nodes(platform);
  return fill(nodes, ranks, ranks_per_core(platform, nodes, ranks, layout), layout);
}

IdleNodes idle_nodes(const Platform& platform, const NodeList& used) {
  IdleNodes idle;
  if (platform.scalable)
    return idle;
  for (const auto& [type, count] : platform.groups) {
    const std::size_t rest = count - static_cast<std::size_t>(std::ranges::count(used, &type));
    idle.count += rest;
    idle.power += type.power.front().idle * static_cast<double>(rest);
  }
  return idle;
}

} // namespace hypermile::model
