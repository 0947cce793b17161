#include "simulate/fixed_gears.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace hypermile::simulate {
namespace {

/// Gives each node its gear, whichever way it was chosen.
class Distribution {
public:
  Distribution(const std::string& origin, const std::vector<PlacedNode>& nodes)
      : origin_(origin), nodes_(nodes) {}

  std::vector<model::Gear> operator()(model::Gear gear) const {
    return std::vector<model::Gear>(nodes_.size(), gear);
  }

  std::vector<model::Gear> operator()(const std::vector<model::Gear>& gears) const {
    if (gears.size() != nodes_.size())
      fail(fmt::format("there are {} gears for {} nodes", gears.size(), nodes_.size()),
           "one gear per node with ranks, in their order, or one for all");
    return gears;
  }

  std::vector<model::Gear> operator()(const io::GearsOfTypes& gears) const {
    std::set<std::string> types;
    std::vector<model::Gear> of_nodes;
    for (const PlacedNode& node : nodes_) {
      types.insert(node.type);
      const auto gear = gears.find(node.type);
      of_nodes.push_back(gear == gears.end() ? 0 : gear->second);
    }
    for (const auto& [type, gear] : gears)
      if (!types.contains(type))
        fail(fmt::format("no node with ranks is of type '{}'", type),
             fmt::format("{}", fmt::join(types, ", ")));
    return of_nodes;
  }

  [[noreturn]] void fail(const std::string& what, const std::string& advice) const {
    throw GearsDoNotFit(fmt::format("{}: {}", origin_, what), advice);
  }

private:
  const std::string& origin_;
  const std::vector<PlacedNode>& nodes_;
};

} // namespace

std::vector<model::Gear> gears_of_nodes(const FixedGears& fixed,
                                        const std::vector<PlacedNode>& nodes) {
  const Distribution distribution(fixed.origin, nodes);
  auto gears = std::visit(distribution, fixed.gears);
  for (std::size_t n = 0; n < nodes.size(); ++n)
    if (gears[n] >= nodes[n].gears)
      distribution.fail(fmt::format("node {} has {} gears, none of them is gear {}", nodes[n].name,
                                    nodes[n].gears, gears[n]),
                        fmt::format("0 (the fastest) to {}", nodes[n].gears - 1));
  return gears;
}

} // namespace hypermile::simulate
