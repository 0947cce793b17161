#include "calibrate/calibration.hpp"

#include "io/platform_yaml.hpp"
#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
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
