#include "simulate/fixed_gears.hpp"

#include <gtest/gtest.h>

namespace hypermile::simulate {
namespace {

using Gears = std::vector<model::Gear>;

const std::vector<PlacedNode> nodes{
    {"slow-0", "slow", 4}, {"slow-1", "slow", 4}, {"fast-0", "fast", 2}};

Gears resolved(io::GearChoice gears) { return gears_of_nodes({std::move(gears), "here"}, nodes); }

std::string refusal(io::GearChoice gears) {
  try {
    (void)resolved(std::move(gears));
  } catch (const GearsDoNotFit& error) {
    return error.what();
  }
  return "accepted";
}

TEST(gears_of_nodes, are_those_that_were_given_for_each) {
  EXPECT_EQ(resolved(Gears{3, 0, 1}), (Gears{3, 0, 1}));
}

TEST(gears_of_nodes, may_be_one_for_all) { EXPECT_EQ(resolved(model::Gear{1}), (Gears{1, 1, 1})); }

TEST(gears_of_nodes, may_be_given_by_type_and_are_0_for_types_that_are_not_named) {
  EXPECT_EQ(resolved(io::GearsOfTypes{{"slow", 3}}), (Gears{3, 3, 0}));
  EXPECT_EQ(resolved(io::GearsOfTypes{{"slow", 2}, {"fast", 1}}), (Gears{2, 2, 1}));
}

TEST(gears_of_nodes, name_the_node_that_does_not_have_the_gear_and_how_many_it_has) {
  EXPECT_EQ(refusal(Gears{3, 3, 2}).rfind("here: node fast-0 has 2 gears", 0), 0u);
  EXPECT_EQ(refusal(model::Gear{3}).rfind("here: node fast-0 has 2 gears", 0), 0u);
  EXPECT_EQ(refusal(io::GearsOfTypes{{"slow", 4}}).rfind("here: node slow-0 has 4 gears", 0), 0u);
}

TEST(gears_of_nodes, must_be_as_many_as_the_nodes) {
  EXPECT_EQ(refusal(Gears{1, 1}).rfind("here: there are 2 gears for 3 nodes", 0), 0u);
  EXPECT_EQ(refusal(Gears{0, 0, 0, 0}).rfind("here: there are 4 gears for 3 nodes", 0), 0u);
}

TEST(gears_of_nodes, name_the_types_that_there_are) {
  const std::string text = refusal(io::GearsOfTypes{{"big", 1}});
  EXPECT_NE(text.find("of type 'big'"), std::string::npos) << text;
  EXPECT_NE(text.find("fast, slow"), std::string::npos) << text;
}

} // namespace
} // namespace hypermile::simulate
