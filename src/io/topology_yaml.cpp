#include "io/topology_yaml.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace hypermile::io {
namespace {

std::vector<std::size_t> read_counts(const YamlReader& at) {
  std::vector<std::size_t> counts;
  at.for_each([&](const YamlReader& entry) { counts.push_back(entry.count()); });
  return counts;
}

model::FatTree read_fat_tree(const YamlReader& at) {
  at.expect_keys({"down", "up", "parallel"});
  model::FatTree tree{.down = read_counts(at.at("down")),
                      .up = read_counts(at.at("up")),
                      .parallel = read_counts(at.at("parallel"))};
  if (tree.up.size() != tree.down.size() || tree.parallel.size() != tree.down.size())
    at.fail("down, up and parallel have different lengths", "one number per level of switches");
  return tree;
}

model::Dragonfly read_dragonfly(const YamlReader& at) {
  at.expect_keys(
      {"groups", "group_links", "chassis", "chassis_links", "routers", "router_links", "nodes"});
  return {.groups = at.at("groups").count(),
          .group_links = at.at("group_links").count(),
          .chassis = at.at("chassis").count(),
          .chassis_links = at.at("chassis_links").count(),
          .routers = at.at("routers").count(),
          .router_links = at.at("router_links").count(),
          .nodes = at.at("nodes").count()};
}

} // namespace

model::Topology read_topology(const YamlReader& at) {
  at.expect_keys({"fat_tree", "torus", "dragonfly"});
  const auto tree = at.find("fat_tree");
  const auto torus = at.find("torus");
  const auto dragonfly = at.find("dragonfly");
  if ((tree ? 1 : 0) + (torus ? 1 : 0) + (dragonfly ? 1 : 0) != 1)
    at.fail("is not one topology", "one of fat_tree, torus, dragonfly; without topology: a star");
  if (tree)
    return read_fat_tree(*tree);
  if (torus)
    return model::Torus{read_counts(*torus)};
  return read_dragonfly(*dragonfly);
}

std::string topology_text(const model::Topology& topology) {
  if (const auto* tree = std::get_if<model::FatTree>(&topology))
    return fmt::format("{{fat_tree: {{down: [{}], up: [{}], parallel: [{}]}}}}",
                       fmt::join(tree->down, ", "), fmt::join(tree->up, ", "),
                       fmt::join(tree->parallel, ", "));
  if (const auto* torus = std::get_if<model::Torus>(&topology))
    return fmt::format("{{torus: [{}]}}", fmt::join(torus->sizes, ", "));
  if (const auto* dragonfly = std::get_if<model::Dragonfly>(&topology))
    return fmt::format(
        "{{dragonfly: {{groups: {}, group_links: {}, chassis: {}, chassis_links: {}, "
        "routers: {}, router_links: {}, nodes: {}}}}}",
        dragonfly->groups, dragonfly->group_links, dragonfly->chassis, dragonfly->chassis_links,
        dragonfly->routers, dragonfly->router_links, dragonfly->nodes);
  return "";
}

} // namespace hypermile::io
