// Messages that are well-formed and make no sense: what encode() never wrote is refused, before
// any of it reaches the choice of gears.

#include "runtime/exchange/messages.hpp"
#include "support/nodes.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace hypermile::runtime {
namespace {

const double not_a_number = std::numeric_limits<double>::quiet_NaN();

Measurement measurement() { return {.node = test::node("n", 2)}; }

void expect_refused(const Message& message, const std::string& why) {
  try {
    (void)decode(encode(message));
    FAIL() << "accepted, although " << why;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::hardware);
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(hostile_message, with_a_time_that_is_not_finite_is_refused) {
  Measurement m = measurement();
  m.computation = Seconds{not_a_number};
  expect_refused(m, "a number is not finite");
  m = measurement();
  m.communication = Seconds{std::numeric_limits<double>::infinity()};
  expect_refused(m, "a number is not finite");
}

TEST(hostile_message, with_a_deviation_that_is_not_finite_is_refused) {
  Measurement m = measurement();
  m.deviation = Seconds{std::numeric_limits<double>::infinity()};
  expect_refused(m, "a number is not finite");
}

TEST(hostile_message, with_an_impossible_node_is_refused) {
  Measurement m = measurement();
  m.node.type.power[1].waiting = Watts{-1};
  expect_refused(m, "a power is negative");
  m = measurement();
  m.node.type.speed = Speed{0};
  expect_refused(m, "a node has no cores or no speed");
  m = measurement();
  m.node.type.cores = 0;
  expect_refused(m, "a node has no cores or no speed");
}

TEST(hostile_message, with_a_gear_or_rank_that_does_not_exist_is_refused) {
  Measurement m = measurement();
  m.gear = 2;
  expect_refused(m, "gear 2 does not exist");
  m = measurement();
  m.rank = -1;
  expect_refused(m, "rank -1 does not exist");
}

TEST(hostile_message, with_an_unknown_way_to_find_a_loop_is_refused) {
  RankReport report{.node = test::node("n")};
  report.loop.found = static_cast<LoopReport::Found>(7);
  expect_refused(report, "kind 7 does not exist");
}

/// The report of one rank, with one part of its text replaced.
std::string report_with(const std::string& from, const std::string& to) {
  std::string text = print_run(
      {.ranks = {RankReport{.node = test::node("n")}}, .decisions = {}, .without_loop = {}});
  const auto place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from << " in " << text;
  return text.replace(place, from.size(), to);
}

TEST(hostile_report, is_refused) {
  (void)parse_run(report_with("\"rank\":0", "\"rank\":1"));
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"gears\":[[2000000000.0", "\"gears\":[[0.0"},
           {"\"gears\":[[2000000000.0", "\"gears\":[[-1.0"},
           {"\"gears\":[[2000000000.0,20.0", "\"gears\":[[2000000000.0"},
           {"\"gears\":", "\"gears\":[],\"ignored\":"},
           {"\"rank\":0", "\"rank\":0.5"},
           {"\"rank\":0", "\"rank\":-1"},
           {"\"rank\":0", "\"rank\":4294967296"},
           {"\"cores\":1", "\"cores\":1e300"},
           {"\"calls\":0", "\"calls\":-3"},
           {"\"without_loop\":[]", "\"without_loop\":[\"0\"]"}})
    EXPECT_THROW((void)parse_run(report_with(from, to)), Error) << to;
}

TEST(hostile_message, that_announces_more_than_it_has_is_refused) {
  const Bytes good = encode(measurement());
  for (std::size_t i = 0; i < good.size(); ++i) {
    Bytes bad{good.begin(), good.begin() + static_cast<std::ptrdiff_t>(i)};
    bad.insert(bad.end(), {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}); // a large size
    EXPECT_THROW((void)decode(bad), Error) << i;
  }
}

TEST(run_report, of_nodes_whose_names_are_not_utf8_can_be_printed) {
  RankReport report{.node = test::node("caf\xe9")};
  const auto read = parse_run(print_run({.ranks = {report}, .decisions = {}, .without_loop = {}}));
  EXPECT_EQ(read.ranks[0].node.name, "caf\xef\xbf\xbd");
}

} // namespace
} // namespace hypermile::runtime
