#include "backend/powercap/meter.hpp"
#include "support/fake_powercap.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

using namespace hypermile;
using namespace hypermile::backend::powercap;

namespace {

struct Powercap : testing::Test {
  test::TemporaryFolder folder;
  std::string sysfs = folder.path();
  test::FakePowercap tree{sysfs};

  /// What the meter says after the counters of these zones were set.
  static double joules(const PowercapMeter& meter) {
    const auto consumed = meter.consumed();
    return consumed ? consumed->value() : -1;
  }
};

/// Two packages, each with cores and memory.
struct TwoSockets : Powercap {
  TwoSockets() {
    tree.zone("intel-rapl:0", "package-0", 1000000);
    tree.zone("intel-rapl:0:0", "core", 500000);
    tree.zone("intel-rapl:0:1", "dram", 2000000);
    tree.zone("intel-rapl:1", "package-1", 7000000);
    tree.zone("intel-rapl:1:0", "uncore", 500000);
    tree.zone("intel-rapl:1:1", "dram", 3000000);
  }
};

} // namespace

TEST_F(TwoSockets, counts_packages_and_memory_and_not_what_packages_contain) {
  const PowercapMeter meter(sysfs);
  EXPECT_EQ(joules(meter), 0);
  tree.count("intel-rapl:0", 1000000 + 10000000);
  tree.count("intel-rapl:0:0", 99000000);
  tree.count("intel-rapl:0:1", 2000000 + 2000000);
  tree.count("intel-rapl:1", 7000000 + 300000);
  tree.count("intel-rapl:1:0", 99000000);
  tree.count("intel-rapl:1:1", 3000000 + 40000);
  EXPECT_DOUBLE_EQ(joules(meter), 10 + 2 + 0.3 + 0.04);
  EXPECT_EQ(meter.measures(), "2 packages, 2 DRAM");
  EXPECT_EQ(meter.why_not(), "");
}

TEST_F(TwoSockets, may_draw_what_the_larger_limits_of_both_packages_allow) {
  EXPECT_FALSE(PowercapMeter(sysfs).limit());
  tree.write("intel-rapl:0", "constraint_0_max_power_uw", "150000000");
  tree.write("intel-rapl:0", "constraint_1_max_power_uw", "180000000");
  EXPECT_FALSE(PowercapMeter(sysfs).limit()); // nothing is known of the other package
  tree.write("intel-rapl:1", "constraint_0_max_power_uw", "150000000");
  tree.write("intel-rapl:1", "constraint_1_max_power_uw", "0");
  EXPECT_EQ(PowercapMeter(sysfs).limit(), Watts{330});
  for (const char* const nonsense : {"", "many", "-5", "150000000x"}) {
    tree.write("intel-rapl:1", "constraint_0_max_power_uw", nonsense);
    EXPECT_FALSE(PowercapMeter(sysfs).limit()) << nonsense;
  }
  tree.write("intel-rapl:1", "constraint_0_max_power_uw", "150000000");
  tree.zone("intel-rapl:2", "psys");
  EXPECT_FALSE(PowercapMeter(sysfs).limit()); // the platform is more than processors
}

TEST_F(TwoSockets, counts_what_two_drivers_show_once) {
  tree.zone("intel-rapl-mmio:0", "package-0", 5);
  tree.zone("intel-rapl-mmio:0:0", "dram", 5);
  const PowercapMeter meter(sysfs);
  tree.count("intel-rapl:0", 2000000);
  tree.count("intel-rapl-mmio:0", 1000005);
  EXPECT_DOUBLE_EQ(joules(meter), 1);
  EXPECT_EQ(meter.measures(), "2 packages, 2 DRAM");
}

TEST_F(TwoSockets, takes_of_two_drivers_the_one_that_can_be_read) {
  tree.zone("intel-rapl-mmio:0", "package-0", 5);
  tree.forbid("intel-rapl:0");
  const PowercapMeter meter(sysfs);
  tree.count("intel-rapl-mmio:0", 1000005);
  EXPECT_DOUBLE_EQ(joules(meter), 1);
}

TEST_F(TwoSockets, does_not_take_half_a_node_for_a_node) {
  tree.forbid("intel-rapl:1");
  const PowercapMeter meter(sysfs);
  EXPECT_EQ(meter.consumed(), std::nullopt);
  EXPECT_EQ(meter.measures(), "");
  EXPECT_EQ(meter.why_not(), "cannot read " + sysfs +
                                 "/class/powercap/intel-rapl:1/energy_uj of package-1: Is a "
                                 "directory (EISDIR); try: hypermile doctor");
}

TEST_F(TwoSockets, says_what_the_system_does_not_permit) {
  const test::Faults faults("EACCES:read:energy_uj");
  const PowercapMeter meter(sysfs);
  EXPECT_EQ(meter.consumed(), std::nullopt);
  EXPECT_EQ(meter.why_not(), "cannot read " + sysfs +
                                 "/class/powercap/intel-rapl:0/energy_uj of package-0: Permission "
                                 "denied (EACCES); try: hypermile doctor");
}

TEST_F(TwoSockets, says_that_linux_has_one_error_for_all_failures_of_a_driver) {
  const PowercapMeter before(sysfs);
  const test::Faults faults("EINVAL:read:energy_uj");
  const std::string why = "intel-rapl:0/energy_uj: Invalid argument (EINVAL), which stands for any "
                          "failure of the driver";
  EXPECT_EQ(before.consumed(), std::nullopt);
  EXPECT_EQ(before.why_not(), "package-0 cannot be counted any more: cannot read " + sysfs +
                                  "/class/powercap/" + why);
  const PowercapMeter after(sysfs);
  EXPECT_EQ(after.consumed(), std::nullopt);
  EXPECT_NE(after.why_not().find("EINVAL), which stands for any failure"), std::string::npos)
      << after.why_not();
}

TEST_F(TwoSockets, reads_whole_numbers_though_the_system_gives_them_piece_by_piece) {
  const test::Faults faults("SHORT:read:energy_uj");
  const PowercapMeter meter(sysfs);
  tree.count("intel-rapl:1", 7000000 + 1234567);
  EXPECT_DOUBLE_EQ(joules(meter), 1.234567);
}

TEST_F(TwoSockets, says_that_memory_is_left_out) {
  tree.forbid("intel-rapl:0:1");
  const PowercapMeter meter(sysfs);
  tree.count("intel-rapl:1:1", 4000000);
  EXPECT_DOUBLE_EQ(joules(meter), 1);
  EXPECT_EQ(meter.measures(), "2 packages, 1 DRAM (not all DRAM can be read)");
}

TEST_F(TwoSockets, measures_nothing_any_more_once_a_zone_is_gone) {
  const PowercapMeter meter(sysfs);
  EXPECT_EQ(joules(meter), 0);
  tree.remove("intel-rapl:1:1");
  EXPECT_EQ(meter.consumed(), std::nullopt);
  EXPECT_EQ(meter.why_not(), "package-1 dram cannot be counted any more: cannot read " + sysfs +
                                 "/class/powercap/intel-rapl:1:1/energy_uj: No such file or "
                                 "directory (ENOENT)");
  tree.zone("intel-rapl:1:1", "dram", 3000000);
  EXPECT_EQ(meter.consumed(), std::nullopt) << "what it missed is not known";
}

TEST_F(TwoSockets, does_not_mind_zones_of_other_kinds) {
  tree.zone("dtpm:0", "soc", 5);
  tree.zone("intel-rapl:2", "", 5);
  EXPECT_EQ(PowercapMeter(sysfs).measures(), "2 packages, 2 DRAM");
}

TEST_F(Powercap, counts_on_when_a_counter_starts_again) {
  tree.zone("intel-rapl:0", "package-0", 900, 1000);
  const PowercapMeter meter(sysfs);
  tree.count("intel-rapl:0", 50);
  EXPECT_DOUBLE_EQ(joules(meter), 150e-6);
  tree.count("intel-rapl:0", 990);
  EXPECT_DOUBLE_EQ(joules(meter), 1090e-6);
  tree.count("intel-rapl:0", 0);
  EXPECT_DOUBLE_EQ(joules(meter), 1100e-6);
}

TEST_F(Powercap, does_not_guess_when_a_counter_falls_from_above_its_range) {
  tree.zone("intel-rapl:0", "package-0", 900, 800);
  const PowercapMeter meter(sysfs);
  tree.count("intel-rapl:0", 50);
  EXPECT_EQ(meter.consumed(), std::nullopt);
  EXPECT_NE(meter.why_not().find("fell from 900 to 50, though its range ends at 800"),
            std::string::npos)
      << meter.why_not();
}

TEST_F(Powercap, does_not_take_a_text_for_a_number) {
  tree.zone("intel-rapl:0", "package-0");
  const PowercapMeter meter(sysfs);
  for (const char* text : {"", "-1", "12x", "99999999999999999999"}) {
    tree.write("intel-rapl:0", "energy_uj", text);
    const PowercapMeter other(sysfs);
    EXPECT_EQ(other.consumed(), std::nullopt) << text;
    EXPECT_NE(other.why_not().find("which is no number"), std::string::npos) << other.why_not();
  }
  EXPECT_EQ(meter.consumed(), std::nullopt);
}

TEST_F(Powercap, reads_dies_of_one_package_as_packages) {
  tree.zone("intel-rapl:0", "package-0-die-0");
  tree.zone("intel-rapl:1", "package-0-die-1");
  const PowercapMeter meter(sysfs);
  tree.count("intel-rapl:0", 1000000);
  tree.count("intel-rapl:1", 2000000);
  EXPECT_DOUBLE_EQ(joules(meter), 3);
}

TEST_F(Powercap, says_the_platform_where_that_is_more) {
  tree.zone("intel-rapl:0", "package-0");
  tree.zone("intel-rapl:1", "psys", 4000000);
  const PowercapMeter meter(sysfs);
  tree.count("intel-rapl:0", 2000000);
  tree.count("intel-rapl:1", 9000000);
  EXPECT_DOUBLE_EQ(joules(meter), 5);
  EXPECT_EQ(meter.measures(), "platform (psys)");
}

TEST_F(Powercap, does_not_believe_a_platform_below_its_packages) {
  tree.zone("intel-rapl:0", "package-0");
  tree.zone("intel-rapl:1", "psys", 4000000);
  const PowercapMeter meter(sysfs);
  tree.count("intel-rapl:0", 2000000);
  EXPECT_DOUBLE_EQ(joules(meter), 2);
  EXPECT_EQ(meter.measures(), "1 package");
}

TEST_F(Powercap, counts_a_platform_that_each_package_shows_once) {
  tree.zone("intel-rapl:0", "package-0");
  tree.zone("intel-rapl:1", "psys");
  tree.zone("intel-rapl:2", "psys-1");
  const PowercapMeter meter(sysfs);
  tree.count("intel-rapl:1", 9000000);
  tree.count("intel-rapl:2", 9000000);
  EXPECT_DOUBLE_EQ(joules(meter), 9);
}

TEST_F(Powercap, says_that_there_is_none) {
  EXPECT_EQ(PowercapMeter(sysfs).why_not(), "there is no energy counter of a processor in " +
                                                sysfs + "/class/powercap; try: hypermile doctor");
  EXPECT_EQ(PowercapMeter(folder.path("nowhere")).consumed(), std::nullopt);
}
