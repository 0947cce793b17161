#include "model/problem.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hypermile::model {
namespace {

const GearTable two_gears{{Hertz{2e9}, Hertz{1e9}}}; // S = 1, 2

AnalyticNode node(double tcp, double tcm, double pd, double ps, std::size_t cluster = 0) {
  return {two_gears, Seconds{tcp}, Seconds{tcm}, Watts{pd}, Watts{ps}, cluster};
}

// a: Tcp 1, Tcm 3, Pd 20, Ps 4. b: Tcp 2, Tcm 1, Pd 40, Ps 5.
const std::vector<AnalyticNode> a_and_b{node(1, 3, 20, 4, 0), node(2, 1, 40, 5, 1)};

TEST(problem, cluster_model_by_hand) {
  const Problem problem = cluster_problem(a_and_b);
  // T_old = max(1 + 3, 2 + 1); E_old = 20 * 1 + 40 * 2 + (4 + 5) * 4
  EXPECT_DOUBLE_EQ(problem.baseline().time.value(), 4);
  EXPECT_DOUBLE_EQ(problem.baseline().energy.value(), 136);
  // a in S = 2: T = max(2, 2) + min(3, 1); E = 20 / 4 + 80 + 9 * 3
  const Prediction p = predict(problem, std::vector<Gear>{1, 0});
  EXPECT_DOUBLE_EQ(p.time.value(), 3);
  EXPECT_DOUBLE_EQ(p.energy.value(), 112);
  EXPECT_DOUBLE_EQ(p.p_norm, 4. / 3);
  EXPECT_DOUBLE_EQ(p.e_norm, 112. / 136);
  EXPECT_DOUBLE_EQ(p.distance, 4. / 3 - 112. / 136);
}

TEST(problem, grid_takes_the_communication_of_the_slowest_nodes_cluster) {
  std::vector<AnalyticNode> nodes{node(1, 0.5, 20, 4, 0), node(2, 3, 40, 5, 1),
                                  node(1, 2.5, 10, 1, 1)};
  const Problem problem = grid_problem(nodes);
  EXPECT_DOUBLE_EQ(problem.baseline().time.value(), 2 + 2.5);
  EXPECT_DOUBLE_EQ(problem.baseline().energy.value(), 20 + 80 + 10 + 10 * 4.5);
}

TEST(problem, hybrid_averages_the_clusters_times) {
  const Problem problem = hybrid_problem(a_and_b);
  const Prediction p = predict(problem, std::vector<Gear>{1, 0});
  EXPECT_DOUBLE_EQ(p.time.value(), ((2. + 3) + (2 + 1)) / 2);
  EXPECT_DOUBLE_EQ(p.energy.value(), 20. / 4 + 80 + 4 * 5 + 5 * 3);
}

TEST(problem, async_draws_static_power_for_the_stretched_time) {
  const Prediction p = predict(async_problem(a_and_b), std::vector<Gear>{1, 0});
  EXPECT_DOUBLE_EQ(p.time.value(), (2. + 2) / 2);
  EXPECT_DOUBLE_EQ(p.energy.value(), 20. / 4 + 4 * 2 + 80 + 5 * 2);
}

TEST(problem, async_as_printed_divides_static_power_too) {
  const Prediction p =
      predict(async_problem(a_and_b, ModelKind::async_literal), std::vector<Gear>{1, 0});
  EXPECT_DOUBLE_EQ(p.energy.value(), (20. + 4) / 4 + 2 * (40 + 5));
}

HomogeneousCluster tasks_of_1_and_2() {
  return {two_gears, {{Seconds{1}, Seconds{3}}, {Seconds{2}, Seconds{1}}}, Watts{20}, Watts{4}};
}

TEST(problem, homogeneous_model_by_hand) {
  const Problem problem = homogeneous_problem(tasks_of_1_and_2());
  EXPECT_EQ(problem.unit_count(), 1U);
  EXPECT_EQ(problem.node_count(), 2U);
  const Prediction p = predict(problem, std::vector<Gear>{1});
  EXPECT_DOUBLE_EQ(p.time.value(), 2 * 2 + 1);
  EXPECT_DOUBLE_EQ(p.energy.value(), 20. / 4 * (1 + 2) + 4 * 5 * 2);
  EXPECT_DOUBLE_EQ(problem.active_power(0, 1).value(), 2 * (20. / 8 + 4));
}

TEST(problem, rauber_model_by_hand) {
  const Problem problem = homogeneous_problem(tasks_of_1_and_2(), ModelKind::rauber);
  // T_1 = 4, T_2 = 3: 20 / 4 * (4 + 27 / 16) + 4 * 4 * 2 * 2
  const Prediction p = predict(problem, std::vector<Gear>{1});
  EXPECT_DOUBLE_EQ(p.energy.value(), 5 * (4 + 27. / 16) + 64);
}

TEST(problem, table_charges_waiting_power_of_the_gear_a_node_waits_in) {
  const TableNode a{two_gears,
                    {{Seconds{1}, Joules{30}, Watts{10}}, {Seconds{2}, Joules{25}, Watts{6}}},
                    Seconds{0.5}};
  const TableNode b{two_gears,
                    {{Seconds{3}, Joules{60}, Watts{8}}, {Seconds{4}, Joules{50}, Watts{8}}},
                    Seconds{1}};
  const Problem problem = table_problem(std::vector{a, b});
  EXPECT_TRUE(problem.waiting_depends_on_gear());
  EXPECT_DOUBLE_EQ(problem.baseline().time.value(), 3.5);
  EXPECT_DOUBLE_EQ(problem.baseline().energy.value(), 30 + 10 * 2.5 + 60 + 8 * 0.5);
  const Prediction p = predict(problem, std::vector<Gear>{1, 0});
  EXPECT_DOUBLE_EQ(p.time.value(), 3.5);
  EXPECT_DOUBLE_EQ(p.energy.value(), 25 + 6 * 1.5 + 60 + 8 * 0.5);
  EXPECT_DOUBLE_EQ(problem.active_power(0, 1).value(), 12.5);
}

TEST(problem, waiting_powers_stay_with_their_node_when_a_later_one_depends_on_the_gear) {
  const MeasuredGear constant{Seconds{1}, Joules{30}, Watts{7}};
  const TableNode a{two_gears, {constant, constant}, Seconds{0}};
  const TableNode b{two_gears, {constant, {Seconds{1}, Joules{30}, Watts{3}}}, Seconds{0}};
  const Problem problem = table_problem(std::vector{a, b, a});
  EXPECT_EQ(problem.waiting(0, 1), Watts{7});
  EXPECT_EQ(problem.waiting(1, 0), Watts{7});
  EXPECT_EQ(problem.waiting(1, 1), Watts{3});
  EXPECT_EQ(problem.waiting(2, 1), Watts{7});
}

TEST(problem, refuses_what_no_model_can_use) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](const AnalyticNode& bad) {
    EXPECT_THROW((void)cluster_problem(std::vector{bad}), Error);
  };
  refused(node(-1, 1, 20, 4));
  refused(node(1, nan, 20, 4));
  refused(node(1, 1, std::numeric_limits<double>::infinity(), 4));
  refused(node(1, 1, 20, -4));
  refused(node(0, 0, 20, 4));        // takes no time
  refused(node(1, 1, 0, 0));         // takes no energy
  refused(node(1e300, 1, 1e300, 4)); // overflows
  EXPECT_THROW((void)cluster_problem({}), Error);
  EXPECT_THROW((void)table_problem({}), Error);
  EXPECT_THROW((void)homogeneous_problem({two_gears, {}, Watts{1}, Watts{1}}), Error);
}

TEST(problem, says_which_node_and_quantity_is_wrong) {
  try {
    (void)grid_problem(std::vector{node(1, 1, 20, 4), node(1, 1, 20, -4)});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "node 1: the static power is -4; try: a finite number that is not negative");
  }
}

// --- homogeneous_cluster() ---

/// As if they had been measured: what each gear makes of the tasks of the cluster.
std::vector<TableNode> measured_in_all_gears(const HomogeneousCluster& cluster) {
  std::vector<TableNode> nodes;
  for (const auto& task : cluster.tasks) {
    TableNode& measured = nodes.emplace_back(TableNode{cluster.gears, {}, task.communication, 0});
    for (Gear g = 0; g < cluster.gears.size(); ++g) {
      const double scale = cluster.gears.scale(g);
      const Seconds time = task.computation * scale;
      measured.measured.push_back(
          {time, (cluster.dynamic_power / std::pow(scale, 3) + cluster.static_power) * time,
           cluster.static_power});
    }
  }
  return nodes;
}

const HomogeneousCluster three_tasks{
    two_gears, {{Seconds{1}, Seconds{3}}, {Seconds{2}, Seconds{2}}, {}}, Watts{20}, Watts{4}};

TEST(homogeneous_cluster, is_made_of_nodes_that_were_measured) {
  const auto cluster = homogeneous_cluster(measured_in_all_gears(three_tasks));
  ASSERT_TRUE(cluster);
  EXPECT_EQ(cluster->gears, three_tasks.gears);
  EXPECT_DOUBLE_EQ(cluster->dynamic_power.value(), 20);
  EXPECT_DOUBLE_EQ(cluster->static_power.value(), 4);
  ASSERT_EQ(cluster->tasks.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(cluster->tasks[i].computation, three_tasks.tasks[i].computation);
    EXPECT_EQ(cluster->tasks[i].communication, three_tasks.tasks[i].communication);
  }
}

TEST(homogeneous_cluster, draws_what_its_nodes_draw_on_average) {
  auto nodes = measured_in_all_gears(three_tasks);
  nodes[1].measured[0].active_energy += Joules{15}; // 3 s are computed by all
  EXPECT_DOUBLE_EQ(homogeneous_cluster(nodes)->dynamic_power.value(), 25);
}

TEST(homogeneous_cluster, is_none_where_gears_or_waiting_nodes_differ) {
  auto gears = measured_in_all_gears(three_tasks);
  gears[2].gears = GearTable{{Hertz{2e9}, Hertz{1.5e9}}};
  EXPECT_FALSE(homogeneous_cluster(gears));
  auto waiting = measured_in_all_gears(three_tasks);
  waiting[2].measured[0].waiting = Watts{5};
  EXPECT_FALSE(homogeneous_cluster(waiting));
}

TEST(homogeneous_cluster, that_computes_nothing_draws_no_dynamic_power) {
  HomogeneousCluster idle = three_tasks;
  idle.tasks = {{Seconds{}, Seconds{1}}};
  EXPECT_EQ(homogeneous_cluster(measured_in_all_gears(idle))->dynamic_power, Watts{});
}

} // namespace
} // namespace hypermile::model
