#include "runtime/decide/coordinator.hpp"

#include "runtime/decide/common_loop.hpp"

#include "support/nodes.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile::runtime {
namespace {

using test::node;

/// Measured in gear 0, unless changed afterwards.
Measurement measured(int rank, const RankNode& on, double computation, double communication) {
  return {.rank = rank,
          .node = on,
          .gear = 0,
          .computation = Seconds{computation},
          .computation_in_gear0 = Seconds{computation},
          .communication = Seconds{communication}};
}

/// Measured after gears have been set, in this one.
Measurement measured_in(std::size_t gear, int rank, const RankNode& on, double computation,
                        double communication) {
  Measurement m = measured(rank, on, computation, communication);
  m.gear = gear;
  m.computation_in_gear0 = m.computation / on.type.gears.scale(gear);
  return m;
}

const select::Request exact{};

// --- assemble() ---

TEST(assemble, lets_a_node_compute_as_long_as_its_slowest_rank_and_bills_every_rank_a_core) {
  const auto problem = assemble({measured(0, node("a", 2), 1, 3), measured(1, node("a", 2), 2, 2),
                                 measured(2, node("b"), 4, 0)});
  EXPECT_EQ(problem.nodes, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(problem.node_of_rank, (std::vector<std::size_t>{0, 0, 1}));
  const model::TableNode& a = problem.table[0];
  // 4 W all the time, and (20 - 4) / 2 W more for each core that computes.
  EXPECT_DOUBLE_EQ(a.measured[0].time.value(), 2);
  EXPECT_DOUBLE_EQ(a.measured[0].active_energy.value(), 2 * 4 + 8 * (1 + 2));
  EXPECT_DOUBLE_EQ(a.measured[0].waiting.value(), 4);
  EXPECT_DOUBLE_EQ(a.measured[1].time.value(), 4);
  EXPECT_DOUBLE_EQ(a.measured[1].active_energy.value(), 4 * 4 + 1 * (2 + 4));
  EXPECT_DOUBLE_EQ(a.communication.value(), 2); // the least of its ranks
  EXPECT_DOUBLE_EQ(problem.table[1].measured[0].active_energy.value(), 4 * 20);
}

TEST(assemble, takes_the_largest_share_of_computation_of_any_rank) {
  const auto problem = assemble({measured(0, node("a"), 1, 3), measured(1, node("b"), 3, 1)});
  EXPECT_DOUBLE_EQ(problem.computation_share, 0.75);
}

TEST(assemble, takes_iterations_of_different_length_that_were_made_comparable) {
  // Rank 1 measured an inner loop a tenth as long: its shares count, not its seconds.
  const auto problem =
      assemble(comparable({measured(0, node("a"), 1, 3), measured(1, node("b"), 0.3, 0.1),
                           measured(2, node("c"), 2, 2)}));
  EXPECT_DOUBLE_EQ(problem.table[1].measured[0].time.value(), 3);
  EXPECT_DOUBLE_EQ(problem.table[1].communication.value(), 1);
  EXPECT_DOUBLE_EQ(problem.table[0].measured[0].time.value(), 1);
}

TEST(assemble, leaves_iterations_of_nearly_the_same_length_as_they_are) {
  const auto problem =
      assemble(comparable({measured(0, node("a"), 1, 3), measured(1, node("b"), 1.5, 3),
                           measured(2, node("c"), 2, 2)}));
  EXPECT_DOUBLE_EQ(problem.table[1].measured[0].time.value(), 1.5);
  EXPECT_DOUBLE_EQ(problem.table[1].communication.value(), 3);
}

TEST(assemble, restores_what_ranks_would_wait_if_all_were_in_gear_0) {
  // Rank 0 computes 4 s in gear 1, 2 s in gear 0; 0.5 s of communication depend on no gear.
  const auto problem =
      assemble({measured_in(1, 0, node("a"), 4, 0.75), measured_in(0, 1, node("b"), 4.25, 0.5)});
  EXPECT_DOUBLE_EQ(problem.table[0].measured[0].time.value(), 2);
  EXPECT_DOUBLE_EQ(problem.table[0].measured[1].time.value(), 4);
  EXPECT_DOUBLE_EQ(problem.table[0].communication.value(), 4.25 + 0.5 - 2);
  EXPECT_DOUBLE_EQ(problem.table[1].measured[0].time.value(), 4.25);
  EXPECT_DOUBLE_EQ(problem.table[1].communication.value(), 0.5);
}

// --- Gear0Reference ---

TEST(gear0_reference, knows_nothing_before_it_has_learnt) {
  const Gear0Reference reference;
  EXPECT_FALSE(reference.baseline({measured(0, node("a"), 1, 1)}));
}

TEST(gear0_reference, adds_the_communication_of_gear_0_to_the_present_computation) {
  Gear0Reference reference;
  reference.learn({measured(0, node("a"), 1, 3), measured(1, node("b"), 3.5, 0.5)});
  // Twice the calls, in a loop that encloses the first one; a gear makes rank 0 slow.
  auto a = measured_in(1, 0, node("a"), 8, 2);
  auto b = measured_in(0, 1, node("b"), 8, 2);
  a.calls = b.calls = 2;
  const auto baseline = reference.baseline({a, b});
  ASSERT_TRUE(baseline);
  EXPECT_DOUBLE_EQ(baseline->time.value(), 8 + 2 * 0.5);
  EXPECT_DOUBLE_EQ(baseline->energy.value(), (20 * 4 + 4 * 5) + (20 * 8 + 4 * 1));
}

TEST(gear0_reference, does_not_take_a_longer_wait_from_the_first_iterations) {
  Gear0Reference reference;
  reference.learn({measured(0, node("a"), 1, 3), measured(1, node("b"), 1, 3)});
  const auto baseline =
      reference.baseline({measured_in(1, 0, node("a"), 2, 1), measured_in(1, 1, node("b"), 2, 1)});
  ASSERT_TRUE(baseline);
  EXPECT_DOUBLE_EQ(baseline->time.value(), 1 + 1);
}

TEST(measured_distance, compares_iterations_with_the_same_ones_in_gear_0) {
  auto a = measured_in(1, 0, node("a"), 2, 1);                    // 1 s in gear 0
  auto b = measured_in(0, 1, node("b", 2), 2, 1);                 // a rank of b has half the node
  a.computation_in_gear0 = b.computation_in_gear0 = Seconds{0.5}; // in the mean of all iterations
  const double joules = (6 * 2 + 4 * 1) + (10 * 2 + 2 * 1);
  const double in_gear0 = (20 * 1 + 4 * 1.5) + (10 * 2 + 2 * 0.5);
  EXPECT_DOUBLE_EQ(measured_distance({a, b}, 1.2), 1 / 1.2 - joules / in_gear0);
}

// --- Coordinator ---

/// What a rank's measurement makes rank 0 tell all; empty where some ranks are still to measure.
std::vector<GearOrder> add(Coordinator& coordinator, Measurement measurement) {
  std::vector<GearOrder> orders;
  for (const Message& message : coordinator.add(std::move(measurement)))
    orders.push_back(std::get<GearOrder>(message));
  return orders;
}

/// Rank 0 has 1 s of slack. Gear 1 on its node: 6 W * 2 s in place of 20 W * 1 s + 4 W * 1 s;
/// node b draws 20 W * 2 s. So 52 J in place of 64 J, in the same 2 s.
std::vector<GearOrder> add_with_slack(Coordinator& coordinator) {
  EXPECT_TRUE(coordinator.add(measured(0, node("a"), 1, 1)).empty());
  return add(coordinator, measured(1, node("b"), 2, 0));
}

TEST(coordinator, chooses_nothing_before_every_rank_has_measured) {
  Coordinator coordinator(exact, 3);
  EXPECT_EQ(coordinator.missing(), (std::vector<int>{0, 1, 2}));
  EXPECT_TRUE(coordinator.add(measured(2, node("b"), 1, 1)).empty());
  EXPECT_TRUE(coordinator.add(measured(0, node("a"), 1, 1)).empty());
  EXPECT_TRUE(coordinator.add(measured(0, node("a"), 1, 1)).empty()); // the same rank once more
  EXPECT_EQ(coordinator.missing(), std::vector<int>{1});
  EXPECT_TRUE(coordinator.decisions().empty());
  EXPECT_EQ(coordinator.add(measured(1, node("a"), 1, 1)).size(), 3u);
  EXPECT_EQ(coordinator.decisions().size(), 1u);
  EXPECT_TRUE(coordinator.missing().empty());
  coordinator.add(measured(2, node("b"), 1, 1));
  EXPECT_EQ(coordinator.missing(), (std::vector<int>{0, 1})); // for the next choice
}

TEST(coordinator, refuses_ranks_that_do_not_exist) {
  Coordinator coordinator(exact, 2);
  for (const int rank : {-1, 2, 1000}) {
    EXPECT_THROW(coordinator.add(measured(rank, node("a"), 1, 1)), Error);
    EXPECT_THROW(coordinator.note_late(rank), Error);
  }
}

TEST(coordinator, remembers_the_nodes_that_ranks_have_told) {
  Coordinator coordinator(exact, 2);
  (void)add_with_slack(coordinator);
  Measurement a = measured_in(1, 0, node("a"), 2, 0);
  Measurement b = measured(1, node("b"), 2, 0);
  a.node = b.node = unknown_node();
  a.node_is_known = b.node_is_known = true;
  EXPECT_TRUE(coordinator.add(a).empty());
  EXPECT_EQ(coordinator.add(b).size(), 2U);
  EXPECT_EQ(coordinator.decisions().back().nodes, (std::vector<std::string>{"a", "b"}));
  Measurement far = a;
  far.gear = 2; // of two
  EXPECT_THROW(coordinator.add(far), Error);
  Coordinator another(exact, 2);
  EXPECT_THROW(another.add(a), Error);
}

/// Orders of a choice for so many ranks whose iterations take a millisecond. Rank 0 has told of the
/// iteration before the one that the others told of.
/// Of the rank 1, when iterations of 1 ms are measured, of which rank 0 has done one less.
GearOrder order_for(Coordinator& coordinator, int ranks, std::size_t iterations) {
  std::vector<Message> orders;
  for (int rank = 0; rank < ranks; ++rank) {
    Measurement m = measured(rank, node(std::to_string(rank)), 0.0005, 0.0005);
    m.measured_iterations = rank == 0 ? iterations - 1 : iterations;
    const double elapsed = 0.01 + 0.001 * static_cast<double>(iterations);
    m.elapsed = Seconds{rank == 0 ? elapsed - 0.0009 : elapsed};
    m.orders = coordinator.decisions().size();
    orders = coordinator.add(m);
  }
  return std::get<GearOrder>(orders.at(1));
}

TEST(coordinator, has_all_ranks_measure_next_at_the_same_moment) {
  Coordinator coordinator(exact, 3);
  std::vector<Message> orders;
  for (int rank = 0; rank < 3; ++rank) {
    Measurement m = measured(rank, node(std::to_string(rank)), 0.0005, 0.0005);
    m.measured_iterations = rank == 0 ? 9 : 10;
    m.elapsed = Seconds{rank == 0 ? 0.0191 : 0.02};
    orders = coordinator.add(m);
  }
  ASSERT_EQ(orders.size(), 3U);
  EXPECT_EQ(std::get<GearOrder>(orders[0]).after, 6U);
  EXPECT_EQ(std::get<GearOrder>(orders[1]).after, 5U); // half as often again
  EXPECT_TRUE(std::get<GearOrder>(orders[1]).look_again);
}

/// 400 bytes of each take so long on a link of 1 Gbit/s, and may take 0.25 % of the time, and 2 ms.
TEST(coordinator, chooses_as_seldom_as_the_messages_of_many_ranks_make_it) {
  for (const int ranks : {8, 64, 256, 1024}) {
    const double messages = 400.0 * ranks / 125e6;
    Coordinator coordinator(exact, static_cast<std::size_t>(ranks));
    std::size_t iterations = 10;
    double sent = 0;
    for (int choice = 0; choice < 12; ++choice) {
      const double now = 0.01 + 0.001 * static_cast<double>(iterations);
      const GearOrder order = order_for(coordinator, ranks, iterations);
      sent += messages;
      const double half_as_often_again = 0.5 * static_cast<double>(iterations);
      const double affordable = ((sent - 0.002) / 0.0025 - now) / 0.001;
      EXPECT_NEAR(static_cast<double>(order.after), std::max(half_as_often_again, affordable), 2)
          << ranks << " " << choice;
      iterations += order.after;
    }
  }
}

TEST(coordinator, measures_as_often_under_a_bound_whose_account_it_keeps) {
  select::Request bounded;
  bounded.constraints.max_slowdown = 0.05;
  Coordinator coordinator(bounded, 256);
  EXPECT_EQ(order_for(coordinator, 256, 10).after, 0U);
}

TEST(coordinator, uses_slack_and_predicts_what_that_saves) {
  Coordinator coordinator(exact, 2);
  const auto orders = add_with_slack(coordinator);
  ASSERT_EQ(orders.size(), 2u);
  EXPECT_EQ(orders[0].gear, 1u);
  EXPECT_EQ(orders[1].gear, 0u);
  const Decision& decision = coordinator.decisions().front();
  EXPECT_EQ(decision.gears, (std::vector<std::size_t>{1, 0}));
  EXPECT_TRUE(decision.exact);
  EXPECT_EQ(decision.declined, "");
  EXPECT_DOUBLE_EQ(decision.baseline.time.value(), 2);
  EXPECT_DOUBLE_EQ(decision.baseline.energy.value(), 64);
  EXPECT_DOUBLE_EQ(decision.prediction.time.value(), 2);
  EXPECT_DOUBLE_EQ(decision.prediction.energy.value(), 52);
  EXPECT_DOUBLE_EQ(decision.prediction.distance, 1 - 52.0 / 64);
}

// --- methods for a homogeneous cluster ---

/// The gears that a method chooses where b computes for 2 s and a for less, both of 2 s.
std::vector<std::size_t> chosen_by(select::Method method, double a) {
  Coordinator coordinator(select::Request{.method = method}, 2);
  coordinator.add(measured(0, node("a"), a, 2 - a));
  (void)add(coordinator, measured(1, node("b"), 2 - a / 10, a / 10));
  EXPECT_EQ(coordinator.decisions().front().declined, "");
  return coordinator.decisions().front().gears;
}

TEST(coordinator, gives_all_nodes_that_are_alike_one_gear_where_that_is_the_method) {
  using select::Method;
  for (const double a : {0.2, 1.0, 1.8})
    for (const Method method : {Method::epsa, Method::epsa_rauber, Method::rauber_e}) {
      const auto gears = chosen_by(method, a);
      EXPECT_EQ(gears[0], gears[1]) << select::name_of(method) << " " << a;
    }
}

TEST(coordinator, predicts_the_energy_of_the_nodes_also_by_a_method_with_another) {
  Coordinator coordinator(select::Request{.method = select::Method::rauber_ep}, 2);
  coordinator.add(measured(0, node("a"), 1, 1));
  (void)add(coordinator, measured(1, node("b"), 1.5, 0.5));
  const Decision& decision = coordinator.decisions().front();
  ASSERT_EQ(decision.gears, (std::vector<std::size_t>{0, 1})); // the first of two slowest ones
  // a: 20 W for 1 s; b, twice as slow: 6 W for 3 s; 4 W while it waits.
  EXPECT_DOUBLE_EQ(decision.prediction.time.value(), 3.5);
  EXPECT_DOUBLE_EQ(decision.prediction.energy.value(), 20 + 4 * 2.5 + 6 * 3 + 4 * 0.5);
}

TEST(coordinator, says_that_a_method_is_for_nodes_that_are_alike) {
  Coordinator coordinator(select::Request{.method = select::Method::epsa}, 2);
  RankNode other = node("b");
  other.type.gears = model::GearTable{{Hertz{2e9}, Hertz{1.6e9}}};
  coordinator.add(measured(0, node("a"), 1, 1));
  (void)add(coordinator, measured(1, other, 1, 1));
  const Decision& decision = coordinator.decisions().front();
  EXPECT_EQ(decision.gears, (std::vector<std::size_t>{0, 0}));
  EXPECT_EQ(decision.declined, "the method epsa is for nodes that are alike, and these differ in "
                               "their gears or their power");
}

TEST(coordinator, gives_each_rank_its_nodes_gear_and_lets_one_rank_per_node_set_it) {
  Coordinator coordinator(exact, 4);
  coordinator.add(measured(3, node("a", 2), 1, 3));
  coordinator.add(measured(2, node("b", 2), 4, 0));
  coordinator.add(measured(1, node("b", 2), 4, 0));
  const auto orders = add(coordinator, measured(0, node("a", 2), 1, 3));
  ASSERT_EQ(orders.size(), 4u);
  EXPECT_EQ(orders[0].gear, 1u);
  EXPECT_EQ(orders[3].gear, 1u);
  EXPECT_EQ(orders[1].gear, 0u);
  EXPECT_EQ(orders[2].gear, 0u);
  EXPECT_NE(orders[0].set_it, orders[3].set_it);
  EXPECT_NE(orders[1].set_it, orders[2].set_it);
}

TEST(coordinator, never_chooses_without_a_request) {
  Coordinator coordinator(std::nullopt, 1);
  EXPECT_TRUE(coordinator.add(measured(0, node("a"), 1, 1)).empty());
  EXPECT_TRUE(coordinator.decisions().empty());
}

TEST(coordinator, leaves_ranks_in_gear_0_that_hardly_compute) {
  Coordinator coordinator(exact, 2);
  coordinator.add(measured(0, node("a"), 0.04, 0.96));
  const auto orders = add(coordinator, measured(1, node("b"), 0.01, 0.99));
  ASSERT_EQ(orders.size(), 2u);
  EXPECT_EQ(orders[0].gear, 0u);
  EXPECT_EQ(orders[1].gear, 0u);
  EXPECT_EQ(coordinator.decisions()[0].declined, "the ranks hardly compute in this loop");
  EXPECT_DOUBLE_EQ(coordinator.decisions()[0].prediction.distance, 0);
}

TEST(coordinator, chooses_where_one_rank_computes_and_the_others_only_wait) {
  Coordinator coordinator(exact, 2);
  coordinator.add(measured(0, node("a"), 0, 2));
  const auto orders = add(coordinator, measured(1, node("b"), 2, 0));
  EXPECT_EQ(orders.size(), 2u);
  EXPECT_EQ(coordinator.decisions()[0].declined, "");
  EXPECT_EQ(orders[1].gear, 0u);
}

TEST(coordinator, keeps_gears_that_do_as_they_should) {
  Coordinator coordinator(exact, 2);
  add_with_slack(coordinator);
  coordinator.add(measured_in(1, 0, node("a"), 2, 0));
  const auto orders = add(coordinator, measured_in(0, 1, node("b"), 2, 0));
  ASSERT_EQ(orders.size(), 2u);
  EXPECT_EQ(orders[0].gear, 1u);
  const Decision& second = coordinator.decisions()[1];
  EXPECT_EQ(second.declined, "");
  EXPECT_DOUBLE_EQ(second.baseline.energy.value(), 64);
  EXPECT_DOUBLE_EQ(second.prediction.distance, 1 - 52.0 / 64);
}

TEST(coordinator, refers_to_what_was_measured_in_gear_0_for_the_same_work) {
  Coordinator coordinator(exact, 2);
  add_with_slack(coordinator); // 3 s of work take 2 s and 64 J
  // Another loop, with twice the work, that waits 0.2 s longer than the gears alone explain.
  coordinator.add(measured_in(1, 0, node("a"), 4, 0.2));
  coordinator.add(measured_in(0, 1, node("b"), 4, 0.2));
  const Decision& second = coordinator.decisions()[1];
  EXPECT_DOUBLE_EQ(second.baseline.time.value(), 4);
  EXPECT_DOUBLE_EQ(second.baseline.energy.value(), 128);
  EXPECT_EQ(second.gears, (std::vector<std::size_t>{1, 0}));
  EXPECT_DOUBLE_EQ(second.prediction.p_norm, 4 / 4.2);
  EXPECT_DOUBLE_EQ(second.prediction.e_norm, (2 * 52 + 0.2 * 8) / 128);
  EXPECT_DOUBLE_EQ(second.prediction.distance, second.prediction.p_norm - second.prediction.e_norm);
}

/// Gear 1 on node a: 3 s and (6*2 + 4*1) + (20*2 + 4*1) = 60 J in place of 2 s and 64 J:
/// 2/3 - 60/64 = -27.1 points.
std::vector<GearOrder> add_disappointment(Coordinator& coordinator) {
  coordinator.add(measured_in(1, 0, node("a"), 2, 1));
  return add(coordinator, measured_in(0, 1, node("b"), 2, 1));
}

TEST(coordinator, looks_again_before_it_gives_gears_up) {
  Coordinator coordinator(exact, 2);
  add_with_slack(coordinator);
  EXPECT_TRUE(add_disappointment(coordinator)[0].look_again);
  EXPECT_EQ(coordinator.decisions()[1].declined, "");
  coordinator.add(measured_in(1, 0, node("a"), 2, 0)); // it was noise
  const auto orders = add(coordinator, measured_in(0, 1, node("b"), 2, 0));
  EXPECT_EQ(orders[0].gear, 1u);
  EXPECT_FALSE(orders[0].look_again);
  add_disappointment(coordinator);
  EXPECT_EQ(coordinator.decisions()[3].declined, "");
}

TEST(coordinator, gives_gears_up_for_good_when_they_cost_more_than_they_save) {
  Coordinator coordinator(exact, 2);
  add_with_slack(coordinator);
  add_disappointment(coordinator);
  auto orders = add_disappointment(coordinator);
  ASSERT_EQ(orders.size(), 2u);
  EXPECT_FALSE(orders[0].look_again);
  EXPECT_EQ(orders[0].gear, 0u);
  EXPECT_EQ(orders[1].gear, 0u);
  const std::string reason = coordinator.decisions()[2].declined;
  EXPECT_NE(reason.find("cost more than they save (distance -27.1 points)"), std::string::npos)
      << reason;

  coordinator.add(measured_in(0, 0, node("a"), 1, 1));
  orders = add(coordinator, measured_in(0, 1, node("b"), 2, 0));
  EXPECT_EQ(orders[0].gear, 0u);
  EXPECT_EQ(coordinator.decisions()[3].declined, reason);
}

TEST(coordinator, expects_gear_0_to_cost_what_it_did_after_gears_are_given_up) {
  Coordinator coordinator(exact, 2);
  add_with_slack(coordinator);
  add_disappointment(coordinator);
  add_disappointment(coordinator);
  const Decision& second = coordinator.decisions()[2];
  ASSERT_NE(second.declined, "");
  EXPECT_DOUBLE_EQ(second.prediction.p_norm, 1);
  EXPECT_DOUBLE_EQ(second.prediction.e_norm, 1);
  EXPECT_DOUBLE_EQ(second.prediction.time.value(), 2);
  EXPECT_DOUBLE_EQ(second.prediction.energy.value(), 64);
}

TEST(coordinator, tries_again_in_a_new_phase) {
  Coordinator coordinator(exact, 2);
  add_with_slack(coordinator);
  add_disappointment(coordinator);
  add_disappointment(coordinator);
  ASSERT_NE(coordinator.decisions()[2].declined, "");
  Measurement a = measured_in(0, 0, node("a"), 1, 1);
  Measurement b = measured_in(0, 1, node("b"), 2, 0);
  a.phase = b.phase = 1;
  coordinator.add(a);
  const auto orders = add(coordinator, b);
  ASSERT_EQ(orders.size(), 2u);
  EXPECT_EQ(orders[0].gear, 1u);
  EXPECT_EQ(coordinator.decisions()[3].declined, "");
}

TEST(coordinator, measures_a_new_phase_in_gear_0_before_it_chooses) {
  Coordinator coordinator(exact, 2);
  add_with_slack(coordinator);
  Measurement a = measured_in(1, 0, node("a"), 2, 1);
  Measurement b = measured_in(0, 1, node("b"), 2, 1);
  a.phase = b.phase = 1;
  coordinator.add(a);
  auto orders = add(coordinator, b);
  ASSERT_EQ(orders.size(), 2u);
  EXPECT_EQ(orders[0].gear, 0u);
  EXPECT_TRUE(orders[0].look_again);
  EXPECT_NE(coordinator.decisions()[1].declined.find("another loop"), std::string::npos);

  a = measured(0, node("a"), 1, 1);
  b = measured(1, node("b"), 2, 0);
  a.phase = b.phase = 1;
  coordinator.add(a);
  orders = add(coordinator, b);
  EXPECT_EQ(orders[0].gear, 1u);
  EXPECT_EQ(coordinator.decisions()[2].declined, "");
}

TEST(coordinator, looks_again_at_what_the_first_gears_of_a_phase_do) {
  Coordinator coordinator(exact, 2);
  EXPECT_TRUE(add_with_slack(coordinator)[1].look_again);
  coordinator.add(measured_in(1, 0, node("a"), 2, 0));
  EXPECT_FALSE(add(coordinator, measured_in(0, 1, node("b"), 2, 0))[1].look_again);
}

TEST(coordinator, does_not_give_gears_up_for_what_may_be_noise) {
  Coordinator coordinator(exact, 2);
  add_with_slack(coordinator);
  // 2.35 s and 54.8 J: 2/2.35 - 54.8/64 = -0.5 points.
  coordinator.add(measured_in(1, 0, node("a"), 2, 0.35));
  coordinator.add(measured_in(0, 1, node("b"), 2, 0.35));
  EXPECT_EQ(coordinator.decisions()[1].declined, "");
}

TEST(coordinator, passes_over_what_was_measured_before_a_rank_heard_of_the_last_choice) {
  Coordinator coordinator(exact, 2);
  add_with_slack(coordinator);
  EXPECT_TRUE(coordinator.add(measured_in(0, 1, node("b"), 2, 0)).empty());
  Measurement of_a = measured_in(1, 0, node("a"), 2, 0);
  of_a.orders = 0;
  EXPECT_TRUE(coordinator.add(of_a).empty());
  of_a.orders = 1;
  EXPECT_EQ(add(coordinator, of_a).size(), 2U);
}

TEST(coordinator, hears_of_a_loop_that_was_measured_in_earlier_gears_but_judges_none_by_it) {
  for (const std::size_t iterations : {9U, 0U}) {
    Coordinator coordinator(exact, 2);
    add_with_slack(coordinator);
    Measurement of_a = measured_in(1, 0, node("a"), 2, 0.35);
    of_a.measured_iterations = iterations;
    of_a.orders = iterations == 0 ? 0 : 1; // it may not even have heard of the choice
    EXPECT_TRUE(coordinator.add(of_a).empty());
    EXPECT_EQ(add(coordinator, measured_in(0, 1, node("b"), 2, 0.35)).size(), 2U);
    EXPECT_EQ(coordinator.decisions().front().measured_time_ratio.has_value(), iterations > 0);
  }
}

TEST(coordinator, asks_all_to_measure_again_when_a_rank_has_drifted) {
  Coordinator coordinator(exact, 2);
  EXPECT_TRUE(coordinator.add(Drifted{1, 1}).empty()); // of a choice that was not made
  add_with_slack(coordinator);
  EXPECT_TRUE(coordinator.add(Drifted{1, 0}).empty()); // it has not heard of the choice
  const auto requests = coordinator.add(Drifted{1, 1});
  ASSERT_EQ(requests.size(), 2U);
  for (const Message& request : requests)
    EXPECT_TRUE(std::holds_alternative<Remeasure>(request));
  EXPECT_TRUE(coordinator.add(Drifted{0, 1}).empty()); // they are at it
  coordinator.add(measured_in(1, 0, node("a"), 4, 0));
  const auto orders = add(coordinator, measured_in(0, 1, node("b"), 2, 2));
  ASSERT_EQ(orders.size(), 2U);
  EXPECT_FALSE(coordinator.add(Drifted{0, 2}).empty()); // and now again
  EXPECT_THROW(coordinator.add(Drifted{2, 2}), Error);
}

TEST(coordinator, does_not_choose_by_what_was_measured_before_a_rank_drifted) {
  Coordinator coordinator(exact, 2);
  add_with_slack(coordinator);
  coordinator.add(measured_in(1, 0, node("a"), 2, 0));
  EXPECT_EQ(coordinator.add(Drifted{1, 1}).size(), 2U);
  EXPECT_TRUE(coordinator.add(measured_in(0, 1, node("b"), 2, 0)).empty());
  EXPECT_EQ(coordinator.add(measured_in(1, 0, node("a"), 2, 0)).size(), 2U);
}

TEST(coordinator, measures_gear_0_again_after_a_drift_where_a_bound_is_to_be_kept) {
  for (const bool bounded : {false, true}) {
    select::Request request;
    if (bounded)
      request.constraints.max_slowdown = 0.5;
    Coordinator coordinator(request, 2);
    add_with_slack(coordinator);
    ASSERT_FALSE(coordinator.add(Drifted{1, 1}).empty());
    coordinator.add(measured_in(1, 0, node("a"), 2, 2));
    const auto orders = add(coordinator, measured_in(0, 1, node("b"), 4, 0));
    EXPECT_EQ(orders[0].gear, bounded ? 0U : 1U);
    EXPECT_EQ(coordinator.decisions()[1].declined,
              bounded ? "the iterations have changed, and are measured in gear 0 first" : "");
  }
}

TEST(coordinator, lets_all_stay_in_their_gears_when_a_look_finds_no_slack) {
  Coordinator coordinator(exact, 2);
  const auto looked = [&](int rank) {
    return coordinator.add(EarlyMeasurement{.rank = rank,
                                            .node = node(rank == 0 ? "a" : "b"),
                                            .look = 3,
                                            .elapsed = Seconds{0.16},
                                            .computation_in_gear0 = Seconds{0.15}});
  };
  EXPECT_TRUE(looked(0).empty());
  const auto answers = looked(1);
  ASSERT_EQ(answers.size(), 2U);
  for (const Message& answer : answers)
    EXPECT_TRUE(std::holds_alternative<Stay>(answer));
  EXPECT_TRUE(coordinator.decisions().empty());
}

TEST(coordinator, says_why_a_method_cannot_choose) {
  select::Request brute;
  brute.method = select::Method::brute; // 2^24 gear vectors
  constexpr int ranks = 24;
  Coordinator coordinator(brute, ranks);
  std::vector<GearOrder> orders;
  for (int rank = 0; rank < ranks; ++rank)
    orders = add(coordinator, measured(rank, node(std::to_string(rank)), 1, 1));
  ASSERT_EQ(orders.size(), std::size_t{ranks});
  EXPECT_TRUE(std::ranges::all_of(orders, [](const GearOrder& o) { return o.gear == 0; }));
  EXPECT_NE(coordinator.decisions()[0].declined, "");
}

} // namespace
} // namespace hypermile::runtime
