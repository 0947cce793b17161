// Three ranks behind a switch whose links have 1000 B/s; a message travels for 0.5 s before its
// bytes flow. Each rank has 1000 B for each of the others, and for itself.

#include "network/decomposition.hpp"

#include "network/shared_network.hpp"
#include "support/scripted_timeline.hpp"

#include <gtest/gtest.h>

namespace hypermile::network {
namespace {

using test::Script;

constexpr double tolerance = 1e-6; // events hold single precision
constexpr std::uint64_t bytes = 3000;

Interconnect switched() {
  Interconnect network;
  for (std::uint32_t n = 0; n < 3; ++n) {
    network.node_of_rank.push_back(n);
    network.links.push_back({"up", Bandwidth{1000}, true});
    network.links.push_back({"down", Bandwidth{1000}, true});
  }
  for (std::uint32_t from = 0; from < 3; ++from)
    for (std::uint32_t to = 0; to < 3; ++to)
      network.routes.push_back(
          {.from = from, .to = to, .links = {2 * from, 2 * to + 1}, .latency = Seconds{0.5}});
  return network;
}

Protocol eager() {
  Protocol known;
  known.known = true;
  known.synchronous_from = 4000;
  return known;
}

/// All compute for 1 s, and stay so long in MPI.
Timeline all_together(const std::string& function, double duration) {
  std::vector<Script> ranks(3);
  for (Script& rank : ranks)
    rank.computes(1).exchanges(1, 3, bytes, duration);
  Timeline timeline = timeline_of(ranks[0], ranks[1], ranks[2]);
  timeline.functions.push_back(function);
  return timeline;
}

/// All that is made of a timeline.
struct Model {
  explicit Model(const Timeline& timeline, const Interconnect& network = switched())
      : matching(timeline), calls(matching), costs(find_costs(matching, calls, eager())),
        dependencies(matching, calls, costs),
        decomposition(matching, calls, costs.protocol, network),
        shared(dependencies, matching, costs, network, decomposition) {}
  [[nodiscard]] std::string_view algorithm() const {
    const auto* kind = decomposition.kind(0);
    return kind == nullptr ? "none" : kind->algorithm;
  }
  [[nodiscard]] std::vector<double> ends(const std::vector<double>& scales) const {
    std::vector<double> result;
    for (const Seconds end : shared.outcome(scales).ends)
      result.push_back(end.value());
    return result;
  }
  Matching matching;
  Calls calls;
  Costs costs;
  Dependencies dependencies;
  Decomposition decomposition;
  SharedNetwork shared;
};

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance) << "rank " << i;
}

TEST(decomposition, takes_the_algorithm_that_explains_what_was_recorded) {
  EXPECT_EQ(Model(all_together("Alltoall", 2 * 1.5)).algorithm(), "shifts");
  EXPECT_EQ(Model(all_together("Alltoall", 0.5 + 2)).algorithm(), "linear");
  EXPECT_EQ(Model(all_together("Alltoall", 2.75)).algorithm(), "none"); // 8 % off the nearest
  EXPECT_EQ(Model(all_together("Allgather", 2 * 3.5)).algorithm(), "ring");
}

TEST(decomposition, tells_what_became_of_the_operations) {
  Script a;
  Script b;
  a.exchanges(1, 2, 2000, 1.5).exchanges(2, 2, 0, 1).exchanges(1, 2, 2000, 1.5);
  b.exchanges(1, 2, 2000, 1.5).exchanges(2, 2, 0, 1).exchanges(1, 2, 2000, 1.5);
  Timeline timeline = timeline_of(a, b);
  timeline.functions = {"Send", "Alltoall", "Comm_dup"};
  Interconnect network = switched();
  network.node_of_rank.pop_back();
  const Model model(timeline, network);
  const auto uses = model.decomposition.uses(model.matching);
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[0].function, "Alltoall");
  EXPECT_EQ(uses[0].algorithm, "linear");
  EXPECT_EQ(uses[0].operations, 2u);
  EXPECT_EQ(uses[1].function, "Comm_dup");
  EXPECT_EQ(uses[1].algorithm, "");
}

TEST(decomposition, leaves_functions_alone_whose_messages_are_not_known) {
  EXPECT_EQ(Model(all_together("Comm_split", 3)).algorithm(), "none");
}

TEST(decomposition, leaves_members_alone_that_have_no_routes_to_each_other) {
  Interconnect network = switched();
  std::erase_if(network.routes, [](const auto& r) { return r.from == 1 && r.to == 2; });
  const Timeline timeline = all_together("Alltoall", 3);
  EXPECT_EQ(Model(timeline, network).algorithm(), "none");
}

TEST(decomposition, leaves_operations_alone_that_do_not_block) {
  Timeline timeline = all_together("Alltoall", 3);
  timeline.ranks[1].events[0].ends_call = 1; // a call that starts, and one that waits
  EXPECT_EQ(Model(timeline).algorithm(), "none");
}

TEST(decomposition, keeps_the_recorded_run_as_it_was) {
  const Timeline timeline = all_together("Alltoall", 3.1); // 0.1 s beyond its messages
  const Model model(timeline);
  EXPECT_EQ(model.algorithm(), "shifts");
  expect_near(model.ends({1, 1, 1}), {4.1, 4.1, 4.1});
  expect_near(model.ends({2, 2, 2}), {5.1, 5.1, 5.1});
}

TEST(decomposition, lets_a_late_member_find_messages_that_are_there_already) {
  const Timeline timeline = all_together("Alltoall", 3);
  const Model model(timeline);
  // Rank 0 comes at 4 s, when that of step 1 has come from rank 2. So it sends that of step 2 at
  // once, and both share its link: 0.5 s, then 2 s. Rank 1 had waited for the first of them, and
  // sends its own of step 2 to rank 0 only now: 1.5 s.
  expect_near(model.ends({4, 1, 1}), {8, 6.5, 6.5});
  expect_near(model.ends({1, 1, 1}), {4, 4, 4});
}

TEST(decomposition, lets_other_messages_share_links_with_an_operation) {
  Script a;
  Script b;
  Script c;
  a.computes(1).exchanges(1, 3, bytes, 2.5).computes(1).calls(0);
  b.computes(1).exchanges(1, 3, bytes, 2.5).sends(2, 0, 1000).computes(1);
  c.computes(1).exchanges(1, 3, bytes, 2.5).receives(1, 1.5, 1000).computes(1);
  Timeline timeline = timeline_of(a, b, c);
  timeline.functions.push_back("Alltoall");
  const Model model(timeline);
  EXPECT_EQ(model.algorithm(), "linear");
  expect_near(model.ends({1, 1, 1}), {4.5, 4.5, 6});
  EXPECT_EQ(model.shared.message_count(), 6u + 1);
  const std::vector<std::vector<ScaleChange>> slower_after{{{.event = 2, .scale = 2}}, {}, {}};
  EXPECT_NEAR(model.shared.staged(slower_after).stages[0].back().end.value(), 5.5, tolerance);
}

} // namespace
} // namespace hypermile::network
