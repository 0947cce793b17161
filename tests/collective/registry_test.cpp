#include "collective/registry.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace hypermile::collective {
namespace {

const Algorithm& algorithm(const std::string& collective, const std::string& name) {
  return *find_algorithm(collective_named(collective), Library::openmpi, name);
}

bool works(const std::string& collective, const std::string& name, std::size_t processes,
           std::size_t size_b, std::size_t segment_b = 0) {
  return works(collective_named(collective), algorithm(collective, name), processes, size_b,
               segment_b);
}

// What Open MPI 4.1.4 ran in place of these was observed: see docs/collectives.md.
TEST(Registry, an_algorithm_works_where_the_library_takes_no_other_in_its_place) {
  EXPECT_TRUE(works("allgather", "recursive_doubling", 8, 1));
  EXPECT_FALSE(works("allgather", "recursive_doubling", 6, 1));
  EXPECT_TRUE(works("allgather", "neighbor", 6, 1));
  EXPECT_FALSE(works("allgather", "neighbor", 5, 1));
  EXPECT_TRUE(works("alltoall", "two_proc", 2, 1));
  EXPECT_FALSE(works("alltoall", "two_proc", 4, 1));
  EXPECT_TRUE(works("allreduce", "ring", 5, 40)); // 5 doubles
  EXPECT_FALSE(works("allreduce", "ring", 5, 32));
  EXPECT_TRUE(works("allreduce", "rabenseifner", 5, 32));
  EXPECT_FALSE(works("allreduce", "rabenseifner", 5, 24));
  EXPECT_TRUE(works("allreduce", "segmented_ring", 3, 384, 128));
  EXPECT_FALSE(works("allreduce", "segmented_ring", 3, 376, 128));
  EXPECT_FALSE(works("allreduce", "segmented_ring", 3, 4096, 0));
  EXPECT_TRUE(works("bcast", "pipeline", 7, 1, 0));
}

/// Below the boundary the rule does not count, at it it does, and there is no size between them.
TEST(Registry, sizes_around_a_boundary_are_next_to_each_other) {
  for (const Collective& collective : collectives())
    for (const RuleSize measure : {RuleSize::message, RuleSize::times_all})
      for (const std::size_t processes : {2U, 3U, 8U})
        for (std::size_t boundary = 1; boundary < 200; ++boundary) {
          const auto [below_b, from_b] = sizes_around(collective, measure, boundary, processes);
          EXPECT_LT(rule_size_b(measure, below_b, processes), boundary);
          EXPECT_GE(rule_size_b(measure, from_b, processes), boundary);
          EXPECT_EQ(from_b - below_b, collective.element_b);
          EXPECT_EQ(from_b % collective.element_b, 0U);
        }
}

TEST(Registry, names_and_numbers_are_there_once) {
  std::set<int> rules;
  for (const Collective& collective : collectives()) {
    EXPECT_TRUE(rules.insert(collective.openmpi_rule).second) << collective.name;
    EXPECT_EQ(&collective_named(collective.name), &collective);
    EXPECT_EQ(collective.first_b % collective.element_b, 0U);
    for (const Library library : {Library::openmpi, Library::mpich, Library::smpi}) {
      std::set<std::string_view> names;
      std::set<int> numbers;
      for (const Algorithm& one : algorithms_of(collective, library)) {
        EXPECT_TRUE(names.insert(one.name).second) << one.name;
        EXPECT_EQ(library == Library::smpi, one.number == 0 || one.own) << one.name;
        EXPECT_TRUE(one.number == 0 || numbers.insert(one.number).second) << one.name;
      }
    }
  }
}

} // namespace
} // namespace hypermile::collective
