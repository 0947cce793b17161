// The doctor on whole machines, as users have them.

#include "doctor/fake_machine.hpp"
#include "doctor/text.hpp"
#include "support/faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

using namespace hypermile;
using namespace hypermile::doctor;

namespace {

using Driver = test::FakeSysfs::Driver;

struct Doctor : testing::Test {
  test::FakeMachine machine;

  /// What the doctor prints; no line is wider than a terminal but for one that is to be typed.
  std::string printed() {
    const std::string text = print_examination(machine.examined());
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), (line.starts_with("z ") ? 90U : 80U) + machine.root().size()) << line;
    return text;
  }
  /// Wherever lines end.
  void expect_printed(const std::string& part) {
    EXPECT_NE(words(printed()).find(words(part)), std::string::npos) << part << "\nis not in\n"
                                                                     << printed();
  }
  static std::string words(const std::string& text) {
    std::istringstream stream(text);
    std::string result;
    for (std::string word; stream >> word;)
      result += ' ' + word;
    return result;
  }
};

struct Laptop : Doctor {
  Laptop() {
    machine.packages(1);
    test::FakePowercap(machine.sysfs()).zone("intel-rapl:1", "psys");
    machine.frequencies(Driver::intel_pstate, 2);
    machine.program("mpirun", "mpirun (Open MPI) 4.1.4\n\nReport bugs to ...");
  }
};

struct Server : Doctor {
  Server() {
    ::setenv("HWLOC_SYNTHETIC", "package:2 core:4 pu:2", 1);
    machine.packages(2);
    machine.frequencies(Driver::acpi_cpufreq, 16);
  }
};

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::ranges::find(lines, line) != lines.end();
}

} // namespace

TEST_F(Laptop, measures_and_sets_everything) {
  const Examination e = machine.examined();
  EXPECT_TRUE(e.measures_energy());
  EXPECT_TRUE(e.sets_gears());
  EXPECT_TRUE(e.administrator_runs.empty());
  expect_printed("powercap yes 1 package, 1 DRAM; the platform (psys), where that is more");
  expect_printed(
      "cpufreq yes intel_pstate; 28 gears, 3.5 to 0.8 GHz; governor powersave; turbo on");
  expect_printed("Open MPI 4.1.4 " + machine.root() + "/bin/mpirun");
  expect_printed("Here hypermile measures energy and sets gears.");
}

TEST_F(Laptop, without_the_guard_sets_no_gears) {
  std::filesystem::remove(machine.root() + "/libexec/hypermile/hypermile-guard");
  EXPECT_FALSE(machine.examined().sets_gears());
  expect_printed("hypermile-guard");
}

TEST_F(Server, with_permission_measures_and_sets_everything) {
  const Examination e = machine.examined();
  EXPECT_TRUE(e.measures_energy());
  EXPECT_TRUE(e.sets_gears());
  EXPECT_TRUE(e.administrator_runs.empty());
  expect_printed("powercap yes 2 packages, 2 DRAM");
  expect_printed("2 packages, 8 cores, 16 CPUs");
}

TEST_F(Server, without_permission_says_what_an_administrator_types) {
  const test::Faults faults("EACCES:read:energy_uj;EACCES:write:scaling_");
  const Examination e = machine.examined();
  EXPECT_FALSE(e.measures_energy());
  EXPECT_FALSE(e.sets_gears());
  const std::string policies = "z " + machine.sysfs() + "/devices/system/cpu/cpufreq/policy*/";
  const auto& lines = e.administrator_runs;
  EXPECT_TRUE(has(lines, "groupadd --system --force hypermile"));
  EXPECT_TRUE(has(lines, "z " + machine.sysfs() +
                             "/class/powercap/intel-rapl*:*/energy_uj 0440 root hypermile -"));
  for (const char* file :
       {"scaling_max_freq", "scaling_min_freq", "scaling_governor", "scaling_setspeed"})
    EXPECT_TRUE(has(lines, policies + file + " 0664 root hypermile -")) << file;
  EXPECT_TRUE(has(lines, "systemd-tmpfiles --create hypermile.conf"));
  EXPECT_FALSE(has(lines, "modprobe intel_rapl_msr"));
  expect_printed("Permission denied (EACCES)");
  expect_printed("Here hypermile measures times only. It says which gears it would set.");
}

TEST_F(Server, asks_only_for_the_permission_that_is_missing) {
  const test::Faults faults("EACCES:write:scaling_");
  const Examination e = machine.examined();
  EXPECT_TRUE(e.measures_energy());
  EXPECT_FALSE(e.sets_gears());
  for (const std::string& line : e.administrator_runs)
    EXPECT_EQ(line.find("energy_uj"), std::string::npos) << line;
  expect_printed("Here hypermile measures energy but sets no gears");
}

TEST_F(Server, asks_for_permission_to_one_cpu_of_many) {
  const test::Faults faults("EACCES:write:policy7/scaling_");
  EXPECT_FALSE(machine.examined().administrator_runs.empty());
}

TEST_F(Server, does_not_ask_for_governors_that_there_are_not) {
  machine.frequencies(Driver::amd_pstate, 0);
  std::filesystem::remove_all(machine.sysfs() + "/devices");
  machine.frequencies(Driver::amd_pstate, 16);
  const test::Faults faults("EACCES:write:scaling_");
  const Examination e = machine.examined();
  EXPECT_FALSE(e.administrator_runs.empty());
  for (const std::string& line : e.administrator_runs)
    EXPECT_EQ(line.find("scaling_setspeed"), std::string::npos) << line;
}

TEST_F(Server, asks_for_power_limits_and_uncore_frequencies_apart_from_the_rest) {
  const test::FakePowercap tree(machine.sysfs());
  for (const char* entry : {"intel-rapl:0", "intel-rapl:1"})
    tree.limit(entry, 150'000'000);
  const std::string uncore = "/sys/devices/system/cpu/intel_uncore_frequency/package_00_die_00/";
  machine.file(uncore + "max_freq_khz", "2400000");
  machine.file(uncore + "min_freq_khz", "800000");
  EXPECT_TRUE(machine.examined().administrator_runs.empty());
  const test::Faults faults("EACCES:write:power_limit_uw;EACCES:write:_freq_khz");
  const Examination e = machine.examined();
  EXPECT_TRUE(e.sets_gears()); // by the frequencies of the cores
  const auto& lines = e.administrator_runs;
  const auto limit = std::ranges::find(lines, "# for power-limit only");
  ASSERT_NE(limit, lines.end());
  EXPECT_EQ(*(limit + 1), "z " + tree.path("intel-rapl:0", "constraint_0_power_limit_uw") +
                              " 0664 root hypermile -");
  EXPECT_TRUE(has(lines, "# for options of cpufreq only"));
  EXPECT_TRUE(has(lines, "z " + machine.sysfs() +
                             "/devices/system/cpu/intel_uncore_frequency/*/max_freq_khz 0664 root "
                             "hypermile -"));
  for (const std::string& line : lines)
    EXPECT_EQ(line.find("scaling_"), std::string::npos) << line;
  expect_printed("uncore up to 2.4 GHz, which may not be set");
  expect_printed("2 processors limited to 150 W over 0.999 s; cannot set the power limit of "
                 "package-0");
}

TEST_F(Server, does_not_offer_permissions_where_sysfs_is_read_only) {
  const test::Faults faults("EROFS:write:scaling_");
  const Examination e = machine.examined();
  EXPECT_FALSE(e.sets_gears());
  EXPECT_TRUE(e.administrator_runs.empty());
  expect_printed("Read-only file system (EROFS)");
}

TEST_F(Doctor, of_a_processor_without_its_driver_says_how_to_load_it) {
  const auto lines = machine.examined().administrator_runs;
  EXPECT_TRUE(has(lines, "modprobe intel_rapl_msr"));
  EXPECT_TRUE(has(lines, "echo intel_rapl_msr >> /etc/modules-load.d/hypermile.conf"));
}

TEST_F(Doctor, of_another_processor_knows_no_driver) {
  machine.cpuinfo("", "fp asimd");
  EXPECT_TRUE(machine.examined().administrator_runs.empty());
}

TEST_F(Doctor, of_a_virtual_machine_says_that_it_is_one) {
  machine.cpuinfo("GenuineIntel", "fpu hypervisor sse2");
  machine.file("/sys/class/dmi/id/sys_vendor", "QEMU");
  machine.file("/sys/class/dmi/id/product_name", "Standard PC");
  const Examination e = machine.examined();
  EXPECT_TRUE(e.host.is_virtual);
  EXPECT_TRUE(e.administrator_runs.empty()) << "nobody can allow there what is not there";
  expect_printed("a virtual machine (QEMU Standard PC)");
  expect_printed("the host of a virtual machine keeps this to itself");
}

TEST_F(Doctor, of_a_container_says_that_it_is_one) {
  machine.file("/run/.containerenv", "");
  EXPECT_EQ(machine.examined().host.container, "podman");
  expect_printed("in a container (podman)");
  EXPECT_TRUE(machine.examined().administrator_runs.empty());
}
