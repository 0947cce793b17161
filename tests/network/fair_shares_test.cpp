#include "network/fair_shares.hpp"

#include <gtest/gtest.h>

namespace hypermile::network {
namespace {

constexpr double tolerance = 1e-6;

/// Routes from node 0 to node 1, 2, ...: each over the links named, of 1000 B/s.
struct Network {
  std::uint32_t path(std::vector<std::uint32_t> links, Seconds latency = Seconds{0}) {
    interconnect.routes.push_back({.from = 0,
                                   .to = static_cast<std::uint32_t>(interconnect.routes.size()),
                                   .links = std::move(links),
                                   .latency = latency});
    return interconnect.routes.back().to;
  }
  /// The rates of messages on all of these routes at once.
  std::vector<double> rates() {
    table = RouteTable(interconnect);
    for (const auto& route : interconnect.routes)
      (void)table.add(interconnect, 0, route.to);
    shares.reset(table);
    for (const auto& route : interconnect.routes)
      shares.add(route.to, route.to);
    return rates_again();
  }
  std::vector<double> rates_again() {
    (void)shares.share();
    std::vector<double> result;
    for (const auto& route : interconnect.routes)
      result.push_back(shares.rate(route.to));
    return result;
  }

  Interconnect interconnect{};
  RouteTable table{};
  FairShares shares{};
};

Network with_links(std::size_t count) {
  Network network;
  for (std::size_t l = 0; l < count; ++l)
    network.interconnect.links.push_back({"link", Bandwidth{1000}, true});
  return network;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

TEST(fair_shares, give_what_others_cannot_use_to_those_that_can) {
  Network network = with_links(2);
  network.path({0, 1}); // on link 1 with two more
  network.path({1});
  network.path({1});
  network.path({0}); // gets what the first leaves on link 0
  expect_near(network.rates(), {1000 / 3.0, 1000 / 3.0, 1000 / 3.0, 2000 / 3.0});
}

TEST(fair_shares, are_found_again_when_a_message_has_ended) {
  Network network = with_links(2);
  network.path({0});
  network.path({0, 1});
  network.path({1});
  expect_near(network.rates(), {500, 500, 500});
  network.shares.remove(1);
  const auto rates = network.rates_again();
  EXPECT_NEAR(rates[0], 1000, tolerance);
  EXPECT_NEAR(rates[2], 1000, tolerance);
}

TEST(fair_shares, are_inverse_to_the_latency_of_the_route) {
  Network network = with_links(1);
  network.path({0}, Seconds{0.5});
  network.path({0}, Seconds{1.5});
  expect_near(network.rates(), {750, 250});
}

TEST(fair_shares, count_the_bandwidth_of_a_route_as_latency_by_its_weight) {
  Network network = with_links(2);
  network.interconnect.weight = Bytes{1000}; // 1 s per link
  network.path({0});
  network.path({0, 1});
  expect_near(network.rates(), {2000 / 3.0, 1000 / 3.0});
}

TEST(fair_shares, leave_to_others_what_a_bounded_message_does_not_take) {
  Network network = with_links(2);
  network.interconnect.links[1].bandwidth = Bandwidth{100};
  network.path({0, 1});
  network.path({0});
  expect_near(network.rates(), {100, 900});
}

TEST(fair_shares, concern_only_messages_that_links_connect) {
  Network network = with_links(3);
  network.path({0});
  network.path({1, 2});
  network.path({2});
  (void)network.rates();
  network.shares.remove(2);
  const auto concerned = network.shares.share();
  EXPECT_EQ(std::vector<FairShares::Flow>(concerned.begin(), concerned.end()),
            std::vector<FairShares::Flow>{1});
}

} // namespace
} // namespace hypermile::network
