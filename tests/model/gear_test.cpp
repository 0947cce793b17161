#include "model/gear.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace hypermile::model {
namespace {

GearTable table(std::initializer_list<double> ghz) {
  std::vector<Hertz> frequencies;
  for (const double f : ghz)
    frequencies.emplace_back(f * 1e9);
  return GearTable{frequencies};
}

TEST(gear_table, scale_is_the_slowdown_against_the_fastest_gear) {
  const auto gears = table({2.5, 2.0, 1.25});
  EXPECT_DOUBLE_EQ(gears.scale(0), 1);
  EXPECT_DOUBLE_EQ(gears.scale(1), 1.25);
  EXPECT_DOUBLE_EQ(gears.scale(2), 2);
}

TEST(gear_table, refuses_tables_that_are_not_fastest_first) {
  EXPECT_THROW(table({}), Error);
  EXPECT_THROW(table({2.0, 2.5}), Error);
  EXPECT_THROW(table({2.0, 2.0}), Error);
  EXPECT_THROW(table({2.0, 0.0}), Error);
  EXPECT_THROW(table({2.0, -1.0}), Error);
  EXPECT_THROW(table({std::numeric_limits<double>::quiet_NaN()}), Error);
}

} // namespace
} // namespace hypermile::model
