#pragma once

#include "io/power_cap.hpp"
#include "model/platform.hpp"

#include <span>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// How a cap on the power while all nodes compute is divided among them, for the whole run: each
/// node has a fastest gear, and so the cap holds whatever the others do, also while gears change.
struct PeakShares {
  std::vector<model::Gear> fastest; ///< by node
  Watts power{};    ///< of all nodes while they compute, none of them in a gear faster than that
  bool kept = true; ///< false: not even the slowest gears keep the cap; then these are the fastest
};

/// Nodes get the same work: where they are of different speed, the slowest one gets the power
/// first, and what is left goes to whichever is slowest and can still become faster. A node whose
/// gear cannot be set has only the one.
[[nodiscard]] PeakShares peak_shares(std::span<const model::NodeType> nodes, Watts cap);

/// The node without its gears that are faster than this one, which is gear 0 then.
[[nodiscard]] model::NodeType limited_to(const model::NodeType& type, model::Gear fastest);

/// The node with the one gear that it is in where none is set.
[[nodiscard]] model::NodeType only_gear0(const model::NodeType& type);

/// What the nodes draw at the least, in whatever gears, while they only wait.
[[nodiscard]] Watts least_power(std::span<const model::NodeType> nodes);

/// Why no gears of these nodes keep the caps, as a user reads it: a sentence without its end each;
/// empty: some may.
[[nodiscard]] std::vector<std::string> unkept_caps(std::span<const model::NodeType> nodes,
                                                   const io::PowerCaps& caps);

} // namespace hypermile::runtime
