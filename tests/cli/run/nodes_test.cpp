// Jobs on several nodes. MPICH can be told to take the ranks of one machine for those of several:
// then messages travel in a tree of leaders, and each leader asks for the time.

#include "run/job.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile::test {
namespace {

using nlohmann::json;

bool has_mpich() { return std::ranges::count(flavours(), "mpich") > 0; }

void expect_choices_reach_every_rank(const json& report, int ranks) {
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report.at("ranks"), ranks);
  ASSERT_FALSE(report.at("decisions").empty());
  EXPECT_EQ(report.at("decisions")[0].at("nodes").size(), static_cast<std::size_t>(ranks));
  EXPECT_EQ(report.at("decisions")[0].at("set").size(), static_cast<std::size_t>(ranks));
  EXPECT_TRUE(report.at("remarks").empty()) << report.at("remarks");
}

TEST(nodes, of_one_rank_each_choose_together) {
  if (!has_mpich())
    GTEST_SKIP() << "MPICH is not there";
  expect_choices_reach_every_rank(run_successfully({.flavour = "mpich",
                                                    .ranks = 4,
                                                    .program = {"c_loop", "120", "2000"},
                                                    .environment = {{"MPIR_CVAR_NOLOCAL", "1"}}}),
                                  4);
}

TEST(nodes, of_several_ranks_each_choose_together) {
  if (!has_mpich())
    GTEST_SKIP() << "MPICH is not there";
  expect_choices_reach_every_rank(
      run_successfully({.flavour = "mpich",
                        .ranks = 4,
                        .program = {"c_loop", "120", "2000"},
                        .environment = {{"MPIR_CVAR_ODD_EVEN_CLIQUES", "1"}}}),
      4);
}

TEST(nodes, choose_together_beside_the_program) {
  if (!has_mpich())
    GTEST_SKIP() << "MPICH is not there";
  expect_choices_reach_every_rank(run_successfully({.flavour = "mpich",
                                                    .ranks = 2,
                                                    .program = {"c_loop", "300", "2000"},
                                                    .options = {"--apply", "async"},
                                                    .environment = {{"MPIR_CVAR_NOLOCAL", "1"}}}),
                                  2);
}

} // namespace
} // namespace hypermile::test
