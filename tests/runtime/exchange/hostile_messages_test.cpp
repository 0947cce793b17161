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

TEST(hostile_message, with_iterations_in_no_order_is_refused) {
  Measurement m = measurement();
  m.iterations = {4, 2, 6};
  expect_refused(m, "iterations do not come one after the other");
}

TEST(hostile_message, with_an_unknown_way_to_find_a_loop_is_refused) {
  RankReport report{.node = test::node("n")};
  report.loop.found = static_cast<LoopReport::Found>(7);
  expect_refused(report, "kind 7 does not exist");
}

/// One rank, one choice.
RunReport one_rank() {
  RunReport run;
  run.ranks.push_back({.node = test::node("n")});
  Decision& decision = run.decisions.emplace_back();
  decision.nodes = {"n"};
  decision.gears = {1};
  run.phases.push_back({0});
  return run;
}

TEST(hostile_report, is_refused) {
  const auto expect_refused_run = [](const RunReport& run, const char* why) {
    try {
      (void)decode_run(encode_run(run));
      ADD_FAILURE() << "not refused, though " << why;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  (void)decode_run(encode_run(one_rank()));
  RunReport run = one_rank();
  run.ranks[0].rank = -1;
  expect_refused_run(run, "rank -1 does not exist");
  run = one_rank();
  run.example = LoopExample{.timeline = {.functions = {"Recv"}, .ranks = {{}}}};
  expect_refused_run(run, "not one timeline and one gear per rank");
  run.example->scales = {0.5};
  expect_refused_run(run, "faster than gear 0");
  run.example->scales = {1};
  run.example->timeline.ranks[0].operations.push_back({.function = 1});
  expect_refused_run(run, "function has no name");
  run = one_rank();
  run.ranks[0].changes.emplace_back().gear = 2;
  expect_refused_run(run, "gear 2 does not exist");
  run = one_rank();
  run.ranks[0].node.type.power.pop_back();
  expect_refused_run(run, "one power per gear");
  run = one_rank();
  run.ranks[0].node.type.cores = 0;
  expect_refused_run(run, "no cores");
  run = one_rank();
  run.decisions[0].gears.push_back(0);
  expect_refused_run(run, "one gear per node");
  run = one_rank();
  run.decisions[0].phase = 1;
  expect_refused_run(run, "a phase that does not exist");
  run = one_rank();
  run.phases[0].push_back(0);
  expect_refused_run(run, "one loop per rank");
  run = one_rank();
  run.without_loop.push_back(-1);
  expect_refused_run(run, "rank -1 does not exist");
}

TEST(hostile_message, that_announces_more_than_it_has_is_refused) {
  const Bytes good = encode(measurement());
  for (std::size_t i = 0; i < good.size(); ++i) {
    Bytes bad{good.begin(), good.begin() + static_cast<std::ptrdiff_t>(i)};
    bad.insert(bad.end(), {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}); // a large size
    EXPECT_THROW((void)decode(bad), Error) << i;
  }
}

} // namespace
} // namespace hypermile::runtime
