// What journals may name, and what values root writes for them.

#include "control/setting.hpp"

#include "support/fake_powercap.hpp"
#include "support/fake_sysfs.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::control {
namespace {

TEST(Setting, is_a_frequency_or_a_power_limit_below_the_root) {
  for (const char* path :
       {"/devices/system/cpu/intel_uncore_frequency/package_00_die_00/max_freq_khz",
        "/devices/system/cpu/intel_uncore_frequency/uncore07/min_freq_khz",
        "/devices/system/cpu/cpufreq/policy0/scaling_max_freq",
        "/class/powercap/intel-rapl:0/constraint_0_power_limit_uw",
        "/class/powercap/intel-rapl:1f/constraint_10_power_limit_uw",
        "/class/powercap/intel-rapl-mmio:0/enabled"}) {
    EXPECT_TRUE(is_setting(std::string("/sys") + path, "/sys")) << path;
    EXPECT_FALSE(is_setting(path, "/sys")) << path;
    EXPECT_FALSE(is_setting(std::string("/tmp/sys") + path, "/sys")) << path;
  }
}

TEST(Setting, is_nothing_else_of_the_power_limits) {
  for (const char* path :
       {"intel-rapl/enabled", "intel-rapl:0:0/enabled", "intel-rapl:/enabled",
        "intel-rapl:0/energy_uj", "intel-rapl:0/constraint_0_time_window_us",
        "intel-rapl:0/constraint__power_limit_uw", "intel-rapl:0/constraint_0_power_limit_uw/x",
        "intel-rapl:0/../../../kernel/enabled", "intel-rapl:0//enabled", "intel-rapl:0/uevent",
        "intel-rapl/x:0/enabled", "intel-rapl:0/device/enabled", "dtpm:0/enabled", "enabled"})
    EXPECT_FALSE(is_setting(std::string("/sys/class/powercap/") + path, "/sys")) << path;
}

TEST(Setting, is_nothing_else_of_the_uncore_frequencies) {
  for (const char* path : {"max_freq_khz", "/max_freq_khz", "uncore00/elc_floor_freq_khz",
                           "uncore00/initial_max_freq_khz", "uncore00/x/max_freq_khz",
                           "../max_freq_khz", "uncore00/../../x/max_freq_khz"})
    EXPECT_FALSE(
        is_setting(std::string("/sys/devices/system/cpu/intel_uncore_frequency/") + path, "/sys"))
        << path;
}

TEST(Setting, of_an_uncore_frequency_is_brought_into_its_range) {
  test::FakeSysfs sysfs(test::FakeSysfs::Driver::intel_pstate, {{0}});
  sysfs.add_uncore("uncore00");
  const std::string path = sysfs.uncore_path("uncore00", "max_freq_khz");
  EXPECT_EQ(allowed_value({path, "1800000"}, sysfs.root()), "1800000");
  EXPECT_EQ(allowed_value({path, "9900000"}, sysfs.root()), "2400000");
  EXPECT_EQ(allowed_value({path, "0"}, sysfs.root()), "800000");
  for (const char* value : {"", "-1", "fast", "1e6"})
    EXPECT_THROW((void)allowed_value({path, value}, sysfs.root()), Error) << value;
}

TEST(Setting, of_a_power_limit_has_numbers_only) {
  const std::string limit = "/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw";
  for (const char* value : {"0", "120000000", "4095875000"})
    EXPECT_EQ(allowed_value({limit, value}, "/sys"), value);
  for (const char* value : {"", "-1", "12x", "1e9", " 5", "100000000001", "99999999999999999999"})
    EXPECT_THROW((void)allowed_value({limit, value}, "/sys"), Error) << value;
  const std::string enabled = "/sys/class/powercap/intel-rapl:0/enabled";
  EXPECT_EQ(allowed_value({enabled, "0"}, "/sys"), "0");
  for (const char* value : {"", "2", "on", "01"})
    EXPECT_THROW((void)allowed_value({enabled, value}, "/sys"), Error) << value;
}

TEST(Setting, that_a_user_may_write_makes_him_one_who_may_set_gears) {
  const test::TemporaryFolder sysfs;
  const test::FakePowercap tree(sysfs.path());
  tree.zone("intel-rapl:0", "package-0");
  tree.limit("intel-rapl:0", 100'000'000);
  constexpr uid_t nobody = 54321;
  EXPECT_FALSE(may_set_gears(nobody, sysfs.path()));
  std::filesystem::permissions(tree.path("intel-rapl:0", "energy_uj"), std::filesystem::perms::all);
  EXPECT_FALSE(may_set_gears(nobody, sysfs.path()));
  std::filesystem::permissions(tree.path("intel-rapl:0", "constraint_0_power_limit_uw"),
                               std::filesystem::perms::all);
  EXPECT_TRUE(may_set_gears(nobody, sysfs.path()));
}

} // namespace
} // namespace hypermile::control
