#include "model/topology.hpp"

#include "units/error.hpp"

#include <algorithm>

namespace hypermile::model {
namespace {

std::size_t product(const std::vector<std::size_t>& factors) {
  constexpr std::size_t most = 10'000'000;
  std::size_t all = 1;
  for (const std::size_t factor : factors) {
    if (factor > most / all)
      throw Error(ErrorKind::model, "the topology has more than 10000000 nodes or switches");
    all *= factor;
  }
  return all;
}

/// Each level has a switch for every way to choose one of the parents at this level and below, and
/// one of the children above.
std::size_t fat_tree_switches(const FatTree& tree) {
  std::size_t switches = 0;
  for (std::size_t level = 0; level < tree.down.size(); ++level) {
    std::vector<std::size_t> choices(tree.up.begin(),
                                     tree.up.begin() + static_cast<std::ptrdiff_t>(level) + 1);
    choices.insert(choices.end(), tree.down.begin() + static_cast<std::ptrdiff_t>(level) + 1,
                   tree.down.end());
    switches += product(choices);
  }
  return switches;
}

} // namespace

std::size_t places_of(const Topology& topology) {
  if (const auto* tree = std::get_if<FatTree>(&topology))
    return product(tree->down);
  if (const auto* torus = std::get_if<Torus>(&topology))
    return product(torus->sizes);
  if (const auto* dragonfly = std::get_if<Dragonfly>(&topology))
    return product({dragonfly->groups, dragonfly->chassis, dragonfly->routers, dragonfly->nodes});
  return 0;
}

std::size_t switches_of(const Topology& topology) {
  if (const auto* tree = std::get_if<FatTree>(&topology))
    return fat_tree_switches(*tree);
  if (const auto* dragonfly = std::get_if<Dragonfly>(&topology))
    return product({dragonfly->groups, dragonfly->chassis, dragonfly->routers});
  return std::holds_alternative<Torus>(topology) ? 0 : 1;
}

std::size_t ports_of(const Topology& topology) {
  std::size_t ports = 0;
  if (const auto* tree = std::get_if<FatTree>(&topology))
    for (std::size_t level = 0; level < tree->down.size(); ++level) {
      const bool top = level + 1 == tree->down.size();
      ports = std::max(ports, tree->down[level] * tree->parallel[level] +
                                  (top ? 0 : tree->up[level + 1] * tree->parallel[level + 1]));
    }
  if (const auto* dragonfly = std::get_if<Dragonfly>(&topology))
    ports = dragonfly->nodes + (dragonfly->routers - 1) * dragonfly->router_links +
            (dragonfly->chassis - 1) * dragonfly->chassis_links;
  return ports;
}

} // namespace hypermile::model
