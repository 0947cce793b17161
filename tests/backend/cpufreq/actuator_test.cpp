#include "backend/cpufreq/actuator.hpp"

#include "support/fake_kernel.hpp"
#include "support/faults.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <map>

namespace hypermile::cpufreq {
namespace {

using control::Lease;
using test::FakeKernel;
using test::FakeSysfs;
using test::Faults;
using Driver = FakeSysfs::Driver;

/// A machine of four domains, and who sets its gears.
struct Node {
  explicit Node(Driver driver)
      : sysfs(driver, {{0}, {1}, {2}, {3}}), before(sysfs.settings()),
        lease(Lease::acquire({sysfs.root(), state.path("state")}, HYPERMILE_GUARD,
                             control::this_process("", "test"))) {}

  FrequencyActuator actuator() { return {inspect(sysfs.root(), {}), lease}; }
  [[nodiscard]] std::string read(int policy, const char* file) const {
    return sysfs.read(policy, file);
  }
  /// Everything is restored.
  void end() {
    EXPECT_EQ(lease.release(), std::vector<std::string>{});
    EXPECT_EQ(sysfs.settings(), before);
  }

  FakeSysfs sysfs;
  std::map<std::string, std::string> before;
  test::TemporaryFolder state;
  Lease lease;
};

std::string refusal(FrequencyActuator& actuator, std::size_t gear) {
  try {
    actuator.set_gear(gear);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

TEST(cpufreq_actuator, sets_all_domains_by_the_userspace_governor) {
  Node node(Driver::acpi_cpufreq);
  FakeKernel kernel(node.sysfs);
  auto actuator = node.actuator();
  EXPECT_EQ(actuator.gear(), 0U);
  actuator.set_gear(3);
  kernel.settle();
  EXPECT_EQ(actuator.gear(), 3U);
  for (int policy = 0; policy < 4; ++policy) {
    EXPECT_EQ(node.read(policy, "scaling_governor"), "userspace");
    EXPECT_EQ(node.read(policy, "scaling_cur_freq"), "2000000");
    EXPECT_EQ(node.read(policy, "scaling_max_freq"), "2601000");
  }
  EXPECT_EQ(actuator.verify(), "");
  actuator.set_gear(0);
  kernel.settle();
  EXPECT_EQ(node.read(2, "scaling_cur_freq"), "2601000");
  EXPECT_EQ(actuator.verify(), "");
  node.end();
}

class ByLimit : public testing::TestWithParam<Driver> {};

TEST_P(ByLimit, sets_all_domains_by_the_upper_limit) {
  Node node(GetParam());
  FakeKernel kernel(node.sysfs);
  auto actuator = node.actuator();
  const std::string highest = node.read(0, "scaling_max_freq");
  actuator.set_gear(10);
  kernel.settle();
  for (int policy = 0; policy < 4; ++policy) {
    EXPECT_EQ(node.read(policy, "scaling_governor"), "powersave");
    EXPECT_EQ(std::stoi(node.read(policy, "scaling_cur_freq")), std::stoi(highest) - 1000000);
  }
  EXPECT_EQ(actuator.verify(), "");
  actuator.set_gear(0);
  EXPECT_EQ(node.read(3, "scaling_max_freq"), highest);
  node.end();
}

INSTANTIATE_TEST_SUITE_P(Drivers, ByLimit,
                         testing::Values(Driver::intel_pstate, Driver::amd_pstate));

TEST(cpufreq_actuator, touches_nothing_in_gear_0) {
  Node node(Driver::acpi_cpufreq);
  const Faults faults("EIO:write:/cpufreq/");
  auto actuator = node.actuator();
  actuator.set_gear(0);
  EXPECT_EQ(node.sysfs.settings(), node.before);
  EXPECT_EQ(actuator.verify(), "");
}

TEST(cpufreq_actuator, lowers_the_lower_limit_where_it_is_above_and_raises_it_again) {
  Node node(Driver::intel_pstate);
  for (int policy = 0; policy < 4; ++policy)
    node.sysfs.write(policy, "scaling_min_freq", "3000000");
  node.before = node.sysfs.settings();
  auto actuator = node.actuator();
  actuator.set_gear(20);
  EXPECT_EQ(node.read(1, "scaling_min_freq"), "1500000");
  EXPECT_EQ(node.read(1, "scaling_max_freq"), "1500000");
  actuator.set_gear(2);
  EXPECT_EQ(node.read(1, "scaling_min_freq"), "3000000");
  EXPECT_EQ(node.read(1, "scaling_max_freq"), "3300000");
  node.end();
}

TEST(cpufreq_actuator, sets_slower_domains_to_the_nearest_frequency_below) {
  Node node(Driver::acpi_cpufreq);
  node.sysfs.write(1, "scaling_available_frequencies", "1900000 1300000");
  auto actuator = node.actuator();
  actuator.set_gear(3);
  EXPECT_EQ(node.read(0, "scaling_setspeed"), "2000000");
  EXPECT_EQ(node.read(1, "scaling_setspeed"), "1900000");
  actuator.set_gear(5);
  EXPECT_EQ(node.read(1, "scaling_setspeed"), "1300000"); // it has nothing slower
}

TEST(cpufreq_actuator, goes_on_without_a_domain_that_may_not_be_written) {
  for (const char* fault : {"EACCES:write:policy2/", "EBUSY:write:policy2/"}) {
    Node node(Driver::intel_pstate);
    FakeKernel kernel(node.sysfs);
    auto actuator = node.actuator();
    {
      const Faults faults(fault);
      actuator.set_gear(10);
      kernel.settle();
      EXPECT_EQ(actuator.gear(), 10U);
      expect_contains(actuator.verify(),
                      "cannot write 2500000 to " + node.sysfs.path(2, "scaling_max_freq"));
      EXPECT_EQ(node.read(2, "scaling_max_freq"), "3500000");
      EXPECT_EQ(node.read(3, "scaling_max_freq"), "2500000");
    }
    node.end();
  }
}

TEST(cpufreq_actuator, goes_back_where_most_domains_refuse) {
  Node node(Driver::intel_pstate);
  auto actuator = node.actuator();
  actuator.set_gear(5);
  {
    const Faults faults("EBUSY:write:policy1/;EBUSY:write:policy2/;EBUSY:write:policy3/");
    expect_contains(refusal(actuator, 10),
                    "the node does not take gear 10 (2.5 GHz); 1 of 4 frequency domains did: "
                    "cannot write 2500000 to " +
                        node.sysfs.path(1, "scaling_max_freq"));
  }
  EXPECT_EQ(actuator.gear(), 5U);
  EXPECT_EQ(node.read(0, "scaling_max_freq"), "3000000");
  actuator.set_gear(10); // they no longer do
  EXPECT_EQ(node.read(1, "scaling_max_freq"), "2500000");
  node.end();
}

TEST(cpufreq_actuator, is_as_slow_as_a_domain_that_cannot_go_back) {
  Node node(Driver::intel_pstate);
  auto actuator = node.actuator();
  actuator.set_gear(10);
  {
    const Faults faults("EBUSY:write:policy1/");
    expect_contains(refusal(actuator, 0), "3 of 4 frequency domains did");
    EXPECT_EQ(actuator.gear(), 10U);
  }
  actuator.set_gear(0);
  EXPECT_EQ(actuator.gear(), 0U);
  node.end();
}

TEST(cpufreq_actuator, does_not_mind_a_cpu_that_goes_offline) {
  Node node(Driver::acpi_cpufreq);
  FakeKernel kernel(node.sysfs);
  auto actuator = node.actuator();
  actuator.set_gear(5);
  node.sysfs.take_offline(1);
  {
    const Faults faults("EBUSY:write:policy1/;EBUSY:read:policy1/scaling_");
    actuator.set_gear(3);
    kernel.settle();
    EXPECT_EQ(actuator.gear(), 3U);
    EXPECT_EQ(actuator.verify(), "");
  }
  EXPECT_EQ(node.read(1, "scaling_setspeed"), "1200000");
  node.sysfs.write(1, "affected_cpus", "1"); // and comes back
  actuator.set_gear(4);
  EXPECT_EQ(node.read(1, "scaling_setspeed"), "1600000");
  node.end();
}

TEST(cpufreq_actuator, without_any_cpu_left_takes_no_gear) {
  Node node(Driver::acpi_cpufreq);
  auto actuator = node.actuator();
  for (int policy = 0; policy < 4; ++policy)
    node.sysfs.take_offline(policy);
  expect_contains(refusal(actuator, 1), "all are offline");
}

TEST(cpufreq_actuator, says_who_changed_the_governor) {
  Node node(Driver::acpi_cpufreq);
  FakeKernel kernel(node.sysfs);
  auto actuator = node.actuator();
  actuator.set_gear(3);
  kernel.settle();
  node.sysfs.write(3, "scaling_governor", "performance");
  EXPECT_EQ(actuator.verify(), "the governor of cpu 3 was changed to performance by someone else");
  node.sysfs.write(1, "scaling_governor", "performance");
  node.sysfs.write(2, "scaling_governor", "performance");
  EXPECT_EQ(actuator.verify(), "the governor of cpu 1 was changed to performance by someone else; "
                               "2 more frequency domains are like it");
  const Faults faults("EINVAL:write:policy3/scaling_setspeed"); // as Linux has it then
  actuator.set_gear(4);
  node.sysfs.write(1, "scaling_governor", "userspace");
  node.sysfs.write(2, "scaling_governor", "userspace");
  kernel.settle();
  EXPECT_EQ(actuator.verify(), "the governor of cpu 3 was changed to performance by someone else");
  node.end();
}

TEST(cpufreq_actuator, says_what_overrides_a_limit) {
  Node node(Driver::amd_pstate);
  FakeKernel kernel(node.sysfs);
  auto actuator = node.actuator();
  actuator.set_gear(10);
  kernel.run_at(2, 3300000);
  kernel.settle();
  EXPECT_EQ(actuator.verify(), "cpu 2 runs at 3.3 GHz instead of 2.35 GHz");
  node.sysfs.write(1, "scaling_max_freq", "1000000");
  expect_contains(actuator.verify(),
                  "the limit of cpu 1 was changed to 1 GHz by someone else, from 2.35 GHz");
  node.sysfs.write(0, "scaling_min_freq", "3000000");
  expect_contains(actuator.verify(),
                  "the lower limit of cpu 0 was changed to 3 GHz by someone else");
}

TEST(cpufreq_actuator, leaves_the_governor_alone_where_no_frequency_can_be_set) {
  Node node(Driver::acpi_cpufreq);
  auto actuator = node.actuator();
  const Faults faults("EIO:write:scaling_setspeed");
  expect_contains(refusal(actuator, 3), "0 of 4");
  EXPECT_EQ(node.read(0, "scaling_governor"), "ondemand");
}

TEST(cpufreq_actuator, does_not_believe_linux_that_a_driver_set_a_frequency) {
  Node node(Driver::acpi_cpufreq);
  FakeKernel kernel(node.sysfs);
  auto actuator = node.actuator();
  actuator.set_gear(3);
  {
    const Faults faults("LOST:write:policy2/scaling_setspeed");
    actuator.set_gear(5);
    kernel.settle();
    expect_contains(actuator.verify(), "cpu 2 stays at 2 GHz instead of 1.2 GHz: the driver could "
                                       "not set it");
  }
  actuator.set_gear(3);
  {
    const Faults faults("LOST:write:scaling_setspeed");
    expect_contains(refusal(actuator, 5), "the node does not take gear 5 (1.2 GHz); 0 of 4");
  }
  EXPECT_EQ(actuator.gear(), 3U);
  node.end();
}

TEST(cpufreq_actuator, does_not_blame_the_driver_for_a_limit_that_someone_else_has_set) {
  Node node(Driver::acpi_cpufreq);
  auto actuator = node.actuator();
  actuator.set_gear(5);
  for (int policy = 0; policy < 4; ++policy)
    node.sysfs.write(policy, "scaling_max_freq", "1600000");
  const Faults faults("LOST:write:scaling_setspeed"); // Linux would clamp them to 1.6 GHz
  actuator.set_gear(3);
  expect_contains(actuator.verify(),
                  "the limit of cpu 0 was changed to 1.6 GHz by someone else, from 2 GHz");
}

TEST(cpufreq_actuator, needs_a_machine_whose_gears_can_be_set) {
  Node node(Driver::intel_pstate);
  const Faults faults("EACCES:write:/cpufreq/");
  EXPECT_THROW(node.actuator(), Error);
}

TEST(cpufreq_actuator, has_no_gear_beyond_the_last) {
  Node node(Driver::acpi_cpufreq);
  auto actuator = node.actuator();
  expect_contains(refusal(actuator, 6), "no gear 6");
}

} // namespace
} // namespace hypermile::cpufreq
