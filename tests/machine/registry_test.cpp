#include "machine/open.hpp"
#include "support/fake_powercap.hpp"
#include "support/fake_sysfs.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <set>

using namespace hypermile;
using namespace hypermile::machine;

namespace {

using test::contains;

using Driver = test::FakeSysfs::Driver;

struct OpeningANode : testing::Test {
  test::FakeSysfs sysfs{Driver::intel_pstate, {{0}, {1}}};
  control::Access access{.place = {.sysfs = sysfs.root(), .state = sysfs.root() + "/state"},
                         .guard = HYPERMILE_GUARD,
                         .owner = control::this_process("", "test")};
};

} // namespace

TEST(Registry, has_rows_that_can_be_told_apart_and_called) {
  std::set<std::string_view> names{"auto", "none", "model", "cores"};
  for (const Backend& row : backends()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(row.probe != nullptr && row.open != nullptr) << row.name;
  }
  for (const Meter& row : meters()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(row.probe != nullptr && (row.open == nullptr) != (row.parse == nullptr))
        << row.name;
  }
}

TEST(Registry, names_every_row_in_help_and_where_a_name_is_refused) {
  for (const Backend& row : backends()) {
    EXPECT_TRUE(contains(backends_help(), row.help.substr(0, 20))) << row.name;
    EXPECT_TRUE(contains(check_backend("magic"), row.name)) << row.name;
    EXPECT_EQ(check_backend(std::string(row.name)), "");
  }
  for (const Meter& row : meters()) {
    EXPECT_TRUE(contains(meters_help(), row.name)) << row.name;
    EXPECT_TRUE(contains(check_meter("magic"), row.name)) << row.name;
  }
  for (const char* word : {"auto", "none"}) {
    EXPECT_EQ(check_backend(word), "");
    EXPECT_EQ(check_meter(word), "");
  }
  EXPECT_NE(check_meter("wattmeter"), "");
  EXPECT_NE(check_live_meter("wattmeter:log.csv"), "");
}

TEST(Registry, finds_the_options_of_backends_in_variables) {
  const auto options = options_in([](const std::string& name) {
    return name == "HYPERMILE_SET_COMMAND" ? std::optional<std::string>("set {khz}") : std::nullopt;
  });
  EXPECT_EQ(options, (Options{{"set-command", "set {khz}"}}));
  EXPECT_EQ(check_options(options), "");
  EXPECT_TRUE(
      contains(check_options({{"set-command", "set {mhz}"}}), "HYPERMILE_SET_COMMAND: unknown"));
}

TEST_F(OpeningANode, sets_its_gears_by_the_first_backend_that_can) {
  Gears gears = open_gears("auto", access);
  ASSERT_NE(gears.backend, nullptr) << gears.problem->what();
  EXPECT_EQ(gears.backend->name, "cpufreq");
  EXPECT_EQ(gears.table->size(), 28U);
  gears.actuator->set_gear(27);
  EXPECT_EQ(sysfs.read(0, "scaling_max_freq"), "800000");
}

TEST_F(OpeningANode, sets_none_where_none_is_asked_for_but_knows_them) {
  const Gears gears = open_gears("none", access);
  EXPECT_EQ(gears.actuator, nullptr);
  EXPECT_FALSE(gears.problem);
  EXPECT_EQ(gears.table->size(), 28U);
  EXPECT_FALSE(std::filesystem::exists(access.place.state));
}

TEST_F(OpeningANode, has_a_problem_where_somebody_else_sets_them) {
  Gears first = open_gears("cpufreq", access);
  first.actuator->set_gear(27); // which leaves no other frequency to see
  const Gears second = open_gears("cpufreq", access);
  EXPECT_TRUE(second.in_use);
  EXPECT_TRUE(second.problem);
}

TEST_F(OpeningANode, measures_by_the_first_meter_that_can_be_read) {
  EXPECT_TRUE(open_meter("auto", access).problem);
  EXPECT_FALSE(open_meter("model", access).problem);
  test::FakePowercap(sysfs.root()).zone("intel-rapl:0", "package-0");
  const OpenedMeter meter = open_meter("auto", access);
  EXPECT_EQ(meter.name, "powercap");
  EXPECT_EQ(meter.measures, "1 package");
  EXPECT_TRUE(meter.meter->consumed());
}

namespace {

/// A machine of both.
struct OpeningALimitedNode : OpeningANode {
  test::FakePowercap powercap{sysfs.root()};

  OpeningALimitedNode() {
    powercap.zone("intel-rapl:0", "package-0");
    powercap.limit("intel-rapl:0", 100'000'000);
  }
  void describe() {
    access.gears = settings_of({.name = "limited",
                                .speed = Speed{1},
                                .gears = model::GearTable({Hertz{2e9}, Hertz{1.8e9}}),
                                .power = {},
                                .power_limits = {Watts{100}, Watts{70}}});
  }
};

} // namespace

TEST_F(OpeningALimitedNode, sets_frequencies_unless_power_limits_are_asked_for) {
  EXPECT_EQ(open_gears("auto", access).backend->name, "cpufreq");
  const Gears gears = open_gears("power-limit", access);
  ASSERT_NE(gears.actuator, nullptr) << gears.problem->what();
  EXPECT_FALSE(gears.table); // nobody knows how fast they are
  ASSERT_EQ(gears.settings.size(), 7U);
  EXPECT_EQ(gears.settings[1].name, "90 W");
  gears.actuator->set_gear(1);
  EXPECT_EQ(powercap.read("intel-rapl:0", "constraint_0_power_limit_uw"), "90000000");
}

TEST_F(OpeningALimitedNode, sets_the_power_limits_of_a_platform_without_being_told) {
  describe();
  const auto frequencies = sysfs.settings();
  const Gears gears = open_gears("auto", access);
  ASSERT_NE(gears.actuator, nullptr) << gears.problem->what();
  EXPECT_EQ(gears.backend->name, "power-limit");
  gears.actuator->set_gear(1);
  EXPECT_EQ(powercap.read("intel-rapl:0", "constraint_0_power_limit_uw"), "70000000");
  EXPECT_EQ(sysfs.settings(), frequencies);
}

TEST_F(OpeningALimitedNode, sets_no_frequencies_for_power_limits) {
  describe();
  for (const char* backend : {"cpufreq", "command"}) {
    access.options["set-command"] = "true {khz}";
    const Gears gears = open_gears(backend, access);
    EXPECT_EQ(gears.actuator, nullptr);
    ASSERT_TRUE(gears.problem);
    EXPECT_TRUE(contains(gears.problem->what(), "are power limits, not frequencies"))
        << gears.problem->what();
    EXPECT_TRUE(contains(gears.problem->what(), "--backend power-limit")) << backend;
  }
}

TEST_F(OpeningALimitedNode, sets_no_power_limits_for_frequencies) {
  access.gears = {control::gear_at(Hertz{2e9}), control::gear_at(Hertz{1e9})};
  const Gears gears = open_gears("power-limit", access);
  EXPECT_EQ(gears.actuator, nullptr);
  EXPECT_TRUE(contains(gears.problem->what(), "calibrate-power --backend power-limit"));
}
