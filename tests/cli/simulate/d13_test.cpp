// `hypermile reproduce d13`: the broadcasts of [D13], estimated and simulated.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hypermile {
namespace {

using nlohmann::json;

void expect_estimated_well(const json& made, std::size_t count) {
  ASSERT_EQ(made["applications"].size(), count);
  for (const json& application : made["applications"]) {
    ASSERT_EQ(application["algorithms"].size(), 4U);
    for (const json& algorithm : application["algorithms"])
      EXPECT_LT(std::abs(algorithm["error_percent"].get<double>()), 3) << algorithm;
    EXPECT_EQ(application["least_estimated"], application["least_simulated"]) << application;
  }
}

#ifdef HYPERMILE_SLOW_TESTS
TEST(d13, is_estimated_within_3_percent_and_the_least_is_found) {
  const auto result = test::run_hypermile({"reproduce", "d13", "--quiet", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  expect_estimated_well(json::parse(result.out), 4);
}
#else
TEST(d13, small_messages_are_estimated_within_3_percent_and_the_least_is_found) {
  const auto result =
      test::run_hypermile({"reproduce", "d13", "--application", "A,B", "--quiet", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json made = json::parse(result.out);
  expect_estimated_well(made, 2);
  EXPECT_EQ(made["applications"][0]["least_simulated"], json::array({"Hybrid/SAG"}));
}

TEST(d13, is_made_alone) {
  EXPECT_EQ(test::run_hypermile({"reproduce", "d13", "m16"}).exit_code, 2);
  EXPECT_EQ(test::run_hypermile({"reproduce", "m16", "--application", "A"}).exit_code, 2);
  EXPECT_EQ(test::run_hypermile({"reproduce", "d13", "--application", "E"}).exit_code, 2);
}
#endif

} // namespace
} // namespace hypermile
