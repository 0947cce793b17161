#include "support/command_line.hpp"
#include "support/fake_powercap.hpp"
#include "support/fake_sysfs.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace hypermile::test;

namespace {

struct DoctorCommand : testing::Test {
  FakeSysfs sysfs{FakeSysfs::Driver::acpi_cpufreq, {{0}, {1}}};

  CommandResult doctor(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> words{"doctor"};
    words.insert(words.end(), options.begin(), options.end());
    return RunningCommand(words, "",
                          {{"HYPERMILE_SYSFS", sysfs.root()},
                           {"HYPERMILE_STATE", sysfs.root() + "/state"},
                           {"HYPERMILE_ROOT", sysfs.root()},
                           {"HWLOC_SYNTHETIC", "package:1 core:2 pu:1"},
                           {"PATH", "/nowhere"}})
        .wait();
  }
};

} // namespace

TEST_F(DoctorCommand, succeeds_whatever_it_finds) {
  const CommandResult nothing = doctor();
  EXPECT_EQ(nothing.exit_code, 0);
  EXPECT_NE(nothing.out.find("\npowercap    no "), std::string::npos) << nothing.out;
  EXPECT_EQ(nothing.err, "");
  FakePowercap(sysfs.root()).zone("intel-rapl:0", "package-0");
  const CommandResult counters = doctor();
  EXPECT_EQ(counters.exit_code, 0);
  EXPECT_NE(counters.out.find("\npowercap    yes    1 package\n"), std::string::npos)
      << counters.out;
}

TEST_F(DoctorCommand, prints_json) {
  const auto json = nlohmann::json::parse(doctor({"--json"}).out);
  EXPECT_EQ(json.at("schema"), "hypermile/doctor/2");
  EXPECT_EQ(json.at("backends").at(0).at("name"), "cpufreq");
  EXPECT_EQ(json.at("sets_gears"), true) << json.at("backends").dump(2);
}

TEST_F(DoctorCommand, refuses_what_it_does_not_know) {
  const CommandResult result = doctor({"--jsn"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("unknown option --jsn"), std::string::npos) << result.err;
  EXPECT_EQ(doctor({"here"}).exit_code, 2);
}
