// Networks of 1000 B/s and 0.5 s, so that what messages take can be worked out by hand.

#include "network/shared_network.hpp"

#include "support/allocations.hpp"
#include "support/random_timeline.hpp"
#include "support/scripted_timeline.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace hypermile::network {
namespace {

using test::Script;
using test::timeline_of;

constexpr double tolerance = 1e-6; // events hold single precision
constexpr Bandwidth bandwidth{1000};
constexpr Seconds latency{0.5};

Protocol protocol(bool starts_at_receive, std::uint64_t eager_below = 0) {
  Protocol known;
  known.known = true;
  known.synchronous_from = 4000;
  known.starts_at_receive = starts_at_receive;
  known.eager_below = eager_below;
  return known;
}
const Protocol eager = protocol(false);
const Protocol at_receive = protocol(true);

/// One rank per node; each node has a link up to a switch and one down from it.
Interconnect switched(std::uint32_t nodes) {
  Interconnect network;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    network.node_of_rank.push_back(n);
    network.links.push_back({"up", bandwidth, true});
    network.links.push_back({"down", bandwidth, true});
  }
  for (std::uint32_t from = 0; from < nodes; ++from)
    for (std::uint32_t to = 0; to < nodes; ++to)
      network.routes.push_back(
          {.from = from, .to = to, .links = {2 * from, 2 * to + 1}, .latency = latency});
  return network;
}

Interconnect with_backbone(Interconnect network, bool shared) {
  for (auto& route : network.routes)
    route.links.push_back(static_cast<std::uint32_t>(network.links.size()));
  network.links.push_back({"backbone", bandwidth, shared});
  return network;
}

/// All that is made of a timeline.
struct Model {
  Model(const Timeline& timeline, const Interconnect& network, const Protocol& known)
      : matching(timeline), calls(matching), costs(find_costs(matching, calls, known)),
        dependencies(matching, calls, costs), shared(dependencies, matching, costs, network) {}
  Matching matching;
  Calls calls;
  Costs costs;
  Dependencies dependencies;
  SharedNetwork shared;
};

std::vector<double> ends(const Timeline& timeline, const std::vector<double>& scales,
                         const Interconnect& network, const Protocol& known = eager) {
  std::vector<double> result;
  for (const Seconds end : Model(timeline, network, known).shared.outcome(scales).ends)
    result.push_back(end.value());
  return result;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance) << "rank " << i;
}

TEST(shared_network, gives_a_message_alone_its_latency_and_all_of_the_link) {
  Script a;
  Script b;
  a.computes(1).sends(1, 0, 1000);
  b.receives(0, 2.5, 1000).computes(1);
  const auto timeline = timeline_of(a, b);
  expect_near(ends(timeline, {1, 1}, switched(2)), {1, 2.5 + 1});
  expect_near(ends(timeline, {2, 1}, switched(2)), {2, 2 + 0.5 + 1 + 1});
}

TEST(shared_network, lets_two_messages_share_an_uplink_until_one_is_there) {
  Script a;
  Script b;
  Script c;
  a.computes(1).starts_send(1, 1000).starts_send(2, 500).waits_for(2, 0);
  b.receives(0, 2, 1000);
  c.receives(0, 1.5, 500);
  // 500 B/s each from 1.5 to 2.5; then half of the larger one is left.
  expect_near(ends(timeline_of(a, b, c), {1, 1, 1}, switched(3)), {1, 3, 2.5});
}

TEST(shared_network, lets_messages_meet_that_other_gears_bring_together) {
  Script a;
  Script b;
  Script c;
  a.starts_receive(1, 1000).starts_receive(2, 1000).waits_for(2, 3.5);
  b.computes(1).sends(0, 0, 1000);
  c.computes(2).sends(0, 0, 1000);
  const auto timeline = timeline_of(a, b, c);
  expect_near(ends(timeline, {1, 1, 1}, switched(3)), {3.5, 1, 2}); // one after the other
  // b's from 2 on, alone until 2.5; 500 B/s each until 3.5; the rest of c's alone.
  expect_near(ends(timeline, {1, 1.5, 1}, switched(3)), {4, 1.5, 2});
}

TEST(shared_network, lets_pairs_share_a_backbone_but_not_one_that_never_limits) {
  Script a;
  Script b;
  Script c;
  Script d;
  a.sends(1, 0, 1000);
  b.receives(0, 2.5, 1000);
  c.sends(3, 0, 1000);
  d.receives(2, 2.5, 1000);
  const auto timeline = timeline_of(a, b, c, d);
  const std::vector<double> scales{1, 1, 1, 1};
  expect_near(ends(timeline, scales, with_backbone(switched(4), true)), {0, 2.5, 0, 2.5});
  expect_near(ends(timeline, scales, with_backbone(switched(4), false)), {0, 1.5, 0, 1.5});
}

TEST(shared_network, counts_acknowledgements_on_the_way_back) {
  Script a;
  Script b;
  a.starts_receive(1, 1000).sends(1, 0, 1000).waits_for(1, 1.55);
  b.starts_receive(0, 1000).sends(0, 0, 1000).waits_for(1, 1.55);
  Interconnect network = switched(2);
  network.way_back = 0.05;
  expect_near(ends(timeline_of(a, b), {1, 1}, network), {0.5 + 1.05, 0.5 + 1.05});
}

TEST(shared_network, multiplies_latency_and_bandwidth_by_the_factors_of_the_whole_size) {
  Script a;
  Script b;
  a.sends(1, 0, 84);
  b.receives(0, 1.2, 84);
  Interconnect network = switched(2);
  network.envelope = Bytes{16};
  network.latency_factors = {{0, 1}, {99, 2}, {100, 3}}; // 100 B are more than 99, not than 100
  network.bandwidth_factors = {{0, 0.25}, {50, 0.5}};
  expect_near(ends(timeline_of(a, b), {1, 1}, network), {0, 2 * 0.5 + 100 / 500.0});
}

TEST(shared_network, bounds_the_rate_by_a_window_per_round_trip) {
  Script a;
  Script b;
  a.sends(1, 0, 1000);
  b.receives(0, 2.5, 1000);
  Interconnect network = switched(2);
  network.window = Bytes{500};
  expect_near(ends(timeline_of(a, b), {1, 1}, network), {0, 0.5 + 2});
}

TEST(shared_network, starts_a_rendezvous_when_both_are_there) {
  Script a;
  Script b;
  a.computes(1).sends(1, 7.5, 5000).computes(1);
  b.computes(3).receives(0, 5.5, 5000);
  const auto timeline = timeline_of(a, b);
  expect_near(ends(timeline, {1, 1}, switched(2)), {3 + 5.5 + 1, 3 + 5.5});
  expect_near(ends(timeline, {1, 2}, switched(2)), {6 + 5.5 + 1, 6 + 5.5});
  expect_near(ends(timeline, {4, 1}, switched(2)), {4 + 5.5 + 4, 4 + 5.5});
}

TEST(shared_network, starts_a_small_message_at_its_receive_unless_it_is_eager) {
  Script a;
  Script b;
  a.computes(1).sends(1, 0, 1000);
  b.computes(4).receives(0, 1.5, 1000);
  const auto timeline = timeline_of(a, b);
  expect_near(ends(timeline, {1, 1}, switched(2), at_receive), {1, 4 + 1.5});
  expect_near(ends(timeline, {1, 1}, switched(2), protocol(true, 1000)), {1, 4 + 1.5});
  expect_near(ends(timeline, {1, 1}, switched(2), protocol(true, 1001)), {1, 4}); // there already
  expect_near(ends(timeline, {1, 1}, switched(2), eager), {1, 4});
}

TEST(shared_network, keeps_the_costs_of_collective_operations_that_are_not_decomposed) {
  Script a;
  Script b;
  a.computes(1).joins(Shape::all, 2, 2.5).computes(1);
  b.computes(3).joins(Shape::all, 2, 0.5);
  expect_near(ends(timeline_of(a, b), {1, 2}, switched(2)), {7.5, 6.5});
}

TEST(shared_network, changes_scales_on_the_way) {
  Script a;
  Script b;
  a.computes(1).sends(1, 0, 1000).computes(1).sends(1, 0, 1000);
  b.receives(0, 2.5, 1000).receives(0, 1, 1000);
  const auto timeline = timeline_of(a, b);
  const Model model(timeline, switched(2), eager);
  const std::vector<std::vector<ScaleChange>> changes{{{.event = 2, .scale = 3}}, {}};
  const auto outcome = model.shared.staged(changes);
  EXPECT_NEAR(outcome.time.value(), 1 + 3 + 1.5, tolerance);
  ASSERT_EQ(outcome.stages[0].size(), 2u);
  EXPECT_NEAR(outcome.stages[0][0].end.value(), 1, tolerance);
  EXPECT_NEAR(outcome.stages[0][1].computing.value(), 3, tolerance);
}

TEST(shared_network, refuses_a_message_without_a_route) {
  Script a;
  Script b;
  a.sends(1, 0, 1000);
  b.receives(0, 1.5, 1000);
  const auto timeline = timeline_of(a, b);
  Interconnect network = switched(2);
  network.routes.clear();
  EXPECT_THROW(Model(timeline, network, eager), Error);
  network.node_of_rank.pop_back();
  EXPECT_THROW(Model(timeline, network, eager), Error);
}

TEST(contention, is_what_ranks_wait_longer_because_of_others) {
  Script a;
  Script b;
  Script c;
  a.starts_send(1, 1000).starts_send(2, 1000).waits_for(2, 0);
  b.receives(0, 2.5, 1000);
  c.receives(0, 2.5, 1000);
  const auto timeline = timeline_of(a, b, c);
  const Contention both = Model(timeline, switched(3), eager).shared.contention();
  EXPECT_NEAR(both.share, (0 + 1 + 1) / 3.0 / 2.5, tolerance);
  EXPECT_NEAR(both.misfit, 0, tolerance);
  Interconnect slower = switched(3);
  for (auto& route : slower.routes)
    route.latency = Seconds{1};
  EXPECT_NEAR(Model(timeline, slower, eager).shared.contention().misfit, 3 / 2.5 - 1, tolerance);
}

TEST(contention, decides_how_a_recording_is_evaluated) {
  EXPECT_EQ(fitting_evaluation({.share = 0.05, .misfit = 0.01}), Evaluation::shared_network);
  EXPECT_EQ(fitting_evaluation({.share = 1e-4, .misfit = 0}), Evaluation::shared_network);
  EXPECT_EQ(fitting_evaluation({.share = 1e-4, .misfit = 0.01}), Evaluation::constant_costs);
  EXPECT_EQ(fitting_evaluation({.share = 0.05, .misfit = 0.1}), Evaluation::constant_costs);
}

/// Links that nobody shares, and what test::run() takes for a message.
Interconnect of_random_timelines(std::size_t ranks) {
  Interconnect network = switched(static_cast<std::uint32_t>(ranks));
  for (auto& link : network.links)
    link = {link.name, Bandwidth{512.0 * (1 << 18)}, false};
  for (auto& route : network.routes)
    route.latency = Seconds{16.0 / (1 << 18)};
  return network;
}

TEST(shared_network, predicts_random_programs_where_nothing_is_shared) {
  test::RandomTimeline random(4);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    test::Program program = random.make(random.integer(3, 8), random.integer(1, 6));
    program.protocol.known = true;
    const std::size_t ranks = program.timeline.ranks.size();
    const test::Run recorded = run(program, std::vector<double>(ranks, 1));
    const Model model(recorded.timeline, of_random_timelines(ranks), program.protocol);
    SharedNetwork::Workspace workspace;
    for (int j = 0; j < 5; ++j) {
      std::vector<double> scales;
      for (std::size_t r = 0; r < ranks; ++r)
        scales.push_back(random.uniform(1, 2.5));
      ASSERT_NEAR(model.shared.time(scales, workspace).value(), run(program, scales).time.value(),
                  1e-9);
    }
  }
}

TEST(shared_network, takes_no_memory_in_a_pass_that_is_repeated) {
  test::RandomTimeline random(5);
  const test::Program program = random.make(6, 5);
  const std::vector<double> scales(6, 1);
  const test::Run recorded = run(program, scales);
  const Model model(recorded.timeline, switched(6), eager);
  SharedNetwork::Workspace workspace;
  const Seconds first = model.shared.time(scales, workspace);
  const std::size_t before = test::allocations();
  EXPECT_EQ(model.shared.time(scales, workspace), first);
  EXPECT_EQ(test::allocations(), before);
}

} // namespace
} // namespace hypermile::network
