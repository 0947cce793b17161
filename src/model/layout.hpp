#pragma once

#include "model/platform.hpp"

#include <cstdint>
#include <vector>

namespace hypermile::model {

/// Which node each rank of a job is on.
struct Layout {
  enum class By {
    core, ///< a rank on each core of a node, then the next node
    node  ///< a rank on each node, then another one on each
  };
  By by = By::core;
  /// A platform of fixed size may have fewer cores than there are ranks, which then share them.
  bool oversubscribe = false;
  /// A node has at most so many ranks, even if it has more cores. 0: one per core.
  std::size_t most_per_node = 0;

  bool operator==(const Layout&) const = default;
};

struct PlacedRanks {
  NodeList nodes;                          ///< those with ranks, in the platform's order
  std::vector<std::uint32_t> node_of_rank; ///< by rank: an index into `nodes`
  std::vector<std::size_t> ranks_of_node;  ///< how many there are on each
};

/// A scalable platform is as large as needed: by node it has a node for each rank, otherwise a
/// core. Throws Error{config} if a platform of fixed size has fewer cores than there are ranks,
/// which may not share them.
[[nodiscard]] PlacedRanks place(const Platform& platform, std::size_t ranks, const Layout& layout);

/// The nodes of a platform of fixed size that no rank is on, and what they draw, idle in gear 0.
struct IdleNodes {
  std::size_t count = 0;
  Watts power;
};
[[nodiscard]] IdleNodes idle_nodes(const Platform& platform, const NodeList& used);

} // namespace hypermile::model
