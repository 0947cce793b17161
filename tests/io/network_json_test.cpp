#include "io/network_json.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::io {
namespace {

NetworkDescription two_nodes() {
  NetworkDescription network;
  network.protocol.known = true;
  network.protocol.starts_at_receive = true;
  network.protocol.eager_below = 1024;
  network.protocol.synchronous_from = 4096;
  auto& interconnect = network.interconnect;
  interconnect.links = {{"up", Bandwidth{125e6}, true}, {"switch", Bandwidth{1e9}, false}};
  interconnect.node_of_rank = {0, 1, 1};
  interconnect.routes = {{0, 1, {0, 1}, Seconds{1e-4}}, {1, 0, {}, Seconds{0.1 + 0.2}}};
  interconnect.latency_factors = {{0, 2.01467}, {257, 1.95341}};
  interconnect.bandwidth_factors = {{65472, 0.940694}};
  interconnect.envelope = Bytes{16};
  interconnect.way_back = 0.05;
  interconnect.window = Bytes{4194304};
  interconnect.weight = Bytes{8775};
  return network;
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = print_network(two_nodes());
  return text.replace(text.find(from), from.size(), to);
}

std::string complaint(const std::string& text) {
  try {
    (void)parse_network(text, "net.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(network_json, reads_back_to_the_last_bit) {
  const std::string text = print_network(two_nodes());
  const NetworkDescription read = parse_network(text, "net.json");
  EXPECT_EQ(print_network(read), text);
  EXPECT_TRUE(read.protocol.known);
  EXPECT_EQ(read.protocol.eager_below, 1024u);
  EXPECT_EQ(read.interconnect.routes[1].latency, Seconds{0.1 + 0.2});
  EXPECT_FALSE(read.interconnect.links[1].shared);
  ASSERT_NE(read.interconnect.route(0, 1), nullptr);
  EXPECT_EQ(read.interconnect.route(1, 1), nullptr);
}

TEST(network_json, of_a_rank_that_sends_nothing_reads_back) {
  NetworkDescription network;
  network.interconnect.node_of_rank = {0};
  const std::string text = print_network(network);
  EXPECT_EQ(print_network(parse_network(text, "net.json")), text);
}

TEST(network_json, refuses_what_cannot_be_and_says_where) {
  EXPECT_NE(complaint(changed("hypermile/network/1", "hypermile/plan/1")).find("schema"),
            std::string::npos);
  EXPECT_NE(complaint(changed("125000000.0", "0")).find("links[0].bandwidth_bytes_per_s"),
            std::string::npos);
  EXPECT_NE(complaint(changed("\"from\": 1", "\"from\": 0")), ""); // not ascending
  EXPECT_NE(complaint(changed("\"above_bytes\": 257", "\"above_bytes\": 0")), "");
  EXPECT_NE(complaint(changed("\"way_back\"", "\"way\"")), "");
  NetworkDescription network = two_nodes();
  network.interconnect.routes[0].links = {7};
  EXPECT_NE(complaint(print_network(network)).find("link 7 does not exist"), std::string::npos);
}

TEST(size_factors, hold_above_their_size) {
  const std::vector<model::SizeFactor> factors{{100, 2}, {200, 3}};
  EXPECT_EQ(model::factor_for(factors, 100), 1);
  EXPECT_EQ(model::factor_for(factors, 101), 2);
  EXPECT_EQ(model::factor_for(factors, 200), 2);
  EXPECT_EQ(model::factor_for(factors, 1e9), 3);
}

} // namespace
} // namespace hypermile::io
