#include "govern/governors.hpp"

#include "govern/nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace hypermile::govern {
namespace {

using test::node;
using test::run_randomly;

std::set<model::Gear> gears_of(const std::string& name) {
  std::set<model::Gear> gears;
  const auto governor = governor_named(name)->make(node());
  run_randomly(*governor, 1, 1, [&](double, const Wish& wish, const auto&) {
    gears.insert(wish.gear.value_or(99));
  });
  return gears;
}

TEST(governors, have_names_of_their_own) {
  std::set<std::string_view> names;
  for (const GovernorRow& row : governors()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(governor_named(row.name), &row);
    EXPECT_NE(governor_names().find(row.name), std::string::npos);
  }
  EXPECT_EQ(governor_named("planned"), nullptr);
}

TEST(governors, want_only_gears_that_the_node_has_and_to_be_woken_later_than_now) {
  for (const GovernorRow& row : governors())
    for (unsigned seed = 0; seed < 20; ++seed) {
      const auto governor = row.make(node(1 + seed % 3));
      run_randomly(*governor, 1 + seed % 3, seed,
                   [&](double now, const Wish& wish, const auto& /*waiting*/) {
                     EXPECT_LT(wish.gear.value_or(0), 3U) << row.name;
                     EXPECT_GT(wish.wake.value_or(Seconds{now + 1}).value(), now) << row.name;
                   });
    }
}

/// Else a governor would keep a deadlock from being found.
TEST(governors, do_not_want_to_be_woken_forever_while_nothing_happens) {
  for (const GovernorRow& row : governors()) {
    const auto governor = row.make(node());
    governor->begin(test::at(0));
    Wish wish = governor->enter(0, test::at(0.001), true);
    for (int woken = 0; wish.wake && woken < 3; ++woken)
      wish = governor->wake({.time = *wish.wake});
    EXPECT_FALSE(wish.wake) << row.name;
  }
}

TEST(performance, is_gear_0_all_the_time) {
  EXPECT_EQ(gears_of("performance"), std::set<model::Gear>{0});
}

TEST(powersave, is_the_slowest_gear_all_the_time) {
  EXPECT_EQ(gears_of("powersave"), std::set<model::Gear>{2});
}

} // namespace
} // namespace hypermile::govern
