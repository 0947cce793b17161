#pragma once

#include <cstddef>
#include <variant>
#include <vector>

namespace hypermile::model {

/// All nodes of a site at one switch.
struct Star {
  bool operator==(const Star&) const = default;
};

/// Levels of switches. The lists have an entry per level, from the nodes upwards.
struct FatTree {
  std::vector<std::size_t> down;     ///< children of each switch of the level
  std::vector<std::size_t> up;       ///< parents of each node or switch below the level
  std::vector<std::size_t> parallel; ///< links between such a child and such a parent
  bool operator==(const FatTree&) const = default;
};

/// Nodes in a grid whose ends are joined; they pass messages on themselves.
struct Torus {
  std::vector<std::size_t> sizes; ///< nodes in each dimension
  bool operator==(const Torus&) const = default;
};

/// Groups of chassis of routers, each level fully connected, and nodes at each router.
struct Dragonfly {
  std::size_t groups;
  std::size_t group_links; ///< parallel links between two groups
  std::size_t chassis;     ///< of each group
  std::size_t chassis_links;
  std::size_t routers; ///< of each chassis
  std::size_t router_links;
  std::size_t nodes; ///< at each router
  bool operator==(const Dragonfly&) const = default;
};

using Topology = std::variant<Star, FatTree, Torus, Dragonfly>;

/// How many nodes it connects; 0: as many as there are (a star). Throws Error{model} if that is
/// more than 10^7.
std::size_t places_of(const Topology& topology);

/// How many switches it has; 0 for a torus, 1 for a star. Throws likewise.
std::size_t switches_of(const Topology& topology);

/// How many ports each of its switches needs at least; 0: the topology does not say (star, torus).
std::size_t ports_of(const Topology& topology);

} // namespace hypermile::model
