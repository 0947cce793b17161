#include "runtime/decide/uncoupled_policy.hpp"

#include "runtime/decide/coordinator.hpp"
#include "support/nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace hypermile::runtime {
namespace {

using Gears = std::vector<std::size_t>;

/// A rank alone on a node at some site.
Measurement at_site(int rank, const std::string& site, double computation, double communication) {
  Measurement m{.rank = rank,
                .node = test::node("node-" + std::to_string(rank)),
                .computation = Seconds{computation},
                .computation_in_gear0 = Seconds{computation},
                .communication = Seconds{communication}};
  m.node.type.site = site;
  return m;
}

/// Clusters of nodes, whose iterations are of very different lengths.
std::vector<Measurement> random_clusters(std::mt19937& random) {
  std::uniform_real_distribution<double> share(0.2, 1);
  std::vector<Measurement> all;
  for (const char* const site : {"a", "b", "c"}) {
    const double length = std::pow(10, 2 * share(random));
    for (int node = 0; node < 3; ++node) {
      const double computation = length * share(random);
      all.push_back(
          at_site(static_cast<int>(all.size()), site, computation, length * 1.1 - computation));
    }
  }
  return all;
}

/// [F16] Eq. 4.2 and 4.4-4.7, or 4.1, as the thesis has them: S, Pd = 16 W and Ps = 4 W of
/// test::node, whose gear 1 draws 6 W at S = 2: 2 W = 16 W / 2^3.
struct Oracle {
  const std::vector<Measurement>& all;
  bool hybrid;

  [[nodiscard]] std::pair<double, double> cost(const Gears& gears) const {
    struct Part {
      double slowest = 0;
      double least = 1e300;
      int nodes = 0;
    };
    std::map<std::string, Part> parts;
    double energy = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double scale = gears[i] == 0 ? 1 : 2;
      const double computation = all[i].computation.value();
      Part& part = parts[hybrid ? all[i].node.type.site : all[i].node.name];
      part.slowest = std::max(part.slowest, computation * scale);
      part.least = std::min(part.least, hybrid ? all[i].communication.value() : 0);
      ++part.nodes;
      energy += 16 * computation / (scale * scale);
    }
    double time = 0;
    for (const auto& [name, part] : parts) {
      time += (part.slowest + part.least) / static_cast<double>(parts.size());
      energy += 4 * part.nodes * (part.slowest + part.least);
    }
    return {time, energy};
  }
  [[nodiscard]] double distance(const Gears& gears) const {
    const auto [time0, energy0] = cost(Gears(all.size(), 0));
    const auto [time, energy] = cost(gears);
    return time0 / time - energy / energy0;
  }
  [[nodiscard]] double best() const {
    double best = 0;
    for (unsigned bits = 0; bits < 1U << all.size(); ++bits) {
      Gears gears;
      for (std::size_t i = 0; i < all.size(); ++i)
        gears.push_back(bits >> i & 1U);
      best = std::max(best, distance(gears));
    }
    return best;
  }
};

Decision chosen(const std::vector<Measurement>& all, TimeModelKind kind,
                const select::Request& request = {}) {
  Coordinator coordinator(request, all.size(), {.kind = kind});
  for (const Measurement& m : all)
    coordinator.add(m);
  EXPECT_EQ(coordinator.decisions().size(), 1U);
  return coordinator.decisions().back();
}

TEST(uncoupled_policy, finds_the_best_of_all_gears_for_clusters_and_for_nodes_by_themselves) {
  std::mt19937 random(19);
  for (int i = 0; i < 20; ++i) {
    const auto all = random_clusters(random);
    for (const auto kind : {TimeModelKind::hybrid, TimeModelKind::async}) {
      const Oracle oracle{all, kind == TimeModelKind::hybrid};
      const Decision decision = chosen(all, kind);
      EXPECT_EQ(decision.time_model, kind);
      EXPECT_TRUE(decision.exact);
      EXPECT_NEAR(oracle.distance(decision.gears), oracle.best(), 1e-9);
      EXPECT_NEAR(decision.prediction.distance, oracle.best(), 1e-9);
      const auto [time, energy] = oracle.cost(decision.gears);
      EXPECT_NEAR(decision.prediction.time.value(), time, 1e-9 * time);
      EXPECT_NEAR(decision.prediction.energy.value(), energy, 1e-9 * energy);
    }
  }
}

TEST(uncoupled_policy, is_never_ahead_of_exact_with_algorithm_8) {
  std::mt19937 random(8);
  for (int i = 0; i < 20; ++i) {
    const auto all = random_clusters(random);
    const Oracle oracle{all, true};
    const Decision walked = chosen(all, TimeModelKind::hybrid, {.method = select::Method::alg8});
    EXPECT_NEAR(walked.prediction.distance, oracle.distance(walked.gears), 1e-9);
    EXPECT_LE(walked.prediction.distance, oracle.best() + 1e-9);
    EXPECT_GE(walked.prediction.distance, 0);
  }
}

/// The other models take iterations of other lengths for parts of the longest.
TEST(uncoupled_policy, leaves_a_short_iteration_of_another_cluster_as_it_is) {
  const std::vector all{at_site(0, "a", 10, 1), at_site(1, "b", 1, 0.1)};
  const Decision decision = chosen(all, TimeModelKind::hybrid);
  EXPECT_DOUBLE_EQ(decision.baseline.time.value(), (11 + 1.1) / 2);
}

TEST(uncoupled_policy, takes_the_cluster_model_for_one_cluster) {
  const std::vector all{at_site(0, "a", 4, 0.1), at_site(1, "a", 1, 3.1)};
  const Decision decision = chosen(all, TimeModelKind::hybrid);
  EXPECT_EQ(decision.time_model, TimeModelKind::cluster);
  const Decision by_cluster = chosen(all, TimeModelKind::cluster);
  EXPECT_EQ(decision.gears, by_cluster.gears);
  EXPECT_DOUBLE_EQ(decision.prediction.distance, by_cluster.prediction.distance);
}

TEST(uncoupled_policy, has_one_node_in_each_cluster_where_there_are_no_more) {
  const std::vector all{at_site(0, "a", 4, 0), at_site(1, "b", 1, 0), at_site(2, "c", 2, 0)};
  const Decision decision = chosen(all, TimeModelKind::hybrid);
  const Decision alone = chosen(all, TimeModelKind::async);
  EXPECT_EQ(decision.gears, alone.gears);
  EXPECT_DOUBLE_EQ(decision.prediction.energy.value(), alone.prediction.energy.value());
}

TEST(uncoupled_policy, counts_the_sites_that_nodes_name) {
  EXPECT_EQ(site_count({at_site(0, "", 1, 1), at_site(1, "", 1, 1)}), 0U);
  EXPECT_EQ(site_count({at_site(0, "a", 1, 1), at_site(1, "a", 1, 1)}), 1U);
  EXPECT_EQ(site_count({at_site(0, "a", 1, 1), at_site(1, "b", 1, 1)}), 2U);
}

/// A cluster that has ended, or is far behind, tells nothing: the others are not made to wait.
TEST(uncoupled_policy, chooses_nothing_before_each_rank_has_told) {
  Coordinator coordinator(select::Request{}, 3, {.kind = TimeModelKind::hybrid});
  for (int i = 0; i < 10; ++i) {
    coordinator.add(at_site(0, "a", 4, 0));
    coordinator.add(at_site(1, "b", 1, 0));
  }
  EXPECT_TRUE(coordinator.decisions().empty());
  EXPECT_EQ(coordinator.missing(), std::vector<int>{2});
}

/// What gears do to iterations is compared with gear 0, cluster by cluster.
TEST(uncoupled_policy, tells_the_mean_time_of_an_iteration_against_gear_0) {
  std::vector all{at_site(0, "a", 10, 1), at_site(1, "b", 1, 0.1)};
  UncoupledPolicy policy(select::Request{}, {.kind = TimeModelKind::hybrid});
  EXPECT_FALSE(policy.learn(all));
  for (Measurement& m : all) {
    m.gear = 1;
    m.computation = m.computation * 2;
  }
  const auto ratio = policy.learn(all);
  ASSERT_TRUE(ratio);
  EXPECT_DOUBLE_EQ(*ratio, (21 + 2.1) / (11 + 1.1));
}

TEST(uncoupled_policy, gives_gears_up_that_cost_more_than_they_save_twice_in_a_row) {
  const select::Request request;
  UncoupledPolicy policy(request, {.kind = TimeModelKind::hybrid});
  std::vector all{at_site(0, "a", 10, 1), at_site(1, "b", 10, 1)};
  policy.learn(all);
  EXPECT_EQ(policy.choose(all).declined, "");
  for (Measurement& m : all) {
    m.gear = 1;
    m.computation = Seconds{20};
    m.communication = Seconds{100}; // they wait for each other after all
  }
  policy.learn(all);
  EXPECT_EQ(policy.choose(all).declined, "");
  EXPECT_TRUE(policy.looks_again());
  policy.learn(all);
  const Decision given_up = policy.choose(all);
  EXPECT_NE(given_up.declined, "");
  EXPECT_EQ(given_up.gears, (Gears{0, 0}));
}

/// A rank's timeline with a receive that is left open for an iteration, or is not.
Measurement with_events(Measurement m, bool leaves_open) {
  model::RankTimeline timeline;
  timeline.operations = {{.action = model::Action::receive, .function = 1},
                         {.function = 0},
                         {.action = model::Action::complete, .function = 0}};
  const auto event = [](std::uint32_t operation, std::uint32_t started) {
    return model::Event{.operation = operation,
                        .started = started & 0x7fffffffU,
                        .ends_call = 1,
                        .computation = 1,
                        .duration = 0.1F};
  };
  timeline.events = {event(0, 0), event(1, 0), event(2, 2), event(1, 0)};
  m.iterations =
      leaves_open ? std::vector<std::uint64_t>{0, 2, 4} : std::vector<std::uint64_t>{0, 3, 4};
  m.timeline = timeline;
  return m;
}

TEST(uncoupled_policy, takes_over_by_itself_once_messages_depend_on_timing) {
  const TimeModel model{.functions = {"Test", "Irecv"}};
  const std::vector clusters{at_site(0, "a", 1, 0.1), at_site(1, "b", 1, 0.1)};
  const std::vector alone{at_site(0, "a", 1, 0.1), at_site(1, "a", 1, 0.1)};
  const select::Request request;
  const auto with = [](std::vector<Measurement> all, bool leaves_open) {
    all[1] = with_events(all[1], leaves_open);
    return all;
  };
  UncoupledPolicy policy(request, model);
  EXPECT_FALSE(policy.takes(with(clusters, false)));
  EXPECT_FALSE(policy.found_timing());
  EXPECT_TRUE(policy.takes(with(clusters, true)));
  EXPECT_TRUE(policy.takes(clusters)) << "what was seen once is remembered";
  EXPECT_FALSE(policy.takes(alone)) << "there are no clusters";
  EXPECT_TRUE(policy.found_timing());
  select::Request bounded;
  bounded.constraints.max_slowdown = 0.05;
  UncoupledPolicy keeps_bound(bounded, model);
  EXPECT_FALSE(keeps_bound.takes(with(clusters, true))) << "it can keep no bound";
  EXPECT_TRUE(keeps_bound.found_timing());
}

/// With events that depend on timing the dependency model does not choose, even where there are no
/// clusters.
TEST(uncoupled_policy, makes_the_dependency_model_step_back) {
  for (const bool clusters : {true, false}) {
    Coordinator coordinator(select::Request{}, 2, {.functions = {"Test", "Irecv"}});
    coordinator.add(with_events(at_site(0, "a", 1, 0.1), true));
    coordinator.add(with_events(at_site(1, clusters ? "b" : "a", 1, 0.1), true));
    ASSERT_EQ(coordinator.decisions().size(), 1U);
    EXPECT_EQ(coordinator.decisions().back().time_model,
              clusters ? TimeModelKind::hybrid : TimeModelKind::cluster);
  }
}

} // namespace
} // namespace hypermile::runtime
