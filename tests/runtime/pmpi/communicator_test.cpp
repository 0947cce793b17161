#include "runtime/pmpi/observe/communicator.hpp"

#include <gtest/gtest.h>

#include <set>

namespace hypermile::runtime::pmpi {
namespace {

/// What a rank sees when it splits MPI_COMM_WORLD of 4 ranks into even and odd.
Communicator split(Communicator& world, int rank) {
  return world.child(world.count_child(), Function::Comm_split, {rank % 2, rank % 2 + 2});
}

TEST(communicator, has_the_same_number_on_all_its_members) {
  auto on_0 = Communicator::world(4);
  auto on_2 = Communicator::world(4);
  EXPECT_EQ(on_0.number(), on_2.number());
  EXPECT_EQ(split(on_0, 0).number(), split(on_2, 2).number());
}

TEST(communicator, has_a_number_that_no_other_has) {
  auto world = Communicator::world(4);
  std::set<std::uint64_t> numbers{world.number()};
  for (int rank = 0; rank < 4; ++rank)
    EXPECT_TRUE(numbers.insert(Communicator::self(rank).number()).second);
  const auto add = [&](const Communicator& made) {
    EXPECT_TRUE(numbers.insert(made.number()).second);
  };
  add(split(world, 0));
  add(world.child(0, Function::Comm_split, {1, 3})); // the other half, at the same time
  add(world.child(0, Function::Comm_dup, {0, 2}));
  add(world.child(0, Function::Comm_split, {2, 0}));
  add(split(world, 0));
  auto self = Communicator::self(0);
  add(self.child(self.count_child(), Function::Comm_dup, {0}));
  for (int i = 0; i < 2; ++i)
    for (int tag = 0; tag < 2; ++tag)
      add(world.group_child(tag, {0, 2}));
}

TEST(communicator, of_a_group_depends_on_its_members_alone) {
  auto on_0 = Communicator::world(4);
  auto on_1 = Communicator::world(4);
  (void)on_0.group_child(0, {0, 2}); // rank 1 does not hear of this one
  EXPECT_EQ(on_0.group_child(0, {0, 1}).number(), on_1.group_child(0, {0, 1}).number());
}

TEST(communicator, knows_its_ranks_in_the_world) {
  const auto odd = Communicator::world(4).child(0, Function::Comm_split, {3, 1});
  EXPECT_EQ(odd.size(), 2u);
  EXPECT_EQ(odd.world_rank(0), 3);
  EXPECT_EQ(odd.world_rank(1), 1);
  EXPECT_EQ(odd.world_rank(2), -1);
  EXPECT_EQ(odd.world_rank(-1), -1);
  EXPECT_EQ(Communicator::self(3).world_rank(0), 3);
}

} // namespace
} // namespace hypermile::runtime::pmpi
