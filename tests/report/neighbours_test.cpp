#include "report/neighbours.hpp"

#include <gtest/gtest.h>

namespace hypermile::report {
namespace {

using select::Neighbour;
using select::Neighbourhood;
using select::Request;

const std::vector<GearHolder> holders{{"a", 2}, {"node-with-a-long-name.site", 0}};

/// Node a would be better off a gear up, the other slower.
Neighbourhood neighbourhood() {
  Neighbourhood around;
  around.present.prediction = model::normalised({Seconds{1}, Joules{10}}, Seconds{2}, Joules{5});
  around.units.resize(2);
  around.units[0].faster = Neighbour{.gear = 1,
                                     .time_change = -0.1,
                                     .energy_change = 0.02,
                                     .distance_change = 0.0456,
                                     .gain = 0.0456,
                                     .better = true};
  around.units[1].slower = Neighbour{.gear = 1, .time_change = 0.5, .energy_change = -0.00001};
  return around;
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

TEST(neighbours_text, has_a_line_per_node_and_marks_what_is_better) {
  const std::string text = neighbours_text(holders, neighbourhood(), {});
  expect_contains(text, "\na                 2   -10.00    +2.00    +4.56*        -        -"
                        "        -\n");
  expect_contains(text, "\nnode-with-a..     0        -        -        -    +50.00    +0.00"
                        "    +0.00\n");
  expect_contains(text, "* better than");
}

TEST(neighbours_text, says_plainly_which_step_is_better_or_that_none_is) {
  auto around = neighbourhood();
  expect_contains(
      neighbours_text(holders, around, {}),
      "The best single step (maxdist): a in gear 1 instead of 2 gives 4.56 points more");
  around.score = 5; // J
  around.units[0].faster->gain = 0.05;
  expect_contains(neighbours_text(holders, around, {.objective = select::Objective::energy}),
                  "gives 1 % less energy");
  around.units[0].faster->better = false;
  const std::string text = neighbours_text(holders, around, {});
  expect_contains(text, "No single step improves these gears");
  EXPECT_EQ(text.find('*'), std::string::npos);
}

TEST(neighbours_text, says_where_bounds_are_broken) {
  auto around = neighbourhood();
  around.units[1].slower->keeps_bounds = false;
  Request request;
  request.constraints.max_slowdown = 0.1;
  expect_contains(neighbours_text(holders, around, request), "\n! breaks a bound\n");
  expect_contains(neighbours_text(holders, around, request), "(maxdist within a slowdown of 10 %)");
  around.keeps_bounds = false;
  expect_contains(neighbours_text(holders, around, request),
                  "The present gears do not keep the bounds. a in gear 1 instead of 2 keeps them");
}

TEST(neighbours_text, of_many_nodes_is_cut) {
  Neighbourhood around = neighbourhood();
  around.units.resize(100);
  const std::vector<GearHolder> many(100, {"n", 0});
  expect_contains(neighbours_text(many, around, {}), "\n... 36 more (--json lists all of them)\n");
}

TEST(figures_in_words, compare_with_gear_0) {
  EXPECT_EQ(figures_in_words(neighbourhood().present.prediction),
            "2 s and 5 J: 100.00 % longer than in gear 0, with 50.00 % less energy; distance 0.00 "
            "points.");
  EXPECT_EQ(figures_in_words(model::normalised({Seconds{1}, Joules{10}}, Seconds{1}, Joules{10})),
            "1 s and 10 J, as in gear 0.");
}

} // namespace
} // namespace hypermile::report
