#include "io/network_json.hpp"

#include "io/json_reader.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <utility>

namespace hypermile::io {
namespace {

using model::Interconnect;
using model::SizeFactor;
using nlohmann::ordered_json;

constexpr std::string_view network_schema = "hypermile/network/1";

ordered_json factors_to_json(const std::vector<SizeFactor>& factors) {
  ordered_json list = ordered_json::array();
  for (const SizeFactor& f : factors)
    list.push_back({{"above_bytes", f.above}, {"factor", f.factor}});
  return list;
}

/// What an optional list has; JsonReader takes none for empty.
std::vector<JsonReader> list(const JsonReader& at, std::string_view key) {
  return at.has(key) ? at.at(key).elements() : std::vector<JsonReader>{};
}

double positive(const JsonReader& at) {
  const double value = at.not_negative();
  if (value <= 0)
    at.fail("it must be more than 0");
  return value;
}

std::uint32_t index_below(const JsonReader& at, std::size_t limit, std::string_view what) {
  const std::size_t index = at.index();
  if (index >= limit)
    at.fail(fmt::format("{} {} does not exist", what, index));
  return static_cast<std::uint32_t>(index);
}

bool yes_or_no(const JsonReader& at) {
  const std::size_t value = at.index();
  if (value > 1)
    at.fail("it must be 0 or 1");
  return value == 1;
}

std::vector<SizeFactor> read_factors(const JsonReader& at, std::string_view key) {
  std::vector<SizeFactor> factors;
  for (const JsonReader& entry : list(at, key)) {
    entry.expect_keys({"above_bytes", "factor"});
    const SizeFactor factor{entry.at("above_bytes").index(), positive(entry.at("factor"))};
    if (!factors.empty() && factor.above <= factors.back().above)
      entry.fail("the entry before it is not for smaller messages");
    factors.push_back(factor);
  }
  return factors;
}

Interconnect::Link read_link(const JsonReader& at) {
  at.expect_keys({"name", "bandwidth_bytes_per_s", "shared"});
  const Bandwidth bandwidth{positive(at.at("bandwidth_bytes_per_s"))};
  const bool shared = yes_or_no(at.at("shared"));
  return {at.at("name").text(), bandwidth, shared};
}

Interconnect::Route read_route(const JsonReader& at, std::size_t links) {
  at.expect_keys({"from", "to", "latency_s", "links"});
  constexpr std::size_t most_nodes = std::numeric_limits<std::uint32_t>::max();
  Interconnect::Route route;
  route.from = index_below(at.at("from"), most_nodes, "node");
  route.to = index_below(at.at("to"), most_nodes, "node");
  route.latency = Seconds{at.at("latency_s").not_negative()};
  for (const JsonReader& link : list(at, "links"))
    route.links.push_back(index_below(link, links, "link"));
  return route;
}

Interconnect read_interconnect(const JsonReader& at) {
  constexpr std::size_t most_nodes = std::numeric_limits<std::uint32_t>::max();
  Interconnect network;
  for (const JsonReader& node : list(at, "node_of_rank"))
    network.node_of_rank.push_back(index_below(node, most_nodes, "node"));
  for (const JsonReader& link : list(at, "links"))
    network.links.push_back(read_link(link));
  for (const JsonReader& entry : list(at, "routes")) {
    Interconnect::Route route = read_route(entry, network.links.size());
    if (!network.routes.empty() &&
        std::pair(network.routes.back().from, network.routes.back().to) >=
            std::pair(route.from, route.to))
      entry.fail("routes must ascend by 'from' and 'to'");
    network.routes.push_back(std::move(route));
  }
  network.latency_factors = read_factors(at, "latency_factors");
  network.bandwidth_factors = read_factors(at, "bandwidth_factors");
  network.envelope = Bytes{at.at("envelope_bytes").not_negative()};
  network.way_back = at.at("way_back").not_negative();
  network.window = Bytes{at.at("window_bytes").not_negative()};
  network.weight = Bytes{at.at("weight_bytes").not_negative()};
  return network;
}

model::dependency::Protocol read_protocol(const JsonReader& at) {
  at.expect_keys({"synchronous_from_bytes", "starts_at_receive", "eager_below_bytes"});
  model::dependency::Protocol protocol;
  protocol.known = true;
  protocol.synchronous_from = at.at("synchronous_from_bytes").index();
  protocol.starts_at_receive = yes_or_no(at.at("starts_at_receive"));
  protocol.eager_below = at.at("eager_below_bytes").index();
  return protocol;
}

} // namespace

std::string print_network(const NetworkDescription& description) {
  const Interconnect& network = description.interconnect;
  const auto& protocol = description.protocol;
  ordered_json json{{"schema", network_schema},
                    {"protocol",
                     {{"synchronous_from_bytes", protocol.synchronous_from},
                      {"starts_at_receive", protocol.starts_at_receive ? 1 : 0},
                      {"eager_below_bytes", protocol.eager_below}}},
                    {"envelope_bytes", network.envelope.value()},
                    {"way_back", network.way_back},
                    {"window_bytes", network.window.value()},
                    {"weight_bytes", network.weight.value()}};
  const auto add = [&](const char* key, ordered_json list) {
    if (!list.empty())
      json[key] = std::move(list);
  };
  add("latency_factors", factors_to_json(network.latency_factors));
  add("bandwidth_factors", factors_to_json(network.bandwidth_factors));
  add("node_of_rank", network.node_of_rank);
  ordered_json links = ordered_json::array();
  for (const Interconnect::Link& link : network.links)
    links.push_back({{"name", link.name},
                     {"bandwidth_bytes_per_s", link.bandwidth.value()},
                     {"shared", link.shared ? 1 : 0}});
  add("links", std::move(links));
  ordered_json routes = ordered_json::array();
  for (const Interconnect::Route& route : network.routes) {
    ordered_json& entry = routes.emplace_back(
        ordered_json{{"from", route.from}, {"to", route.to}, {"latency_s", route.latency.value()}});
    if (!route.links.empty())
      entry["links"] = route.links;
  }
  add("routes", std::move(routes));
  return json.dump(1) + "\n";
}

NetworkDescription parse_network(std::string_view text, const std::string& file) {
  const JsonReader at(parse_json(text, file), file);
  at.expect_keys({"schema", "protocol", "envelope_bytes", "way_back", "window_bytes",
                  "weight_bytes", "latency_factors", "bandwidth_factors", "node_of_rank", "links",
                  "routes"});
  if (at.at("schema").text() != network_schema)
    at.at("schema").fail(fmt::format("it is not '{}'", network_schema));
  Interconnect network = read_interconnect(at);
  return {std::move(network), read_protocol(at.at("protocol"))};
}

} // namespace hypermile::io
