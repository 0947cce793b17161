#include "simulate/alone.hpp"

#include <algorithm>
#include <array>

namespace hypermile::simulate {
namespace {

/// From so many bytes on, latency and bandwidth are so many times those of the links: the defaults
/// of SimGrid 3.32 (its items smpi/lat-factor and smpi/bw-factor).
struct Factors {
  std::uint64_t from;
  double latency;
  double bandwidth;
};
constexpr std::array<Factors, 9> factors{{{65472, 11.6436, 0.940694},
                                          {15424, 3.48845, 0.697866},
                                          {9376, 2.59299, 0.58729},
                                          {5776, 2.18796, 1.08739},
                                          {3484, 1.88101, 0.77493},
                                          {1426, 1.61075, 0.608902},
                                          {732, 1.9503, 0.341987},
                                          {257, 1.95341, 0.338112},
                                          {0, 2.01467, 0.812084}}};

/// TCP keeps so many bytes on the way at most, twice over the latency (network/TCP-gamma).
constexpr double tcp_gamma = 4194304;

} // namespace

Seconds transfer_alone(const model::Network& network, bool same_site, std::uint64_t bytes) {
  Seconds latency = 2 * network.link.latency;
  Bandwidth bandwidth = network.link.bandwidth;
  const auto pass = [&](const model::Link& link) {
    latency += link.latency;
    bandwidth = std::min(bandwidth, link.bandwidth);
  };
  if (network.backbone)
    pass(*network.backbone);
  if (!same_site && network.between_sites)
    pass(*network.between_sites);
  const auto& factor =
      *std::ranges::find_if(factors, [&](const Factors& f) { return bytes >= f.from; });
  const Seconds first = latency * factor.latency;
  double rate = bandwidth.value() * factor.bandwidth;
  if (first > Seconds{})
    rate = std::min(rate, tcp_gamma / (2 * first.value()));
  return first + Seconds{static_cast<double>(bytes) / rate};
}

} // namespace hypermile::simulate
