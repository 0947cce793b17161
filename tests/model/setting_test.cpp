#include "model/setting.hpp"

#include <gtest/gtest.h>

namespace hypermile::model {
namespace {

NodeType node(std::vector<Watts> limits, std::vector<Hertz> uncore, bool frequencies_known = true) {
  const GearTable gears{{Hertz{2.4e9}, Hertz{7e9 / 3}, Hertz{1.25e9}}};
  return {.name = "node",
          .speed = Speed{1},
          .gears = gears,
          .power = cubic_power(gears, Watts{80}, Watts{20}),
          .frequencies_known = frequencies_known,
          .power_limits = std::move(limits),
          .uncore = std::move(uncore)};
}

TEST(setting_name, is_what_the_gear_sets) {
  const NodeType plain = node({}, {});
  EXPECT_EQ(setting_name(plain, 0), "2.4 GHz");
  EXPECT_EQ(setting_name(plain, 1), "2.333 GHz");
  const NodeType with_uncore = node({}, {Hertz{2.4e9}, Hertz{2e9}, Hertz{1.6e9}});
  EXPECT_EQ(setting_name(with_uncore, 2), "1.25 GHz + uncore 1.6 GHz");
  const NodeType limited = node({Watts{150}, Watts{112.5}, Watts{85}}, {}, false);
  EXPECT_EQ(setting_name(limited, 1), "112.5 W");
  EXPECT_EQ(stated_setting(limited, 2), "85 W");
}

TEST(setting_name, is_the_number_of_a_gear_that_is_known_by_its_speed_only) {
  const NodeType unknown = node({}, {}, false);
  EXPECT_EQ(setting_name(unknown, 2), "gear 2");
  EXPECT_EQ(stated_setting(unknown, 2), "");
}

} // namespace
} // namespace hypermile::model
