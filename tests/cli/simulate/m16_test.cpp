// `hypermile reproduce m16`: the tables of [M16], by models that are fitted to them.

#include "simulate/simulated.hpp"
#include "support/schema.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hypermile {
namespace {

using nlohmann::json;

TEST(m16, is_made_again_as_closely_as_promised) {
  const auto result = test::run_hypermile({"reproduce", "m16", "--quiet", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  test::expect_as_its_schema_says(result.out);
  const json made = json::parse(result.out);
  ASSERT_EQ(made["tables"].size(), 2U);
  for (const json& row : made["tables"][0]["rows"])
    EXPECT_LT(std::abs(row["error_percent"].get<double>()), row["ranks"] <= 216 ? 4 : 11) << row;
  ASSERT_EQ(made["tables"][1]["rows"].size(), 11U);
  for (const json& row : made["tables"][1]["rows"])
    EXPECT_LT(std::abs(row["error_percent"].get<double>()), 3) << row;
  // 24 of the 32 nodes, each drawing 32 W less.
  EXPECT_NEAR(made["tables"][0]["rows"][0]["less_with_48_w_idle_percent"].get<double>(), 29.4, 0.1);
}

} // namespace
} // namespace hypermile
