#include "backend/cpufreq/inspection.hpp"

#include "support/fake_sysfs.hpp"
#include "support/faults.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hypermile::cpufreq {
namespace {

using test::FakeSysfs;
using test::Faults;
using Driver = FakeSysfs::Driver;

std::vector<int> in_mhz(const Inspection& found) {
  std::vector<int> frequencies;
  for (model::Gear g = 0; found.gears && g < found.gears->size(); ++g)
    frequencies.push_back(static_cast<int>(std::lround(found.gears->frequency(g).value() / 1e6)));
  return frequencies;
}

TEST(inspecting, acpi_cpufreq_finds_the_listed_frequencies_with_turbo_as_the_first) {
  const FakeSysfs sysfs(Driver::acpi_cpufreq, {{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  const Inspection found = inspect(sysfs.root(), {});
  EXPECT_EQ(found.obstacle, "");
  EXPECT_EQ(found.driver, "acpi-cpufreq");
  EXPECT_EQ(in_mhz(found), (std::vector{2601, 2600, 2400, 2000, 1600, 1200}));
  EXPECT_EQ(found.turbo, true);
  ASSERT_EQ(found.policies.size(), 4U);
  EXPECT_EQ(found.policies[1].cpus, (std::vector{1, 5}));
  EXPECT_EQ(found.policies[1].folder, sysfs.root() + "/devices/system/cpu/cpufreq/policy1");
  EXPECT_EQ(found.policies[1].governor, "ondemand");
  EXPECT_TRUE(found.policies[1].userspace);
}

TEST(inspecting, acpi_cpufreq_without_turbo_leaves_its_entry_out) {
  const FakeSysfs sysfs(Driver::acpi_cpufreq, {{0}});
  sysfs.write_of_machine("cpufreq/boost", "0");
  const Inspection found = inspect(sysfs.root(), {});
  EXPECT_EQ(found.turbo, false);
  EXPECT_EQ(in_mhz(found).front(), 2600);
}

TEST(inspecting, takes_what_a_user_has_pinned_the_cpus_to_for_the_fastest) {
  const FakeSysfs sysfs(Driver::acpi_cpufreq, {{0}, {1}});
  for (const int policy : {0, 1}) {
    sysfs.write(policy, "scaling_governor", "userspace");
    sysfs.write(policy, "scaling_setspeed", "2000000");
  }
  EXPECT_EQ(in_mhz(inspect(sysfs.root(), {})), (std::vector{2000, 1600, 1200}));

  const FakeSysfs stepped(Driver::intel_cpufreq, {{0}});
  stepped.write(0, "scaling_governor", "userspace");
  stepped.write(0, "scaling_setspeed", "1600000");
  EXPECT_EQ(in_mhz(inspect(stepped.root(), {})).front(), 1600);
}

TEST(inspecting, tells_the_governor_that_holds_the_lowest_frequency) {
  const FakeSysfs sysfs(Driver::acpi_cpufreq, {{0}});
  sysfs.write(0, "scaling_governor", "powersave");
  const Inspection found = inspect(sysfs.root(), {});
  EXPECT_EQ(found.obstacle, "the governor powersave holds the CPUs at their lowest frequency");
  EXPECT_NE(found.advice.find("schedutil"), std::string::npos);
  EXPECT_EQ(in_mhz(found), (std::vector{1200}));          // which is gear 0
  const FakeSysfs of_driver(Driver::intel_pstate, {{0}}); // whose powersave is another
  EXPECT_EQ(inspect(of_driver.root(), {}).obstacle, "");
}

TEST(inspecting, drivers_that_list_no_frequencies_finds_steps_of_100_mhz) {
  const FakeSysfs intel(Driver::intel_pstate, {{0}, {1}});
  const Inspection active = inspect(intel.root(), {});
  EXPECT_EQ(active.obstacle, "");
  EXPECT_EQ(active.driver, "intel_pstate");
  EXPECT_EQ(active.gears->size(), 28U);
  EXPECT_EQ(in_mhz(active).front(), 3500);
  EXPECT_EQ(in_mhz(active).back(), 800);
  EXPECT_EQ(active.turbo, true);
  EXPECT_FALSE(active.policies[0].userspace);

  const FakeSysfs passive(Driver::intel_cpufreq, {{0}});
  EXPECT_EQ(inspect(passive.root(), {}).gears->size(), 28U);
  EXPECT_TRUE(inspect(passive.root(), {}).policies[0].userspace);

  const FakeSysfs amd(Driver::amd_pstate, {{0}});
  EXPECT_EQ(in_mhz(inspect(amd.root(), {})).front(), 3350);
  EXPECT_EQ(in_mhz(inspect(amd.root(), {})).back(), 450);
  EXPECT_EQ(inspect(amd.root(), {}).turbo, std::nullopt);
}

TEST(inspecting, keeps_within_the_limit_that_an_administrator_set) {
  for (const Driver driver : {Driver::acpi_cpufreq, Driver::intel_pstate}) {
    const FakeSysfs sysfs(driver, {{0}});
    sysfs.write(0, "scaling_max_freq", "2000000");
    EXPECT_EQ(in_mhz(inspect(sysfs.root(), {})).front(), 2000);
  }
}

TEST(inspecting, looks_at_the_cpus_that_it_is_given) {
  const FakeSysfs sysfs(Driver::acpi_cpufreq, {{0, 1}, {2, 3}, {10, 11}});
  const Inspection found = inspect(sysfs.root(), {11, 3});
  ASSERT_EQ(found.policies.size(), 2U);
  EXPECT_EQ(found.policies[0].cpus, (std::vector{2, 3}));
  EXPECT_EQ(found.policies[1].cpus, (std::vector{10, 11}));
  EXPECT_NE(inspect(sysfs.root(), {5}).obstacle.find("no policy of these CPUs"), std::string::npos);
}

TEST(inspecting, takes_the_gears_of_the_fastest_policy) {
  const FakeSysfs sysfs(Driver::intel_pstate, {{0}, {1}});
  sysfs.write(0, "cpuinfo_max_freq", "2000000");
  EXPECT_EQ(in_mhz(inspect(sysfs.root(), {})).front(), 3500);
}

TEST(inspecting, goes_on_where_cpus_are_offline) {
  const FakeSysfs sysfs(Driver::acpi_cpufreq, {{0}, {1}});
  sysfs.take_offline(0);
  const Faults faults("EBUSY:read:policy0/scaling;EBUSY:read:policy0/related");
  const Inspection found = inspect(sysfs.root(), {});
  EXPECT_EQ(found.obstacle, "");
  ASSERT_EQ(found.policies.size(), 2U);
  EXPECT_FALSE(found.policies[0].online);
  EXPECT_EQ(found.policies[0].cpus, std::vector{0});
  EXPECT_TRUE(found.policies[1].online);
}

TEST(inspecting, a_machine_without_frequencies_says_so) {
  const test::TemporaryFolder folder;
  const Inspection found = inspect(folder.path(), {});
  EXPECT_EQ(found.driver, "");
  EXPECT_EQ(found.obstacle, "Linux sets no frequencies here: " + folder.path() +
                                "/devices/system/cpu/cpufreq has no policy");
  EXPECT_NE(found.advice, "");
}

TEST(inspecting, what_may_not_be_written_says_why) {
  const FakeSysfs sysfs(Driver::intel_pstate, {{0}, {1}, {2}});
  const Faults faults("EROFS:write:/cpufreq/");
  const Inspection found = inspect(sysfs.root(), {});
  EXPECT_TRUE(found.gears.has_value()); // that would be set
  EXPECT_EQ(found.obstacle,
            "cannot set the frequency of cpu 0: " + sysfs.path(0, "scaling_max_freq") +
                ": Read-only file system (EROFS), and 2 more like it");
  EXPECT_EQ(found.advice, "run 'hypermile doctor'");
}

TEST(inspecting, one_cpu_of_many_that_may_not_be_written_is_no_obstacle) {
  const FakeSysfs sysfs(Driver::acpi_cpufreq, {{0}, {1}, {2}});
  const Faults faults("EACCES:write:policy1/");
  EXPECT_EQ(inspect(sysfs.root(), {}).obstacle, "");
}

TEST(inspecting, where_only_limits_may_be_written_does_not_use_the_governor) {
  const FakeSysfs sysfs(Driver::acpi_cpufreq, {{0}});
  const Faults faults("EACCES:write:scaling_governor");
  const Inspection found = inspect(sysfs.root(), {});
  EXPECT_EQ(found.obstacle, "");
  EXPECT_FALSE(found.policies[0].userspace);
}

TEST(inspecting, nonsense_is_an_obstacle) {
  const FakeSysfs sysfs(Driver::intel_pstate, {{0}});
  sysfs.write(0, "cpuinfo_max_freq", "fast");
  EXPECT_EQ(inspect(sysfs.root(), {}).obstacle,
            sysfs.path(0, "cpuinfo_max_freq") + " holds 'fast', which is no frequency");
}

TEST(inspecting, cpus_of_one_frequency_is_an_obstacle) {
  const FakeSysfs sysfs(Driver::acpi_cpufreq, {{0}});
  sysfs.write(0, "scaling_available_frequencies", "2000000");
  EXPECT_EQ(inspect(sysfs.root(), {}).obstacle, "the CPUs have one frequency only");
}

} // namespace
} // namespace hypermile::cpufreq
