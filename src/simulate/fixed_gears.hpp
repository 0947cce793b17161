#pragma once

#include "io/gears_text.hpp"
#include "units/error.hpp"

#include <string>
#include <vector>

namespace hypermile::simulate {

/// Gears that somebody else chose for all nodes: one run.
struct FixedGears {
  io::GearChoice gears;
  std::string origin; ///< for messages, e.g. "--gears 0,3,5" or "study.txt:7"
};

/// A node that has ranks.
struct PlacedNode {
  std::string name;
  std::string type;
  std::size_t gears;  ///< how many it has
  std::string site{}; ///< as model::NodeType's
};

/// Gears that the nodes do not have.
class GearsDoNotFit : public Error {
public:
  GearsDoNotFit(const std::string& what, const std::string& advice)
      : Error(ErrorKind::config, what, advice) {}
};

/// The gear of each node. Throws GearsDoNotFit for a node that has no such gear, a number of gears
/// that is not that of the nodes, and a type that no node has.
std::vector<model::Gear> gears_of_nodes(const FixedGears& fixed,
                                        const std::vector<PlacedNode>& nodes);

} // namespace hypermile::simulate
