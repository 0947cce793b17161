#include "backend/topology/topology.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

using namespace hypermile;
using namespace hypermile::backend::topology;
using model::Placement;

namespace {

/// Two packages of two cores of two CPUs, numbered as Linux does: the second CPUs of all cores
/// come after the first ones.
Topology two_packages() {
  return Topology(
      {{0, 0, 0}, {4, 0, 0}, {1, 1, 0}, {5, 1, 0}, {2, 2, 1}, {6, 2, 1}, {3, 3, 1}, {7, 3, 1}});
}

class SyntheticMachine : public testing::Test {
protected:
  ~SyntheticMachine() override { ::unsetenv("HWLOC_SYNTHETIC"); }
  static Topology machine(const char* description) {
    ::setenv("HWLOC_SYNTHETIC", description, 1);
    return read_topology();
  }
};

} // namespace

TEST(Topology, counts_cores_of_cpus_that_share_them) {
  const Topology topology = two_packages();
  EXPECT_EQ(topology.cores({0, 4}), 1U);
  EXPECT_EQ(topology.cores({0, 1, 4}), 2U);
  EXPECT_EQ(topology.cores(topology.all()), 4U);
}

TEST(Topology, counts_packages) {
  const Topology topology = two_packages();
  EXPECT_EQ(topology.packages({0, 1, 4}), 1U);
  EXPECT_EQ(topology.packages({1, 2}), 2U);
}

TEST(Topology, takes_one_cpu_of_each_core) {
  EXPECT_EQ(two_packages().one_per_core({1, 4, 5, 6}), (CpuSet{1, 4, 6}));
}

TEST(Topology, leaves_out_cpus_that_are_not_online) {
  EXPECT_EQ(two_packages().cores({7, 8, 99}), 1U);
  EXPECT_EQ(two_packages().packages({8, 99}), 0U);
}

TEST(CoresInOrder, fill_a_package_first_where_they_are_linear) {
  const Topology topology = two_packages();
  EXPECT_EQ(cores_in_order(topology, topology.all(), Placement::linear),
            (std::vector<CpuSet>{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
}

TEST(CoresInOrder, alternate_between_packages_where_they_are_interleaved) {
  const Topology topology = two_packages();
  EXPECT_EQ(cores_in_order(topology, topology.all(), Placement::interleaved),
            (std::vector<CpuSet>{{0, 4}, {2, 6}, {1, 5}, {3, 7}}));
}

TEST(CoresInOrder, hold_allowed_cpus_only) {
  const Topology topology = two_packages();
  EXPECT_EQ(cores_in_order(topology, {1, 3, 4, 7, 99}, Placement::linear),
            (std::vector<CpuSet>{{4}, {1}, {3, 7}}));
  EXPECT_EQ(cores_in_order(topology, {1, 3, 4, 7, 99}, Placement::interleaved),
            (std::vector<CpuSet>{{4}, {3, 7}, {1}}));
  EXPECT_TRUE(cores_in_order(topology, {}, Placement::linear).empty());
}

TEST(CoresInOrder, do_not_follow_the_numbers_of_cpus) {
  // As on a machine whose CPUs are numbered in turn over its packages.
  const Topology topology({{0, 0, 0}, {2, 1, 0}, {4, 2, 0}, {1, 3, 1}, {3, 4, 1}, {5, 5, 1}});
  EXPECT_EQ(cores_in_order(topology, topology.all(), Placement::linear),
            (std::vector<CpuSet>{{0}, {2}, {4}, {1}, {3}, {5}}));
  EXPECT_EQ(cores_in_order(topology, topology.all(), Placement::interleaved),
            (std::vector<CpuSet>{{0}, {1}, {2}, {3}, {4}, {5}}));
}

TEST(Topology, prints_lists_as_the_kernel_does) {
  EXPECT_EQ(print_cpus({0, 1, 2, 3, 8}), "0-3,8");
  EXPECT_EQ(print_cpus({2, 4, 5}), "2,4-5");
  EXPECT_EQ(print_cpus({}), "none");
}

TEST_F(SyntheticMachine, is_read_with_its_packages_and_cores) {
  const Topology topology = machine("package:2 core:3 pu:2");
  EXPECT_EQ(topology.cpus().size(), 12U);
  EXPECT_EQ(topology.cores(topology.all()), 6U);
  EXPECT_EQ(topology.packages(topology.all()), 2U);
}

TEST_F(SyntheticMachine, without_cores_and_packages_has_one_core_per_cpu) {
  const Topology topology = machine("pu:5");
  EXPECT_EQ(topology.cores(topology.all()), 5U);
  EXPECT_EQ(topology.packages(topology.all()), 1U);
}

TEST(ThisMachine, has_the_cpus_that_this_process_may_use) {
  const CpuSet all = read_topology().all();
  const CpuSet allowed = allowed_cpus();
  ASSERT_FALSE(allowed.empty());
  EXPECT_TRUE(std::ranges::includes(all, allowed)) << print_cpus(all) << print_cpus(allowed);
}

TEST(ThisMachine, binds_a_thread_to_one_cpu) {
  const std::size_t cpu = allowed_cpus().back();
  CpuSet bound;
  std::thread([&] {
    bind_thread({cpu});
    bound = allowed_cpus();
  }).join();
  EXPECT_EQ(bound, CpuSet{cpu});
}

TEST(ThisMachine, refuses_a_cpu_that_it_does_not_have) {
  std::string what;
  std::thread([&] {
    try {
      bind_thread({1000000});
    } catch (const Error& error) {
      what = error.what();
    }
  }).join();
  EXPECT_EQ(what, "cannot bind a thread to cpu 1000000: Invalid argument");
}
