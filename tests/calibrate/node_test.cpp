// What calibration does to this node, and to folders in its place.

#include "calibrate/node_gears.hpp"
#include "calibrate/node_workbench.hpp"
#include "support/fake_sysfs.hpp"
#include "support/faults.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

using namespace hypermile;
using namespace hypermile::calibrate;

TEST(NodeWorkbench, computes_until_it_is_told_to_do_something_else) {
  NodeWorkbench bench(backend::topology::allowed_cpus());
  EXPECT_EQ(bench.pairs(), 0);
  bench.put(Load::computing);
  while (bench.pairs() == 0)
    bench.wait(Seconds{0.001});
  bench.put(Load::waiting);
  const double pairs = bench.pairs();
  bench.wait(Seconds{0.01});
  bench.put(Load::idle);
  EXPECT_EQ(bench.pairs(), pairs);
}

TEST(NodeWorkbench, waits_at_least_as_long_as_it_is_told) {
  NodeWorkbench bench(backend::topology::allowed_cpus());
  const Seconds before = bench.now();
  bench.wait(Seconds{0.02});
  EXPECT_GE(bench.now() - before, Seconds{0.0199});
}

TEST(NodeWorkbench, ends_at_a_signal_while_cores_compute) {
  NodeWorkbench bench(backend::topology::allowed_cpus());
  bench.put(Load::computing);
  ::raise(SIGINT);
  try {
    bench.wait(Seconds{600});
    FAIL();
  } catch (const Interrupted& interrupted) {
    EXPECT_EQ(interrupted.signal, SIGINT);
  }
}

TEST(NodeWorkbench, lets_signals_be_ignored_that_were_before) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    NodeWorkbench bench(backend::topology::allowed_cpus());
    ::raise(SIGHUP);
    EXPECT_NO_THROW(bench.wait(Seconds{0.001}));
  }
  std::signal(SIGHUP, before);
}

namespace {

using Driver = test::FakeSysfs::Driver;

struct Gears : testing::Test {
  test::FakeSysfs sysfs{Driver::intel_pstate, {{0}, {1}}};
  control::Access access{.place = {sysfs.root(), sysfs.root() + "/state"},
                         .guard = HYPERMILE_GUARD,
                         .owner = control::this_process("", "test")};

  [[nodiscard]] control::Access without_guard() const {
    control::Access other = access;
    other.guard.clear();
    return other;
  }
  [[nodiscard]] static control::Access at(const test::TemporaryFolder& nothing) {
    return {.place = {nothing.path("sys"), nothing.path("state")}, .guard = HYPERMILE_GUARD};
  }
};

} // namespace

TEST_F(Gears, are_set_and_restored) {
  const auto before = sysfs.settings();
  {
    NodeGears gears("auto", access, sysfs.root());
    ASSERT_NE(gears.actuator(), nullptr) << gears.why_not();
    EXPECT_EQ(gears.table().size(), 28U);
    gears.actuator()->set_gear(27);
    EXPECT_EQ(sysfs.read(0, "scaling_max_freq"), "800000");
  }
  EXPECT_EQ(sysfs.settings(), before);
}

TEST_F(Gears, cannot_be_set_without_the_guard) {
  NodeGears gears("auto", without_guard(), sysfs.root());
  EXPECT_EQ(gears.actuator(), nullptr);
  EXPECT_EQ(gears.why_not(), "hypermile-guard, which restores gears, is not installed");
  EXPECT_EQ(gears.table().size(), 28U);
}

TEST_F(Gears, cannot_be_set_without_permission) {
  const test::Faults faults("EACCES:write:scaling_");
  NodeGears gears("auto", access, sysfs.root());
  EXPECT_EQ(gears.actuator(), nullptr);
  EXPECT_NE(gears.why_not().find("EACCES"), std::string::npos) << gears.why_not();
}

TEST_F(Gears, cannot_be_set_where_that_cannot_be_kept_track_of) {
  std::ofstream(access.place.state) << "no folder";
  NodeGears gears("auto", access, sysfs.root());
  EXPECT_EQ(gears.actuator(), nullptr);
  EXPECT_NE(gears.why_not().find(access.place.state), std::string::npos) << gears.why_not();
}

TEST_F(Gears, are_refused_while_somebody_else_sets_them) {
  NodeGears gears("auto", access, sysfs.root());
  gears.actuator()->set_gear(27); // which leaves no other frequency to see
  EXPECT_THROW(NodeGears("auto", access, sysfs.root()), Error);
}

TEST_F(Gears, at_present_are_what_the_fastest_cpu_runs_at) {
  NodeGears gears("auto", without_guard(), sysfs.root());
  sysfs.write(0, "scaling_cur_freq", "3412345");
  sysfs.write(1, "scaling_cur_freq", "800000");
  EXPECT_EQ(gears.present(), 1U);
}

TEST_F(Gears, of_a_machine_that_sets_none_are_the_one_that_it_tells) {
  const test::TemporaryFolder nothing;
  std::filesystem::create_directory(nothing.path("proc"));
  std::ofstream(nothing.path("proc/cpuinfo")) << "processor\t: 0\ncpu MHz\t\t: 2596.122\n";
  NodeGears gears("auto", at(nothing), nothing.path());
  EXPECT_EQ(gears.actuator(), nullptr);
  ASSERT_EQ(gears.table().size(), 1U);
  EXPECT_DOUBLE_EQ(gears.table().frequency(0).value(), 2.596122e9);
  EXPECT_TRUE(gears.frequencies_known());
  EXPECT_EQ(gears.present(), 0U);
}

TEST_F(Gears, of_a_machine_that_tells_nothing_are_not_known) {
  const test::TemporaryFolder nothing;
  NodeGears gears("auto", at(nothing), nothing.path());
  EXPECT_FALSE(gears.frequencies_known());
  EXPECT_EQ(gears.table().size(), 1U);
}
