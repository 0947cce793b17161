#include "backend/cpufreq/backend.hpp"
#include "backend/cpufreq/uncore_gears.hpp"

#include "support/fake_sysfs.hpp"
#include "support/faults.hpp"
#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::cpufreq {
namespace {

using test::contains;
using test::FakeSysfs;
using test::Faults;

constexpr const char* first = "package_00_die_00";
constexpr const char* second = "package_01_die_00";

/// Two processors with frequencies from 3.5 to 0.8 GHz in 28 gears.
struct Uncore : testing::Test {
  FakeSysfs sysfs{FakeSysfs::Driver::intel_pstate, {{0}, {1}}};
  test::TemporaryFolder folder;
  control::Access access{.place = {.sysfs = sysfs.root(), .state = folder.path("state")},
                         .guard = HYPERMILE_GUARD,
                         .owner = control::this_process("", "test"),
                         .options = {{"uncore", "2.0GHz,1.6GHz"}}};

  Uncore() {
    sysfs.add_uncore(first);
    sysfs.add_uncore(second);
  }
  [[nodiscard]] std::string highest(const char* domain = first) const {
    return sysfs.read_uncore(domain, "max_freq_khz");
  }
  void set_uncore(const char* domain, const char* file, const std::string& khz) const {
    std::ofstream(sysfs.uncore_path(domain, file)) << khz << '\n';
  }
  static std::string refusal(control::Actuator& actuator, std::size_t gear) {
    try {
      actuator.set_gear(gear);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(Uncore, is_set_with_the_cores_and_restored) {
  const auto before = sysfs.settings();
  control::OpenGears open = cpufreq::open(access);
  ASSERT_NE(open.actuator, nullptr) << open.why_not;
  EXPECT_EQ(open.gears[0].uncore, Hertz{2.4e9});
  EXPECT_EQ(open.gears[1].name, "3.4 GHz + uncore 2 GHz");
  EXPECT_EQ(open.gears[27].uncore, Hertz{1.6e9});
  open.actuator->set_gear(0);
  EXPECT_EQ(sysfs.settings(), before);
  open.actuator->set_gear(1);
  EXPECT_EQ(highest(first), "2000000");
  EXPECT_EQ(highest(second), "2000000");
  EXPECT_EQ(sysfs.read(0, "scaling_max_freq"), "3400000");
  open.actuator->set_gear(20);
  EXPECT_EQ(highest(second), "1600000");
  EXPECT_EQ(open.actuator->verify(), "");
  open.actuator->set_gear(0);
  EXPECT_EQ(sysfs.settings(), before);
  open.actuator->set_gear(5);
  EXPECT_EQ(open.lease->release(), std::vector<std::string>{});
  EXPECT_EQ(sysfs.settings(), before);
}

TEST_F(Uncore, is_left_alone_unless_it_is_asked_for) {
  access.options.clear();
  control::OpenGears open = cpufreq::open(access);
  const Faults faults("EIO:write:intel_uncore_frequency");
  open.actuator->set_gear(5);
  EXPECT_EQ(highest(), "2400000");
  EXPECT_FALSE(open.gears[5].uncore);
}

TEST_F(Uncore, of_a_platform_is_set_by_gear) {
  access.options.clear();
  access.gears = {control::gear_at(Hertz{3.5e9}, Hertz{2.4e9}),
                  control::gear_at(Hertz{2e9}, Hertz{2.4e9}),
                  control::gear_at(Hertz{1e9}, Hertz{1.2e9})};
  control::OpenGears open = cpufreq::open(access);
  open.actuator->set_gear(1);
  EXPECT_EQ(highest(), "2400000");
  open.actuator->set_gear(2);
  EXPECT_EQ(highest(), "1200000");
  EXPECT_EQ(sysfs.read(0, "scaling_max_freq"), "1000000");
  access.options = {{"uncore", "2GHz"}};
  EXPECT_TRUE(contains(probe(access).why_not, "leave out --uncore"));
}

TEST_F(Uncore, that_is_named_goes_with_the_gears_of_a_platform) {
  for (int i = 0; i < 40; ++i) // more than the machine has
    access.gears.push_back(control::gear_at(Hertz{3.5e9 - 5e7 * i}));
  control::OpenGears open = cpufreq::open(access);
  ASSERT_NE(open.actuator, nullptr) << open.why_not;
  open.actuator->set_gear(1);
  EXPECT_EQ(highest(), "2000000");
  open.actuator->set_gear(39);
  EXPECT_EQ(highest(), "1600000");
  EXPECT_EQ(sysfs.read(0, "scaling_max_freq"), "1500000");
}

TEST_F(Uncore, is_never_higher_than_it_was_and_pulls_the_lower_limit_down) {
  set_uncore(second, "max_freq_khz", "1800000");
  set_uncore(second, "min_freq_khz", "1800000");
  const auto before = sysfs.settings();
  control::OpenGears open = cpufreq::open(access);
  open.actuator->set_gear(1);
  EXPECT_EQ(highest(first), "2000000");
  EXPECT_EQ(highest(second), "1800000");
  open.actuator->set_gear(2);
  EXPECT_EQ(highest(second), "1600000");
  EXPECT_EQ(sysfs.read_uncore(second, "min_freq_khz"), "1600000");
  open.actuator->set_gear(1);
  EXPECT_EQ(sysfs.read_uncore(second, "min_freq_khz"), "1800000");
  open.lease->release();
  EXPECT_EQ(sysfs.settings(), before);
}

TEST_F(Uncore, of_parts_of_a_processor_is_set_in_place_of_its_own) {
  sysfs.add_uncore("uncore00");
  sysfs.add_uncore("uncore01");
  control::OpenGears open = cpufreq::open(access);
  open.actuator->set_gear(1);
  EXPECT_EQ(highest("uncore00"), "2000000");
  EXPECT_EQ(highest("uncore01"), "2000000");
  EXPECT_EQ(highest(first), "2400000");
}

TEST_F(Uncore, that_is_not_there_is_an_error_that_says_what_to_do) {
  std::filesystem::remove_all(sysfs.root() + "/devices/system/cpu/intel_uncore_frequency");
  const control::OpenGears open = cpufreq::open(access);
  EXPECT_EQ(open.actuator, nullptr);
  EXPECT_TRUE(contains(open.why_not, "intel_uncore_frequency is not there")) << open.why_not;
  EXPECT_TRUE(contains(open.advice, "modprobe intel_uncore_frequency"));
  access.options.clear();
  EXPECT_NE(cpufreq::open(access).actuator, nullptr);
}

TEST_F(Uncore, that_may_not_be_set_is_for_an_administrator_to_allow) {
  const Faults faults("EACCES:write:intel_uncore_frequency");
  const control::Finding found = probe(access);
  EXPECT_TRUE(contains(found.why_not, "cannot set the uncore frequency: "));
  ASSERT_EQ(found.closed_options.size(), 2U);
  EXPECT_EQ(found.closed_options[0].pattern,
            sysfs.root() + "/devices/system/cpu/intel_uncore_frequency/*/max_freq_khz");
  access.options.clear();
  EXPECT_EQ(probe(access).why_not, "");
  EXPECT_TRUE(contains(probe(access).what, "uncore up to 2.4 GHz, which may not be set"));
}

TEST_F(Uncore, that_does_not_take_a_frequency_takes_the_cores_back) {
  control::OpenGears open = cpufreq::open(access);
  open.actuator->set_gear(1);
  {
    const Faults faults("EIO:write:package_01_die_00");
    EXPECT_TRUE(
        contains(refusal(*open.actuator, 5), "the node does not take gear 5: cannot write"));
  }
  EXPECT_EQ(open.actuator->gear(), 1U);
  EXPECT_EQ(highest(first), "2000000");
  EXPECT_EQ(sysfs.read(0, "scaling_max_freq"), "3400000");
  {
    const Faults faults("LOST:write:package_01_die_00");
    EXPECT_TRUE(contains(refusal(*open.actuator, 5),
                         "of package_01_die_00 is limited to 2 GHz instead of 1.6 GHz"));
  }
  open.actuator->set_gear(5);
  EXPECT_EQ(open.actuator->verify(), "");
}

TEST_F(Uncore, that_somebody_else_changed_is_found_out) {
  control::OpenGears open = cpufreq::open(access);
  open.actuator->set_gear(1);
  set_uncore(second, "max_freq_khz", "1000000");
  EXPECT_EQ(open.actuator->verify(), "the limit on the uncore frequency of package_01_die_00 was "
                                     "changed to 1 GHz by someone else, from 2 GHz");
}

TEST_F(Uncore, that_is_no_number_is_an_obstacle) {
  for (const char* text : {"", "fast", "-1", "0", "1 2"}) {
    set_uncore(second, "max_freq_khz", text);
    EXPECT_TRUE(contains(probe(access).why_not, "which is no frequency")) << text;
  }
}

TEST_F(Uncore, lists_that_are_none_are_refused) {
  for (const char* list : {"", "2", "2GHz,", ",2GHz", "1GHz,2GHz", "0GHz", "-1GHz", "nanGHz", "2W"})
    EXPECT_NE(check_uncore(list), "") << list;
  EXPECT_EQ(check_uncore("2GHz,2GHz,1800MHz"), "");
  std::string many = "2GHz";
  for (int i = 0; i < 27; ++i)
    many += ",2GHz";
  access.options = {{"uncore", many}};
  EXPECT_TRUE(contains(probe(access).why_not, "lists 28 frequencies, but there are 27 gears"));
}

} // namespace
} // namespace hypermile::cpufreq
