// cg, with the papers' methods beside ours, must verify in every run.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

namespace hypermile {
namespace {

using nlohmann::json;

class Cg : public testing::TestWithParam<int> {};

TEST_P(Cg, verifies_in_every_run) {
  const int ranks = GetParam();
  const bool is_large = ranks > 16; // a run takes 3 s, or half a minute
  const auto result = test::simulate(test::on_table_3_1(
      ranks, {"--compare", is_large ? "exact" : "exact,alg5,alg5-literal", "--output", "stderr",
              "--json", "--", test::smpi_app("cg"), "--class", "S"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json simulation = json::parse(result.out, nullptr, false);
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(simulation["ranks"], ranks);
  std::vector<std::string> methods;
  for (const json& run : simulation["runs"]) {
    methods.push_back(run["method"]);
    EXPECT_EQ(run["verified_exit_code"], 0);
    EXPECT_EQ(run["divergences"], 0);
    EXPECT_EQ(run["gears"].size(), static_cast<std::size_t>(ranks));
  }
  EXPECT_EQ(methods, is_large
                         ? std::vector<std::string>({"none", "exact"})
                         : std::vector<std::string>({"none", "exact", "alg5", "alg5-literal"}));
  std::size_t verified = 0;
  const std::string mark = "verification: successful";
  for (auto at = result.err.find(mark); at != std::string::npos; at = result.err.find(mark, at + 1))
    ++verified;
  EXPECT_EQ(verified, methods.size()) << result.err;
}

#ifdef HYPERMILE_SLOW_TESTS
INSTANTIATE_TEST_SUITE_P(Ranks, Cg, testing::Values(32, 128));
#else
INSTANTIATE_TEST_SUITE_P(Ranks, Cg, testing::Values(4, 8, 16, 64));
#endif

} // namespace
} // namespace hypermile
