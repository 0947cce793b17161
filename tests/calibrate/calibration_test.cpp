#include "calibrate/calibration.hpp"

#include "io/platform_yaml.hpp"
#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

using namespace hypermile;
using namespace hypermile::calibrate;

namespace {

using test::contains;

model::GearPower power(double computing, double waiting, double idle) {
  return {Watts{computing}, Watts{waiting}, Watts{idle}};
}

/// Four cores; gears 0 and 2 of three were measured.
Calibration two_of_three(std::vector<MeasuredGear> measured = {
                             {.gear = 0, .power = power(120, 70, 20), .pairs_per_second = 8e7},
                             {.gear = 2, .power = power(60, 50, 18), .pairs_per_second = 4e7}}) {
  Calibration calibration =
      conclude({"n1", 4, model::GearTable({Hertz{2e9}, Hertz{1.5e9}, Hertz{1e9}}), true},
               {std::move(measured), {}}, {Seconds{10}, {0, 2}}, std::nullopt);
  calibration.meter = "1 package (powercap)";
  calibration.date = "2026-11-21 20:30 UTC";
  return calibration;
}

} // namespace

namespace {

/// A node of four limits on its processors: speed in Mpairs/s and what it drew computing.
Calibration limited(const std::vector<std::pair<double, double>>& measured,
                    std::vector<Watts> limits = {Watts{150}, Watts{120}, Watts{100}, Watts{80}}) {
  std::vector<MeasuredGear> gears;
  for (const auto& [speed, watts] : measured)
    gears.push_back({.gear = gears.size(),
                     .power = power(watts, watts / 2, 20),
                     .pairs_per_second = speed * 1e6});
  return conclude({"n1", 4, model::GearTable({Hertz{2e9}}), true, std::move(limits)},
                  {std::move(gears), {}}, {Seconds{10}, {}}, std::nullopt);
}

model::NodeType type_of(const Calibration& calibration) {
  return io::parse_platform(platform_yaml(calibration), "test").groups[0].type;
}

} // namespace

TEST(LimitCalibration, has_the_frequencies_that_would_compute_as_fast) {
  const auto type = type_of(limited({{80, 140}, {76, 118}, {68, 99}, {48, 79}}));
  EXPECT_EQ(type.power_limits, (std::vector{Watts{150}, Watts{120}, Watts{100}, Watts{80}}));
  ASSERT_EQ(type.gears.size(), 4U);
  EXPECT_NEAR(type.gears.scale(1), 80.0 / 76, 1e-6);
  EXPECT_NEAR(type.gears.scale(3), 80.0 / 48, 1e-6);
  EXPECT_DOUBLE_EQ(type.gears.frequency(0).value(), 2e9);
  EXPECT_DOUBLE_EQ(type.speed.value(), 2e7);
  EXPECT_EQ(type.power[2].computing, Watts{99});
}

TEST(LimitCalibration, leaves_out_what_another_limit_beats_in_speed_and_power) {
  const auto calibration = limited({{80, 140}, {60, 120}, {68, 99}, {48, 79}});
  EXPECT_EQ(type_of(calibration).power_limits, (std::vector{Watts{150}, Watts{100}, Watts{80}}));
  ASSERT_EQ(calibration.remarks.size(), 1U);
  EXPECT_EQ(calibration.remarks[0], "the power limit 120 W (60 Mpairs/s, 120 W) is left out: 100 W "
                                    "(68 Mpairs/s, 99 W) was at least as fast and drew no more");
  EXPECT_EQ(type_of(calibration).power[1].computing, Watts{99});
  EXPECT_TRUE(contains(platform_yaml(calibration), "# Note: the power limit 120 W"));
}

TEST(LimitCalibration, keeps_gear_0_though_a_limit_beats_it) {
  const auto calibration = limited({{80, 140}, {81, 119}, {68, 99}, {48, 79}});
  const auto type = type_of(calibration);
  EXPECT_EQ(type.power_limits.size(), 4U);
  EXPECT_NEAR(type.gears.scale(1), 1.0001, 1e-6);
  ASSERT_EQ(calibration.remarks.size(), 1U);
  EXPECT_TRUE(contains(calibration.remarks[0], "is written as a little slower than 150 W"));
}

TEST(LimitCalibration, is_a_platform_whatever_was_measured) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(50, 100);
  for (int round = 0; round < 500; ++round) {
    std::vector<std::pair<double, double>> measured;
    for (int gear = 0; gear < 4; ++gear)
      measured.emplace_back(any(random), any(random));
    const auto calibration = limited(measured);
    const auto type = type_of(calibration);
    EXPECT_EQ(type.power_limits[0], Watts{150});
    EXPECT_EQ(type.power_limits.size() +
                  static_cast<std::size_t>(std::ranges::count_if(
                      calibration.remarks,
                      [](const std::string& remark) { return contains(remark, "is left out"); })),
              4U);
  }
}

TEST(LimitCalibration, needs_gear_0_and_speeds) {
  EXPECT_THROW(limited({{80, 140}, {0, 100}}), Error);
  EXPECT_THROW(conclude({"n1", 4, model::GearTable({Hertz{2e9}}), true, {Watts{150}, Watts{100}}},
                        {{{.gear = 1, .power = power(90, 50, 10), .pairs_per_second = 5e7}}, {}},
                        {Seconds{10}, {1}}, std::nullopt),
               Error);
}

TEST(LimitCalibration, says_what_its_frequencies_are) {
  const auto calibration = limited({{80, 140}, {76, 118}});
  EXPECT_TRUE(contains(platform_yaml(calibration), "# Gears are limits on the power of each"));
  EXPECT_TRUE(contains(print_calibration(calibration), "limit W"));
  const auto json = nlohmann::json::parse(calibration_json(calibration));
  EXPECT_EQ(json.at("gears").at(1).at("power_limit_w"), 120);
  EXPECT_TRUE(nlohmann::json::parse(calibration_json(two_of_three()))
                  .at("gears")
                  .at(0)
                  .at("power_limit_w")
                  .is_null());
}

TEST(UncoreCalibration, has_the_measured_gears_that_no_other_beats) {
  std::vector<MeasuredGear> measured{
      {.gear = 0, .power = power(120, 70, 20), .pairs_per_second = 8e7},
      {.gear = 1, .power = power(125, 70, 20), .pairs_per_second = 6e7},
      {.gear = 3, .power = power(60, 50, 18), .pairs_per_second = 4e7}};
  const auto calibration =
      conclude({"n1",
                4,
                model::GearTable({Hertz{2e9}, Hertz{1.5e9}, Hertz{1.2e9}, Hertz{1e9}}),
                true,
                {},
                {Hertz{2.4e9}, Hertz{2e9}, Hertz{2e9}, Hertz{1.6e9}}},
               {std::move(measured), {}}, {Seconds{10}, {0, 1, 3}}, std::nullopt);
  const auto type = type_of(calibration);
  ASSERT_EQ(type.gears.size(), 2U);
  EXPECT_EQ(type.gears.frequency(1), Hertz{1e9});
  EXPECT_EQ(type.uncore, (std::vector{Hertz{2.4e9}, Hertz{1.6e9}}));
  EXPECT_EQ(type.power[1].computing, Watts{60});
  ASSERT_EQ(calibration.remarks.size(), 1U);
  EXPECT_TRUE(calibration.remarks[0].starts_with("the gear 1.5 GHz + uncore 2 GHz (60 Mpairs/s"));
  EXPECT_TRUE(contains(print_calibration(calibration), "uncore GHz"));
}

TEST(Calibration, is_a_platform_of_one_node) {
  const auto platform = io::parse_platform(platform_yaml(two_of_three()), "test");
  ASSERT_EQ(platform.groups.size(), 1U);
  const auto& [type, count] = platform.groups[0];
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(type.name, "n1");
  EXPECT_EQ(type.cores, 4U);
  EXPECT_DOUBLE_EQ(type.speed.value(), 2e7);
  EXPECT_EQ(platform.ep_pair_work, Work{1});
  ASSERT_EQ(type.gears.size(), 3U);
  EXPECT_EQ(type.gears.frequency(1), Hertz{1.5e9});
  EXPECT_EQ(type.power[0].computing, Watts{120});
  EXPECT_EQ(type.power[2].waiting, Watts{50});
  EXPECT_GT(type.power[1].computing, Watts{60});
  EXPECT_LT(type.power[1].computing, Watts{120});
}

TEST(Calibration, says_what_was_not_measured) {
  const std::string yaml = platform_yaml(two_of_three());
  EXPECT_TRUE(contains(yaml,
                       "# Measured: 1 package (powercap), in gears 0, 2. Not measured: gear 1, "
                       "whose power follows"))
      << yaml;
  EXPECT_TRUE(contains(yaml, "# Network: not measured.")) << yaml;
  const std::string table = print_calibration(two_of_three());
  EXPECT_TRUE(contains(table, "-  by Eq. 3.15\n")) << table;
  EXPECT_TRUE(contains(table, "20.000  measured\n")) << table;
}

TEST(Calibration, says_that_its_power_is_assumed) {
  const Calibration calibration =
      conclude({"n1", 4, model::GearTable({Hertz{2e9}, Hertz{1e9}}), true},
               {{{.gear = 0, .power = std::nullopt, .pairs_per_second = 8e7}}, {}},
               {Seconds{10}, {0}}, power(90, 50, 10));
  const std::string yaml = platform_yaml(calibration);
  EXPECT_TRUE(contains(yaml, "# No power is measured. That in gear 0 is assumed")) << yaml;
  EXPECT_TRUE(contains(yaml, "computing: [90.00W, 20.00W]\n")) << yaml;
  EXPECT_FALSE(is_measured(calibration, 0));
  EXPECT_FALSE(contains(print_calibration(calibration), "measured"));
}

TEST(Calibration, says_that_its_frequency_is_not_known) {
  const Calibration calibration =
      conclude({"n1", 1, model::GearTable({Hertz{1e9}}), false},
               {{{.gear = 0, .power = power(9, 8, 7), .pairs_per_second = 1e7}}, {}},
               {Seconds{10}, {0}}, std::nullopt);
  EXPECT_TRUE(contains(platform_yaml(calibration), "# Frequency: not known"));
  EXPECT_TRUE(
      nlohmann::json::parse(calibration_json(calibration))["gears"][0]["frequency_ghz"].is_null());
}

TEST(Calibration, of_a_node_that_waits_harder_than_it_computes_is_a_platform_still) {
  const auto calibration =
      two_of_three({{.gear = 0, .power = power(120, 130, 20), .pairs_per_second = 8e7}});
  EXPECT_EQ(calibration.power[0].computing, Watts{130});
  ASSERT_EQ(calibration.remarks.size(), 1U);
  EXPECT_EQ(calibration.remarks[0],
            "in gear 0 waiting drew 130.00 W and computing 120.00 W: written as 130.00 W both");
  EXPECT_NO_THROW(io::parse_platform(platform_yaml(calibration), "test"));
  EXPECT_TRUE(contains(platform_yaml(calibration), "# Note: in gear 0 waiting drew"));
}

TEST(Calibration, notes_speeds_that_do_not_go_with_the_frequency) {
  const auto calibration =
      two_of_three({{.gear = 0, .power = power(120, 70, 20), .pairs_per_second = 8e7},
                    {.gear = 2, .power = power(60, 50, 18), .pairs_per_second = 7.9e7}});
  ASSERT_EQ(calibration.remarks.size(), 1U);
  EXPECT_TRUE(calibration.remarks[0].starts_with(
      "gear 2 computed 0.99 times as fast as gear 0, but its frequency says 0.50"))
      << calibration.remarks[0];
}

TEST(Calibration, takes_the_speed_of_gear_0_from_another_by_frequency) {
  const auto calibration =
      two_of_three({{.gear = 2, .power = power(60, 50, 18), .pairs_per_second = 4e7}});
  EXPECT_DOUBLE_EQ(calibration.pairs_per_second, 2e7);
  EXPECT_EQ(calibration.remarks.size(), 1U);
}

TEST(Calibration, of_nothing_is_refused) {
  EXPECT_THROW(two_of_three({}), Error);
  EXPECT_THROW(two_of_three({{.gear = 0, .power = power(2, 1, 0), .pairs_per_second = 0}}), Error);
}

TEST(Calibration, quotes_names_that_yaml_would_not_take) {
  Calibration calibration = two_of_three();
  calibration.node.name = "a: \"b\\\n#c";
  EXPECT_EQ(io::parse_platform(platform_yaml(calibration), "test").groups[0].type.name,
            "a: _b__#c");
}

TEST(Calibration, keeps_remarks_within_its_comments) {
  Calibration calibration = two_of_three();
  calibration.remarks = {"one\ntypes: []\n" + std::string(300, 'x')};
  EXPECT_NO_THROW(io::parse_platform(platform_yaml(calibration), "test"));
}

TEST(Calibration, as_json_has_the_keys_of_the_documentation) {
  const auto json = nlohmann::json::parse(calibration_json(two_of_three()));
  EXPECT_EQ(json.at("schema"), "hypermile/calibration/1");
  EXPECT_EQ(json.at("gears").at(0).at("power_is"), "measured");
  EXPECT_EQ(json.at("gears").at(1).at("power_is"), "fitted");
  EXPECT_EQ(json.at("gears").at(2).at("pairs_per_second"), 1e7);
  EXPECT_TRUE(json.at("gears").at(1).at("pairs_per_second").is_null());
  std::ifstream file(std::string(HYPERMILE_SOURCE_DIR) + "/docs/calibration.md");
  std::stringstream documentation;
  documentation << file.rdbuf();
  for (const auto& [key, value] : json.items())
    EXPECT_TRUE(contains(documentation.str(), "`" + key + "`")) << key;
  for (const auto& [key, value] : json.at("gears").at(0).items())
    EXPECT_TRUE(contains(documentation.str(), "`" + key + "`")) << key;
}
