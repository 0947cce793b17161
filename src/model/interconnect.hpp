#pragma once

#include "units/quantity.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hypermile::model {

/// What messages of more than so many bytes are multiplied with, up to the next entry's bytes.
struct SizeFactor {
  std::uint64_t above = 0;
  double factor = 1;
};

/// `factors`: ascending by size. 1 for a message that is not above the first.
[[nodiscard]] double factor_for(std::span<const SizeFactor> factors, double bytes);

/// A network as its messages see it: which links they share. A message alone takes
///
///     latency * latency factor + bytes / (bandwidth factor * least bandwidth of its route);
///
/// messages at once on a link share it such that none can have more without another, that has no
/// more, having less (max-min fairness). This is how SimGrid sees a network; its parameters have
/// its meaning.
struct Interconnect {
  struct Link {
    std::string name;
    Bandwidth bandwidth;
    bool shared = true; ///< false: each message has the whole bandwidth
  };
  /// From one node to another, or to itself.
  struct Route {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::vector<std::uint32_t> links;
    Seconds latency;
  };

  std::vector<Link> links;
  std::vector<std::uint32_t> node_of_rank;
  std::vector<Route> routes; ///< those that are known, ascending by nodes
  std::vector<SizeFactor> latency_factors;
  std::vector<SizeFactor> bandwidth_factors;
  Bytes envelope; ///< of a message beside what the program sends; part of its size
  /// Acknowledgements: the links of the way back carry this share of a message's rate.
  double way_back = 0;
  /// A message's rate is at most this over twice the latency of its route; 0: no limit.
  Bytes window;
  /// Messages share a link in inverse proportion to their route's latency + sum over its links of
  /// this over the bandwidth. 0 and no latency: in equal parts.
  Bytes weight;

  /// Null where it is not known.
  [[nodiscard]] const Route* route(std::uint32_t from, std::uint32_t to) const;
};

} // namespace hypermile::model
