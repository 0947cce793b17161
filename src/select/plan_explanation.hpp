#pragma once

#include "select/neighbours.hpp"

#include <vector>

namespace hypermile::select {

/// Why a problem's model gives some gears the time that it gives them.
struct PlanExplanation {
  struct Node {
    std::size_t unit;
    std::size_t group;
    model::Gear gear;
    Seconds computation; ///< in that gear
    Seconds slack;       ///< how much longer it may compute before its group takes longer
  };
  /// Nodes that wait for their slowest.
  struct Group {
    std::size_t cluster; ///< of its nodes, where the model knows clusters
    std::size_t slowest; ///< the first node without slack
    Seconds computation; ///< of the slowest
    Seconds communication;
    [[nodiscard]] Seconds time() const { return computation + communication; }
  };
  std::vector<Node> nodes;
  std::vector<Group> groups; ///< the time is the mean of theirs
  Neighbourhood neighbourhood;
};

/// `gears`: one per unit, each less than its gear_count(). The objective and the bounds of the
/// request decide what is better. Throws Error{config} for a bound or weight out of its range.
[[nodiscard]] PlanExplanation explain(const model::Problem& problem,
                                      std::span<const model::Gear> gears, const Request& request);

} // namespace hypermile::select
