#include "runtime/wait_gear/keeper.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <random>
#include <thread>
#include <vector>

namespace hypermile::runtime {
namespace {

using namespace std::chrono_literals;

/// Gears with S = 1, 1.25 and 2.5; waiting draws 40, 30 and 10 W.
model::NodeType type() {
  return {.name = "node",
          .cores = 2,
          .speed = Speed{1},
          .gears = model::GearTable{{Hertz{2.5e9}, Hertz{2e9}, Hertz{1e9}}},
          .power = {{Watts{50}, Watts{40}, Watts{5}},
                    {Watts{35}, Watts{30}, Watts{5}},
                    {Watts{15}, Watts{10}, Watts{5}}}};
}

/// The machine's side of an actuator, which may refuse gears.
struct Machine {
  std::atomic<std::size_t> gear = 0;
  std::atomic<std::size_t> changes = 0;
  std::atomic<bool> refuses_low = false;
  std::atomic<int> refuses_raises = 0; ///< so many of the next
};

class Files final : public control::Actuator {
public:
  explicit Files(Machine& machine) : machine_(machine) {}
  [[nodiscard]] std::size_t gear() const override { return gear_; }
  void set_gear(std::size_t gear) override {
    ++machine_.changes;
    if (gear == 2 && machine_.refuses_low)
      throw Error(ErrorKind::hardware, "cannot be lowered");
    if (gear < 2 && gear < machine_.gear && machine_.refuses_raises > 0) {
      --machine_.refuses_raises;
      throw Error(ErrorKind::hardware, "cannot be raised");
    }
    machine_.gear = gear_ = gear;
  }

private:
  Machine& machine_;
  std::size_t gear_ = 0;
};

constexpr WaitGearKeeper::Limits no_limits{.share = 1e9, .anyway = Seconds{1e9}};

struct Kept {
  Machine machine{};
  WaitBoard board;
  SharedActuator actuator{std::make_unique<Files>(machine)};
  WaitGearKeeper keeper;

  explicit Kept(std::size_t ranks, model::NodeType node = type(),
                WaitGearWay way = WaitGearWay::set, WaitGearKeeper::Limits limits = no_limits)
      : board(WaitBoard::create(ranks)), keeper(board, actuator, way, std::move(node), limits) {
    keeper.start();
  }
  void enter(std::size_t rank) { board.enter(rank, monotonic_ns(), WaitBoard::unknown); }
  void leave(std::size_t rank) { board.leave(rank, monotonic_ns()); }
  /// Returns when the machine is in that gear: if the keeper fails to do so, never.
  void wait_for(std::size_t gear) const {
    while (machine.gear != gear)
      std::this_thread::sleep_for(100us);
  }
};

TEST(the_keeper, lowers_the_gear_while_all_ranks_wait_and_raises_it_for_the_first) {
  Kept node(2);
  node.enter(0);
  node.enter(1);
  node.wait_for(2);
  node.leave(1);
  node.wait_for(0);
  node.keeper.stop();
  const WaitGearUse& use = node.keeper.use();
  EXPECT_TRUE(use.set);
  EXPECT_EQ(use.times, 1U);
  EXPECT_EQ(use.gear, 2U);
  EXPECT_GT(use.time, Seconds{});
  EXPECT_NEAR(use.saved.value(), (40 - 10) * use.time.value(), 1e-9);
  EXPECT_GT(use.late, Seconds{});
  EXPECT_NEAR(use.cost.value(), use.late.value() * (1 - 1 / 2.5), 1e-9);
  EXPECT_EQ(use.problem, "");
}

TEST(the_keeper, goes_back_to_a_gear_that_was_chosen_meanwhile) {
  Kept node(1);
  node.enter(0);
  node.wait_for(2);
  node.leave(0);
  node.actuator.set_gear(1);
  node.wait_for(1);
  node.enter(0);
  node.wait_for(2);
  node.leave(0);
  node.wait_for(1);
  node.keeper.stop();
  EXPECT_EQ(node.machine.gear, 1U);
}

TEST(the_keeper, raises_the_gear_before_an_expected_end) {
  Kept node(1);
  node.board.enter(0, monotonic_ns(), monotonic_ns() + 30'000'000);
  node.wait_for(2);
  node.wait_for(0); // nobody has gone on
  node.board.leave(0, monotonic_ns());
  node.keeper.stop();
  EXPECT_EQ(node.keeper.use().late, Seconds{});
}

TEST(the_keeper, raises_the_gear_also_for_a_rank_that_has_waited_again_meanwhile) {
  Kept node(1);
  std::mt19937 random(3);
  for (int i = 0; i < 30; ++i) {
    node.enter(0);
    node.wait_for(2);
    node.leave(0);
    const std::int64_t now = monotonic_ns(); // as likely as not the keeper has not looked yet
    node.board.enter(0, now, now + 1'000'000'000);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 100));
    node.leave(0);
    node.wait_for(0);
  }
}

TEST(the_keeper, restores_the_gear_when_it_is_stopped_while_ranks_wait) {
  Kept node(1);
  node.actuator.set_gear(1);
  node.enter(0);
  node.wait_for(2);
  node.keeper.stop();
  EXPECT_EQ(node.machine.gear, 1U);
}

TEST(the_keeper, leaves_a_node_alone_that_draws_the_same_while_it_waits) {
  model::NodeType flat = type();
  for (auto& power : flat.power)
    power.waiting = Watts{10};
  Kept node(1, flat);
  node.enter(0);
  std::this_thread::sleep_for(3ms);
  node.keeper.stop();
  EXPECT_EQ(node.machine.changes, 0U);
  EXPECT_FALSE(node.keeper.use().pays);
  EXPECT_EQ(node.keeper.use().times, 0U);
}

TEST(the_keeper, only_imagines_where_no_gear_is_to_be_set) {
  Kept node(1, type(), WaitGearWay::imagine);
  node.enter(0);
  while (node.board.window().until != WaitBoard::still_low)
    std::this_thread::sleep_for(100us);
  node.leave(0);
  node.keeper.stop();
  EXPECT_EQ(node.machine.changes, 0U);
  EXPECT_FALSE(node.keeper.use().set);
  EXPECT_EQ(node.keeper.use().times, 1U);
  EXPECT_GT(node.keeper.use().saved, Joules{});
}

TEST(the_keeper, gives_up_where_the_gear_cannot_be_lowered) {
  Kept node(1);
  node.machine.refuses_low = true;
  node.enter(0);
  const std::size_t before = node.machine.changes;
  while (node.machine.changes < before + 2) // down, and back to be sure
    std::this_thread::sleep_for(100us);
  node.leave(0);
  node.machine.refuses_low = false;
  node.enter(0);
  std::this_thread::sleep_for(3ms);
  node.leave(0);
  node.keeper.stop();
  EXPECT_EQ(node.machine.gear, 0U);
  EXPECT_EQ(node.machine.changes, before + 2);
  EXPECT_EQ(node.keeper.use().problem, "the wait gear cannot be set: cannot be lowered");
}

TEST(the_keeper, tries_until_the_gear_can_be_raised_and_lowers_it_no_more) {
  Kept node(1);
  node.machine.refuses_raises = 3;
  node.enter(0);
  node.wait_for(2);
  node.leave(0);
  node.wait_for(0);
  node.enter(0);
  std::this_thread::sleep_for(3ms);
  node.keeper.stop();
  EXPECT_EQ(node.machine.gear, 0U);
  EXPECT_EQ(node.keeper.use().times, 1U);
  EXPECT_EQ(node.keeper.use().problem, "the wait gear cannot be left: cannot be raised");
}

TEST(the_keeper, tries_on_where_the_gear_cannot_be_raised_as_the_program_begins) {
  Machine machine;
  machine.refuses_raises = 2;
  WaitBoard board = WaitBoard::create(1);
  SharedActuator actuator(std::make_unique<Files>(machine));
  WaitGearKeeper keeper(board, actuator, WaitGearWay::set, type(), no_limits);
  keeper.start();
  while (machine.gear != 0)
    std::this_thread::sleep_for(100us);
  keeper.stop();
  EXPECT_EQ(keeper.use().problem, "the wait gear cannot be left: cannot be raised");
}

TEST(the_keeper, stops_lowering_gears_that_cost_too_much) {
  Kept node(1, type(), WaitGearWay::set, {.share = 0, .anyway = Seconds{}});
  const auto wait_once = [&node] {
    node.enter(0);
    std::this_thread::sleep_for(3ms);
    node.leave(0);
  };
  node.enter(0);
  node.wait_for(2); // nothing has been lost yet
  node.leave(0);
  node.wait_for(0);
  const std::size_t before = node.machine.changes;
  for (int i = 0; i < 5; ++i)
    wait_once();
  node.keeper.stop();
  EXPECT_GT(node.keeper.cost(), Seconds{});
  EXPECT_EQ(node.machine.changes, before);
}

TEST(the_keeper, always_raises_the_gear_however_ranks_come_and_go) {
  constexpr std::size_t ranks = 3;
  Kept node(ranks);
  std::vector<std::thread> threads;
  for (std::size_t r = 0; r < ranks; ++r)
    threads.emplace_back([&node, r] {
      std::mt19937 random(static_cast<unsigned>(r));
      for (int i = 0; i < 60; ++i) {
        const std::int64_t now = monotonic_ns();
        const bool expects = random() % 2 == 0;
        const auto span = std::chrono::microseconds(random() % 4000);
        node.board.enter(r, now, expects ? now + std::chrono::nanoseconds(span).count() / 2 : 0);
        std::this_thread::sleep_for(span);
        node.leave(r);
        node.wait_for(0); // ends although no other rank may ever move again
      }
      node.enter(r);
    });
  for (std::thread& thread : threads)
    thread.join();
  node.keeper.stop();
  EXPECT_EQ(node.machine.gear, 0U);
}

} // namespace
} // namespace hypermile::runtime
