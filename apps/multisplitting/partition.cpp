#include "multisplitting/partition.hpp"

#include <algorithm>

namespace apps::multisplitting {

Partition::Partition(std::uint32_t side, int ranks, int clusters)
    : side_(side), ranks_(static_cast<std::uint32_t>(ranks)),
      clusters_(static_cast<std::uint32_t>(clusters)) {}

std::uint32_t Partition::cluster_of(int rank) const {
  std::uint32_t cluster = 0;
  while (!ranks_of(cluster).contains(static_cast<std::uint32_t>(rank)))
    ++cluster;
  return cluster;
}

Range Partition::ranks_of(std::uint32_t cluster) const {
  return part_of({0, ranks_}, clusters_, cluster);
}

Range Partition::planes_of(std::uint32_t cluster) const {
  return part_of({0, side_}, clusters_, cluster);
}

Range Partition::rows_of(int rank) const {
  const Range ranks = ranks_of(cluster_of(rank));
  return part_of({0, side_}, ranks.size(), static_cast<std::uint32_t>(rank) - ranks.begin);
}

void Partition::add_links(int rank, std::uint32_t to, bool is_above,
                          std::vector<Link>& links) const {
  const Range ours = rows_of(rank);
  const Range ranks = ranks_of(to);
  for (std::uint32_t peer = ranks.begin; peer < ranks.end; ++peer) {
    const Range theirs = rows_of(static_cast<int>(peer));
    const Range common{std::max(ours.begin, theirs.begin), std::min(ours.end, theirs.end)};
    if (common.begin < common.end)
      links.push_back({static_cast<int>(peer), is_above, common});
  }
}

std::vector<Link> Partition::links_of(int rank) const {
  std::vector<Link> links;
  const std::uint32_t cluster = cluster_of(rank);
  if (cluster > 0)
    add_links(rank, cluster - 1, false, links);
  if (cluster + 1 < clusters_)
    add_links(rank, cluster + 1, true, links);
  return links;
}

} // namespace apps::multisplitting
