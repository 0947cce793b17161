#include "backend/simgrid/network.hpp"

#include "units/error.hpp"

#include <xbt/config.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace hypermile::backend::simgrid {
namespace {

using model::Interconnect;
using ::simgrid::s4u::Host;
using ::simgrid::s4u::Link;

/// SMPI sends so much with each message to say who it is from and for.
constexpr Bytes envelope{16};
/// SimGrid's network/crosstraffic.
constexpr double acknowledgements = 0.05;
/// 16,384 routes take 2 MB in a file.
constexpr std::size_t most_hosts_with_all_routes = 128;

template <class Value> Value configured(const char* key) {
  return ::simgrid::config::get_value<Value>(key);
}

/// "65472:0.94;15424:0.7;0:0.81"; an entry may have more factors, which SMPI's network ignores.
std::vector<model::SizeFactor> configured_factors(const char* key) {
  std::vector<model::SizeFactor> factors;
  std::istringstream list(configured<std::string>(key));
  for (std::string entry; std::getline(list, entry, ';');) {
    const auto colon = entry.find(':');
    if (colon != std::string::npos)
      factors.push_back({std::stoul(entry), std::stod(entry.substr(colon + 1))});
  }
  std::ranges::sort(factors, {}, &model::SizeFactor::above);
  return factors;
}

class Describer {
public:
  explicit Describer(std::span<Host* const> hosts) {
    std::map<const Host*, std::uint32_t> numbers;
    for (const Host* host : hosts) {
      const auto [found, is_new] =
          numbers.try_emplace(host, static_cast<std::uint32_t>(nodes_.size()));
      if (is_new)
        nodes_.push_back(host);
      network_.node_of_rank.push_back(found->second);
    }
    network_.latency_factors = configured_factors("smpi/lat-factor");
    network_.bandwidth_factors = configured_factors("smpi/bw-factor");
    network_.envelope = envelope;
    network_.way_back = configured<bool>("network/crosstraffic") ? acknowledgements : 0;
    network_.window = Bytes{configured<double>("network/TCP-gamma")};
    network_.weight = Bytes{configured<double>("network/weight-S")};
  }

  Interconnect describe(std::span<const RankPair> senders) {
    Pairs pairs;
    for (const auto& [from, to] : senders) {
      const std::pair nodes(network_.node_of_rank.at(from), network_.node_of_rank.at(to));
      pairs.insert(nodes);
      pairs.insert({nodes.second, nodes.first});
    }
    for (const auto& [from, to] : pairs)
      add_route(from, to);
    add_other_routes(pairs);
    std::ranges::sort(network_.routes, {}, [](const Interconnect::Route& route) {
      return std::pair(route.from, route.to);
    });
    return std::move(network_);
  }

private:
  using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

  void add_other_routes(const Pairs& known) {
    if (nodes_.size() > most_hosts_with_all_routes)
      return;
    for (std::uint32_t from = 0; from < nodes_.size(); ++from)
      for (std::uint32_t to = 0; to < nodes_.size(); ++to)
        if ((from != to || nodes_.size() < network_.node_of_rank.size()) &&
            !known.contains({from, to}) && can_describe(from, to))
          add_route(from, to);
  }

  [[nodiscard]] bool can_describe(std::uint32_t from, std::uint32_t to) const {
    std::vector<Link*> links;
    double latency = 0;
    nodes_[from]->route_to(nodes_[to], links, &latency);
    return std::ranges::all_of(links, [](const Link* link) { return is_known(*link); });
  }

  static bool is_known(const Link& link) {
    const auto policy = link.get_sharing_policy();
    return policy == Link::SharingPolicy::SHARED || policy == Link::SharingPolicy::FATPIPE;
  }

  void add_route(std::uint32_t from, std::uint32_t to) {
    Interconnect::Route route;
    route.from = from;
    route.to = to;
    std::vector<Link*> links;
    double latency = 0;
    nodes_[from]->route_to(nodes_[to], links, &latency);
    route.latency = Seconds{latency};
    for (const Link* link : links)
      route.links.push_back(number(*link));
    network_.routes.push_back(std::move(route));
  }

  std::uint32_t number(const Link& link) {
    const auto [found, is_new] =
        links_.try_emplace(&link, static_cast<std::uint32_t>(network_.links.size()));
    if (!is_new)
      return found->second;
    if (!is_known(link))
      throw Error(ErrorKind::unsupported,
                  fmt::format("link '{}' is neither SHARED nor FATPIPE", link.get_cname()));
    const bool shared = link.get_sharing_policy() == Link::SharingPolicy::SHARED;
    network_.links.push_back({link.get_name(), Bandwidth{link.get_bandwidth()}, shared});
    return found->second;
  }

  std::vector<const Host*> nodes_;
  std::map<const Link*, std::uint32_t> links_;
  Interconnect network_;
};

} // namespace

Interconnect describe_network(std::span<Host* const> hosts, std::span<const RankPair> senders) {
  return Describer(hosts).describe(senders);
}

model::dependency::Protocol describe_protocol() {
  const auto bytes = [](const char* key) {
    return static_cast<std::uint64_t>(std::max(0, configured<int>(key)));
  };
  model::dependency::Protocol protocol;
  protocol.known = true;
  protocol.starts_at_receive = true;
  protocol.eager_below = bytes("smpi/async-small-thresh");
  protocol.synchronous_from = bytes("smpi/send-is-detached-thresh");
  return protocol;
}

} // namespace hypermile::backend::simgrid
