// Programs that decide while they run who does what: no gears are chosen for them.

#include "runtime/decide/coordinator.hpp"

#include "support/nodes.hpp"
#include "support/scripted_timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace hypermile::runtime {
namespace {

/// Rank 0 takes so many messages of the others in each round, from whoever comes first. It has
/// computed less than they when all wait for each other.
std::vector<Measurement> heard(const std::array<int, 2>& messages, std::uint64_t communicator,
                               std::size_t loop, std::size_t rounds) {
  std::vector<Measurement> all;
  for (int rank = 0; rank < 3; ++rank) {
    const double computation = rank == 0 ? 0.001 : 0.003;
    test::Script script;
    Measurement m{.rank = rank, .node = test::node("node-" + std::to_string(rank))};
    std::size_t events = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
      m.iterations.push_back(events);
      script.computes(computation);
      for (int sender = 1; sender <= 2; ++sender)
        for (int i = 0; i < messages.at(static_cast<std::size_t>(sender - 1)); ++i)
          if (rank == 0)
            script.receives(sender, 0.00001);
          else if (rank == sender)
            script.sends(0, 0.00001);
      script.joins(model::Shape::all, 3, 0.0031 - computation);
      events = script.done().events.size();
    }
    m.iterations.push_back(events);
    m.computation = m.computation_in_gear0 = Seconds{computation};
    m.communication = Seconds{0.0031 - computation};
    m.elapsed = Seconds{static_cast<double>(loop)};
    m.loop = loop;
    m.timeline = script.done();
    for (model::Operation& operation : m.timeline->operations)
      if (operation.action == model::Action::send || operation.action == model::Action::receive) {
        operation.communicator = communicator;
        operation.from_any = operation.action == model::Action::receive;
      }
    all.push_back(std::move(m));
  }
  return all;
}

constexpr std::array<int, 2> uneven{2, 1};
constexpr std::array<int, 2> even{1, 1};

class Assignment : public testing::Test {
protected:
  const Decision& choose(const std::array<int, 2>& messages, std::uint64_t communicator,
                         std::size_t rounds = 10) {
    ++loop_;
    for (Measurement& m : heard(messages, communicator, loop_, rounds)) {
      m.timeline->incomplete = incomplete_;
      coordinator_.add(m);
    }
    EXPECT_EQ(coordinator_.decisions().size(), loop_);
    return coordinator_.decisions().back();
  }
  static bool sets_a_gear(const Decision& decision) {
    return std::ranges::any_of(decision.gears, [](std::size_t gear) { return gear > 0; });
  }

  void expect_doubt_at_first() {
    for (int heard = 3; heard <= 6; heard += 3) { // messages of each
      const Decision& decision = choose(even, 5, 3);
      EXPECT_FALSE(sets_a_gear(decision));
      EXPECT_NE(decision.declined.find("some more will tell"), std::string::npos)
          << decision.declined;
    }
    EXPECT_TRUE(sets_a_gear(choose(even, 5, 3)));
  }
  /// From now on: of what was recorded nobody can tell who waits for whom.
  void follow_nothing() { incomplete_ = "Put"; }

private:
  std::string incomplete_;
  Coordinator coordinator_{select::Request{}, 3, {.functions = {"Send"}}};
  std::size_t loop_ = 0;
};

TEST_F(Assignment, is_none_where_all_are_heard_equally_often) {
  EXPECT_TRUE(sets_a_gear(choose(even, 5)));
}

TEST_F(Assignment, leaves_all_in_gear_0) {
  const Decision& decision = choose(uneven, 5);
  EXPECT_FALSE(sets_a_gear(decision));
  EXPECT_NE(decision.declined.find("rank 0 gives work"), std::string::npos) << decision.declined;
}

TEST_F(Assignment, is_remembered_where_by_chance_all_get_as_much_in_another_loop) {
  (void)choose(uneven, 5);
  const Decision& decision = choose(even, 5);
  EXPECT_FALSE(sets_a_gear(decision));
  EXPECT_NE(decision.declined.find("rank 0 gives work"), std::string::npos) << decision.declined;
}

TEST_F(Assignment, says_nothing_of_a_loop_with_other_messages) {
  (void)choose(uneven, 5);
  EXPECT_TRUE(sets_a_gear(choose(even, 6)));
}

TEST_F(Assignment, is_possible_as_long_as_few_messages_were_heard) { expect_doubt_at_first(); }

TEST_F(Assignment, is_possible_where_nobody_can_tell_who_waits_for_whom) {
  follow_nothing();
  expect_doubt_at_first();
}

} // namespace
} // namespace hypermile::runtime
