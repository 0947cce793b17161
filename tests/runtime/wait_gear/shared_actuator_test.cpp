#include "runtime/wait_gear/shared_actuator.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace hypermile::runtime {
namespace {

/// A node that may refuse gears.
class Node final : public control::Actuator {
public:
  struct State {
    std::size_t gear = 0;
    bool refuses = false;
  };
  explicit Node(State& state) : state_(state) {}
  [[nodiscard]] std::size_t gear() const override { return state_.gear; }
  void set_gear(std::size_t gear) override {
    if (state_.refuses)
      throw Error(ErrorKind::hardware, "busy");
    state_.gear = gear;
  }

private:
  State& state_;
};

TEST(a_shared_actuator, goes_back_to_the_gear_to_compute_in) {
  Node::State node;
  SharedActuator shared(std::make_unique<Node>(node));
  shared.set_gear(1);
  shared.lower(4);
  EXPECT_EQ(node.gear, 4U);
  EXPECT_EQ(shared.gear(), 1U);
  shared.raise();
  EXPECT_EQ(node.gear, 1U);
}

TEST(a_shared_actuator, loses_no_gear_that_is_set_while_the_node_waits) {
  Node::State node;
  SharedActuator shared(std::make_unique<Node>(node));
  shared.lower(4);
  shared.set_gear(2);
  EXPECT_EQ(node.gear, 2U);
  EXPECT_EQ(shared.gear(), 2U);
  shared.raise();
  EXPECT_EQ(node.gear, 2U);
}

TEST(a_shared_actuator, goes_back_also_where_the_node_took_a_part_of_the_wait_gear) {
  Node::State node;
  SharedActuator shared(std::make_unique<Node>(node));
  shared.set_gear(1);
  node.refuses = true;
  EXPECT_THROW(shared.lower(4), Error);
  node.gear = 4;
  EXPECT_THROW(shared.raise(), Error);
  node.refuses = false;
  shared.raise();
  EXPECT_EQ(node.gear, 1U);
}

TEST(a_shared_actuator, keeps_the_gear_of_before_where_the_node_refuses_another_one) {
  Node::State node;
  SharedActuator shared(std::make_unique<Node>(node));
  shared.set_gear(1);
  shared.lower(4);
  node.refuses = true;
  EXPECT_THROW(shared.set_gear(2), Error);
  EXPECT_EQ(shared.gear(), 1U);
  node.refuses = false;
  shared.raise();
  EXPECT_EQ(node.gear, 1U);
}

TEST(a_shared_actuator, ends_in_the_last_gear_that_was_set_whatever_two_threads_do) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Node::State node;
    SharedActuator shared(std::make_unique<Node>(node));
    std::thread keeper([&] {
      for (int i = 0; i < 200; ++i) {
        shared.lower(5);
        shared.raise();
      }
    });
    std::mt19937 random(seed);
    std::size_t last = 0;
    for (int i = 0; i < 200; ++i)
      shared.set_gear(last = random() % 5);
    keeper.join();
    EXPECT_EQ(node.gear, last);
    EXPECT_EQ(shared.gear(), last);
  }
}

} // namespace
} // namespace hypermile::runtime
