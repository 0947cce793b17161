#pragma once

#include "common/range.hpp"

#include <cstdint>
#include <vector>

namespace apps::multisplitting {

/// Rows whose values behind a side of a block are those of one rank of another cluster.
struct Link {
  int peer;      ///< rank of all
  bool is_above; ///< the peer's points are above ours, else below
  Range rows;    ///< of the whole cube
};

/// The cube in slabs along z, one for each cluster, and each slab along y, one part for each rank
/// of the cluster. Ranks of a cluster follow each other; clusters differ by one rank at most, and
/// parts by one point.
class Partition {
public:
  /// Needs clusters <= ranks, clusters <= side, and no cluster of more ranks than side.
  Partition(std::uint32_t side, int ranks, int clusters);

  [[nodiscard]] std::uint32_t clusters() const { return clusters_; }
  [[nodiscard]] std::uint32_t cluster_of(int rank) const;
  /// Its ranks; the first is its leader.
  [[nodiscard]] Range ranks_of(std::uint32_t cluster) const;
  [[nodiscard]] Range planes_of(std::uint32_t cluster) const;
  [[nodiscard]] Range rows_of(int rank) const;
  /// Of `rank`, those below first, by peer.
  [[nodiscard]] std::vector<Link> links_of(int rank) const;

private:
  void add_links(int rank, std::uint32_t to, bool is_above, std::vector<Link>& links) const;

  std::uint32_t side_;
  std::uint32_t ranks_;
  std::uint32_t clusters_;
};

} // namespace apps::multisplitting
