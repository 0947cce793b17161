// When clusters that do not wait for each other are told to stop.

#include "multisplitting/coordinator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <random>

namespace apps::multisplitting {
namespace {

constexpr double bound = 1.0;

/// Tells that both of two clusters are well below the bound.
void say_done(Coordinator& coordinator, int phase) {
  coordinator.says_residual(0, phase, 0.1);
  coordinator.says_residual(1, phase, 0.1);
}

TEST(coordinator, asks_for_copies_when_all_clusters_have_said_that_they_are_done) {
  Coordinator coordinator(2, bound);
  coordinator.says_residual(0, 0, 0.1);
  EXPECT_EQ(coordinator.next(), std::nullopt) << "the other one has said nothing yet";
  coordinator.says_residual(1, 0, 0.95);
  EXPECT_EQ(coordinator.next(), std::nullopt) << "together they are above the bound";
  coordinator.says_residual(1, 0, 0.85);
  EXPECT_EQ(coordinator.next(), Order::verify);
  EXPECT_EQ(coordinator.next(), std::nullopt) << "an order is given once";
}

TEST(coordinator, stops_for_copies_alone) {
  Coordinator coordinator(2, bound);
  say_done(coordinator, 0);
  ASSERT_EQ(coordinator.next(), Order::verify);
  say_done(coordinator, 0);
  EXPECT_EQ(coordinator.next(), std::nullopt);
  coordinator.says_residual_of_copy(0, 0.4);
  EXPECT_EQ(coordinator.next(), std::nullopt);
  coordinator.says_residual_of_copy(1, 0.6);
  EXPECT_EQ(coordinator.next(), Order::stop);
  EXPECT_EQ(coordinator.next(), std::nullopt);
}

TEST(coordinator, begins_a_new_phase_after_copies_that_were_not_good_enough) {
  Coordinator coordinator(2, bound);
  say_done(coordinator, 0);
  ASSERT_EQ(coordinator.next(), Order::verify);
  coordinator.says_residual_of_copy(0, 0.9);
  coordinator.says_residual_of_copy(1, 0.2);
  EXPECT_EQ(coordinator.next(), Order::resume);
  say_done(coordinator, 0);
  EXPECT_EQ(coordinator.next(), std::nullopt) << "that was said in the phase before";
  say_done(coordinator, 1);
  EXPECT_EQ(coordinator.next(), Order::verify);
  coordinator.says_residual_of_copy(0, 0.3);
  EXPECT_EQ(coordinator.next(), std::nullopt) << "the other copy was one of the phase before";
}

TEST(coordinator, does_not_stop_for_what_is_no_number) {
  Coordinator coordinator(2, bound);
  coordinator.says_residual(0, 0, std::nan(""));
  coordinator.says_residual(1, 0, 0.0);
  EXPECT_EQ(coordinator.next(), std::nullopt);
  say_done(coordinator, 0);
  ASSERT_EQ(coordinator.next(), Order::verify);
  coordinator.says_residual_of_copy(0, std::nan(""));
  coordinator.says_residual_of_copy(1, 0.0);
  EXPECT_EQ(coordinator.next(), Order::resume);
}

TEST(coordinator, gives_up_when_a_cluster_has_reached_its_limit) {
  Coordinator coordinator(2, bound);
  coordinator.says_limit_reached();
  EXPECT_EQ(coordinator.next(), Order::give_up);
  say_done(coordinator, 0);
  EXPECT_EQ(coordinator.next(), std::nullopt);
}

TEST(coordinator, gives_up_also_where_a_copy_never_comes) {
  Coordinator coordinator(2, bound);
  say_done(coordinator, 0);
  ASSERT_EQ(coordinator.next(), Order::verify);
  coordinator.says_limit_reached();
  EXPECT_EQ(coordinator.next(), Order::give_up);
}

/// Clusters whose residuals go up and down at random and whose messages take a random time, but
/// arrive in the order sent.
struct Fake {
  struct Said {
    bool of_copy;
    int phase;
    double squared;
  };
  double squared = 10.0;
  double copy = 0.0;
  int phase = 0;
  bool has_copy = false;
  std::deque<Said> said;
  std::deque<Order> told;
};

void obey(Fake& cluster) {
  const Order order = cluster.told.front();
  cluster.told.pop_front();
  if (order == Order::verify) {
    cluster.copy = cluster.squared;
    cluster.has_copy = true;
    cluster.said.push_back({true, cluster.phase, cluster.copy});
  } else if (order == Order::resume) {
    cluster.has_copy = false;
    ++cluster.phase;
  }
}

void hear(Coordinator& coordinator, std::size_t index, Fake& cluster) {
  const Fake::Said said = cluster.said.front();
  cluster.said.pop_front();
  if (said.of_copy)
    coordinator.says_residual_of_copy(index, said.squared);
  else
    coordinator.says_residual(index, said.phase, said.squared);
}

TEST(coordinator, never_stops_unless_the_copies_are_good_enough_whenever_messages_come) {
  int resumed = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> change(-0.8, 0.75);
    std::vector<Fake> clusters(1 + seed % 5);
    Coordinator coordinator(clusters.size(), bound);
    std::optional<Order> order;
    for (int step = 0; order != Order::stop; ++step) {
      ASSERT_LT(step, 100'000) << "seed " << seed;
      const std::size_t index = random() % clusters.size();
      Fake& cluster = clusters[index];
      cluster.squared *= std::exp(change(random));
      if (!cluster.has_copy)
        cluster.said.push_back({false, cluster.phase, cluster.squared});
      if (!cluster.told.empty() && random() % 4 == 0)
        obey(cluster);
      if (!cluster.said.empty() && random() % 4 != 0)
        hear(coordinator, index, cluster);
      order = coordinator.next();
      resumed += order == Order::resume ? 1 : 0;
      if (order)
        for (Fake& each : clusters)
          each.told.push_back(*order);
    }
    double sum = 0.0;
    for (const Fake& cluster : clusters) {
      EXPECT_TRUE(cluster.has_copy) << "seed " << seed;
      sum += cluster.copy;
    }
    EXPECT_LE(sum, bound) << "seed " << seed;
  }
  EXPECT_GT(resumed, 50) << "copies were seldom bad: the test shows nothing";
}

} // namespace
} // namespace apps::multisplitting
