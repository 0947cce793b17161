#include "backend/powercap/limit_backend.hpp"

#include "support/fake_powercap.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

using namespace hypermile;
using namespace hypermile::backend::powercap;

namespace {

using test::contains;
using test::Faults;

constexpr const char* limit_file = "constraint_0_power_limit_uw";
constexpr const char* first = "intel-rapl:0";
constexpr const char* second = "intel-rapl:1";

/// Two processors of 150 W each.
struct PowerLimits : testing::Test {
  test::TemporaryFolder folder;
  test::FakePowercap tree{folder.path("sys")};
  control::Access access{.place = {.sysfs = folder.path("sys"), .state = folder.path("state")},
                         .guard = HYPERMILE_GUARD,
                         .owner = control::this_process("", "test")};

  PowerLimits() {
    for (const char* entry : {first, second}) {
      tree.zone(entry, std::string("package-") + entry[std::string(entry).size() - 1]);
      tree.limit(entry, 150'000'000, 165'000'000);
    }
  }

  void name_limits(const std::string& list) { access.options["power-limits"] = list; }
  /// As a platform lists them.
  void describe(const std::vector<double>& watts) {
    for (const double limit : watts)
      access.gears.push_back(control::gear_below(Watts{limit}));
  }
  [[nodiscard]] std::string limit(const char* entry = first) const {
    return tree.read(entry, limit_file);
  }
  void cpu(int number, const std::string& package) const {
    const std::filesystem::path file = folder.path("sys") + "/devices/system/cpu/cpu" +
                                       std::to_string(number) + "/topology/physical_package_id";
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << package << '\n';
  }
  static std::string refusal(control::Actuator& actuator, std::size_t gear) {
    try {
      actuator.set_gear(gear);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  [[nodiscard]] std::vector<double> gears() const {
    std::vector<double> watts;
    for (const Watts limit : control::power_limits_of(probe_limits(access).gears))
      watts.push_back(limit.value());
    return watts;
  }
};

} // namespace

TEST_F(PowerLimits, are_steps_of_a_tenth_below_the_present_one) {
  EXPECT_EQ(gears(), (std::vector<double>{150, 135, 120, 105, 90, 75, 60}));
  tree.write(second, "constraint_0_min_power_uw", "80000000");
  EXPECT_EQ(gears(), (std::vector<double>{150, 135, 120, 105, 90}));
}

TEST_F(PowerLimits, begin_at_what_processors_are_made_for_where_none_holds) {
  for (const char* entry : {first, second})
    tree.limit(entry, 4'095'875'000, 100'000'000, false);
  EXPECT_EQ(gears(), (std::vector<double>{100, 90, 80, 70, 60, 50, 40}));
  for (const char* entry : {first, second})
    tree.limit(entry, 4'095'875'000, 100'000'000, true); // as some boards have it
  EXPECT_EQ(gears().front(), 100);
}

TEST_F(PowerLimits, that_a_user_names_come_after_the_present_one) {
  name_limits("150W,100W,80W");
  EXPECT_EQ(gears(), (std::vector<double>{150, 100, 80}));
  name_limits("100W,80W");
  EXPECT_EQ(gears(), (std::vector<double>{150, 100, 80}));
  name_limits("200W,80W");
  EXPECT_TRUE(contains(probe_limits(access).why_not, "200 W is above the present limit of 150 W"));
  name_limits("150W");
  EXPECT_TRUE(contains(probe_limits(access).why_not, "no limit below the present one"));
}

TEST_F(PowerLimits, that_are_no_list_are_refused) {
  for (const char* list : {"", "100", "100W,", ",100W", "80W,100W", "100W,100W", "0W", "-5W",
                           "nanW", "1MW", "100W 80W", "100Hz"})
    EXPECT_NE(check_power_limits(list), "") << list;
  EXPECT_EQ(check_power_limits("0.1kW,80W"), "");
}

TEST_F(PowerLimits, are_those_of_the_platform_where_it_lists_some) {
  describe({150, 90});
  EXPECT_EQ(gears(), (std::vector<double>{150, 90}));
  name_limits("100W");
  EXPECT_TRUE(contains(probe_limits(access).why_not, "leave out --power-limits"));
  access.options.clear();
  access.gears = {control::gear_at(Hertz{2e9}), control::gear_at(Hertz{1e9})};
  EXPECT_TRUE(contains(probe_limits(access).why_not, "are frequencies"));
}

TEST_F(PowerLimits, are_set_and_restored) {
  const auto before = tree.settings();
  control::OpenGears open = open_limits(access);
  ASSERT_NE(open.actuator, nullptr) << open.why_not;
  EXPECT_EQ(tree.settings(), before);
  open.actuator->set_gear(2);
  for (const char* entry : {first, second})
    EXPECT_EQ(limit(entry), "120000000");
  EXPECT_EQ(tree.read(first, "constraint_1_power_limit_uw"), "300000000");
  EXPECT_EQ(open.actuator->verify(), "");
  EXPECT_EQ(open.actuator->gear(), 2U);
  EXPECT_NEAR(open.actuator->settling().value(), 0.999424, 1e-9);
  open.actuator->set_gear(0);
  EXPECT_EQ(tree.settings(), before);
  open.actuator->set_gear(6);
  EXPECT_EQ(open.lease->release(), std::vector<std::string>{});
  EXPECT_EQ(tree.settings(), before);
}

TEST_F(PowerLimits, that_do_not_hold_are_switched_on_and_off_again) {
  for (const char* entry : {first, second})
    tree.limit(entry, 200'000'000, 100'000'000, false);
  const auto before = tree.settings();
  control::OpenGears open = open_limits(access);
  ASSERT_NE(open.actuator, nullptr) << open.why_not;
  open.actuator->set_gear(1);
  EXPECT_EQ(limit(), "90000000");
  EXPECT_EQ(tree.read(second, "enabled"), "1");
  open.actuator->set_gear(0);
  EXPECT_EQ(tree.settings(), before);
  open.actuator->set_gear(1);
  tree.write(second, "enabled", "0");
  EXPECT_TRUE(contains(open.actuator->verify(), "package-1 was switched off by someone else"));
  EXPECT_EQ(open.lease->release(), std::vector<std::string>{});
  EXPECT_EQ(tree.settings(), before);
}

TEST_F(PowerLimits, are_never_above_what_a_processor_had) {
  tree.limit(second, 90'000'000, 165'000'000);
  control::OpenGears open = open_limits(access);
  open.actuator->set_gear(1); // 135 W
  EXPECT_EQ(limit(first), "135000000");
  EXPECT_EQ(limit(second), "90000000");
  open.actuator->set_gear(6);
  EXPECT_EQ(limit(second), "60000000");
  EXPECT_EQ(open.actuator->verify(), "");
}

TEST_F(PowerLimits, of_a_platform_that_the_node_does_not_reach_are_said_to_be_so) {
  describe({200, 180, 100});
  const control::OpenGears open = open_limits(access);
  ASSERT_EQ(open.remarks.size(), 1U);
  EXPECT_TRUE(contains(open.remarks[0], "200 W in gear 0, but it may draw 150 W now"));
}

TEST_F(PowerLimits, concern_the_processors_of_the_cpus_alone) {
  cpu(0, "0");
  cpu(1, "1");
  access.cpus = {1};
  control::OpenGears open = open_limits(access);
  open.actuator->set_gear(2);
  EXPECT_EQ(limit(first), "150000000");
  EXPECT_EQ(limit(second), "120000000");
}

TEST_F(PowerLimits, concern_all_processors_where_the_kernel_does_not_tell_whose_cpus_they_are) {
  cpu(1, "-1");
  access.cpus = {1};
  control::OpenGears open = open_limits(access);
  open.actuator->set_gear(2);
  EXPECT_EQ(limit(first), "120000000");
}

TEST_F(PowerLimits, of_one_driver_are_set_where_two_show_them) {
  tree.zone("intel-rapl-mmio:0", "package-0");
  tree.limit("intel-rapl-mmio:0", 140'000'000);
  control::OpenGears open = open_limits(access);
  open.actuator->set_gear(6);
  EXPECT_EQ(limit(first), "60000000");
  EXPECT_EQ(tree.read("intel-rapl-mmio:0", limit_file), "140000000");
}

TEST_F(PowerLimits, that_the_firmware_locks_are_an_error_that_says_so) {
  const auto before = tree.settings();
  control::OpenGears open = open_limits(access);
  const Faults faults("ENODATA:write:power_limit_uw");
  const std::string why = refusal(*open.actuator, 3);
  EXPECT_TRUE(contains(why, "the node does not take gear 3 (105 W): package-0: cannot write "
                            "105000000 to "))
      << why;
  EXPECT_TRUE(contains(why, "No data available (ENODATA)")) << why;
  EXPECT_TRUE(contains(why, "locked by BIOS")) << why;
  EXPECT_EQ(open.actuator->gear(), 0U);
  EXPECT_EQ(tree.settings(), before);
}

TEST_F(PowerLimits, that_one_processor_refuses_are_taken_back_from_the_other) {
  control::OpenGears open = open_limits(access);
  open.actuator->set_gear(1);
  for (const char* error : {"EBUSY", "EIO", "EPERM", "ENODATA"}) {
    const Faults faults(std::string(error) + ":write:1/constraint_0");
    EXPECT_TRUE(contains(refusal(*open.actuator, 3), std::string("(") + error + ")"));
    EXPECT_EQ(open.actuator->gear(), 1U);
    EXPECT_EQ(limit(first), "135000000");
    EXPECT_EQ(limit(second), "135000000");
  }
  open.actuator->set_gear(3);
  EXPECT_EQ(open.actuator->verify(), "");
}

TEST_F(PowerLimits, are_not_believed_to_be_set_because_linux_says_so) {
  control::OpenGears open = open_limits(access);
  const Faults faults("LOST:write:1/constraint_0");
  EXPECT_TRUE(contains(refusal(*open.actuator, 3),
                       "package-1: the power limit stays at 150 W instead of 105 W"));
  EXPECT_EQ(limit(first), "150000000");
}

TEST_F(PowerLimits, that_somebody_else_changed_are_found_out) {
  control::OpenGears open = open_limits(access);
  EXPECT_EQ(open.actuator->verify(), "");
  open.actuator->set_gear(1);
  tree.write(first, limit_file, "135125000"); // a processor rounds
  EXPECT_EQ(open.actuator->verify(), "");
  tree.write(first, limit_file, "180000000");
  EXPECT_EQ(open.actuator->verify(),
            "the power limit of package-0 was changed to 180 W by someone else, from 135 W");
}

TEST_F(PowerLimits, that_cannot_go_back_are_said_to_be_stuck) {
  control::OpenGears open = open_limits(access);
  open.actuator->set_gear(1);
  {
    const Faults faults("EIO:write:0/constraint_0:1;EIO:write:1/constraint_0");
    EXPECT_NE(refusal(*open.actuator, 3), "");
  }
  EXPECT_TRUE(contains(open.actuator->verify(), "the node could not go back to gear 1: package-"));
  open.actuator->set_gear(3);
  EXPECT_EQ(open.actuator->verify(), "");
}

TEST_F(PowerLimits, that_a_user_may_not_set_are_for_an_administrator_to_allow) {
  const Faults faults("EACCES:write:power_limit_uw");
  const control::Finding found = probe_limits(access);
  EXPECT_TRUE(contains(found.why_not,
                       "cannot set the power limit of package-0: " + tree.path(first, limit_file) +
                           ": Permission denied (EACCES)"));
  ASSERT_EQ(found.closed.size(), 2U);
  EXPECT_EQ(found.closed[1].pattern, tree.path(second, limit_file));
  EXPECT_EQ(found.closed[1].mode, "0664");
  EXPECT_EQ(gears().size(), 7U);
}

TEST_F(PowerLimits, that_do_not_hold_need_the_right_to_switch_them_on) {
  tree.limit(second, 100'000'000, 100'000'000, false);
  const Faults faults("EACCES:write:/enabled");
  const control::Finding found = probe_limits(access);
  ASSERT_EQ(found.closed.size(), 3U);
  EXPECT_EQ(found.closed[2].pattern, tree.path(second, "enabled"));
}

TEST_F(PowerLimits, are_missing_where_processors_take_none) {
  const test::TemporaryFolder other;
  access.place.sysfs = other.path();
  EXPECT_TRUE(probe_limits(access).absent);
  test::FakePowercap(other.path()).zone(first, "package-0"); // as AMD's
  const control::Finding found = probe_limits(access);
  EXPECT_FALSE(found.absent);
  EXPECT_TRUE(contains(found.why_not, "takes a limit 'long_term'")) << found.why_not;
  EXPECT_TRUE(found.closed.empty());
}

TEST_F(PowerLimits, that_are_no_numbers_are_an_obstacle) {
  for (const char* text : {"", "high", "-1", "1 2", "99999999999999999999999"}) {
    tree.write(first, limit_file, text);
    EXPECT_TRUE(contains(probe_limits(access).why_not, "which is no number")) << text;
    EXPECT_EQ(open_limits(access).actuator, nullptr);
  }
  tree.write(first, limit_file, "100000000");
  tree.write(first, "enabled", "7");
  EXPECT_TRUE(contains(probe_limits(access).why_not, "not 0 or 1"));
}

TEST_F(PowerLimits, have_no_gear_beyond_the_last) {
  control::OpenGears open = open_limits(access);
  EXPECT_TRUE(contains(refusal(*open.actuator, 7), "no gear 7"));
}
