// Programs of which each has another pattern of messages: the loop is found in each, and gears
// are chosen for it.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile {
namespace {

using nlohmann::json;

class Apps : public testing::TestWithParam<const char*> {};

bool chose_a_gear(const json& decision) {
  return std::ranges::any_of(decision["gears"], [](const json& gear) { return gear != 0; });
}

json with_exact(const std::string& app) {
  json simulation =
      test::simulate_json(test::on_table_3_1(8, {"--method", "exact"}), {test::smpi_app(app)});
  EXPECT_EQ(simulation["runs"].size(), 2u);
  for (const json& run : simulation["runs"])
    EXPECT_EQ(run["verified_exit_code"], 0);
  return simulation;
}

TEST_P(Apps, have_a_loop_that_is_found_and_gears_that_take_effect) {
  const json simulation = with_exact(GetParam());
  for (const json& run : simulation["runs"])
    EXPECT_EQ(run["divergences"], 0);
  const json& loop = simulation["loop"];
  EXPECT_EQ(loop["found"], "pattern");
  EXPECT_TRUE(loop["ranks_without_loop"].empty());
  EXPECT_GE(loop["iterations"], 5);
  const json& exact = test::run_of(simulation, "exact");
  const auto chosen = std::ranges::find_if(exact["decisions"], chose_a_gear);
  ASSERT_NE(chosen, exact["decisions"].end());
  EXPECT_FALSE((*chosen)["took_effect"].is_null());
  EXPECT_FALSE(exact["predicted"].is_null());
}

INSTANTIATE_TEST_SUITE_P(Programs, Apps,
                         testing::Values("halo2d", "heat3d", "mergesort", "ring", "transpose",
                                         "tree", "wavefront"),
                         [](const auto& of) { return std::string(of.param); });

// Who gets what depends on the timing, also whether a loop shows on every rank. No recording
// says what other gears would do.
TEST(MasterWorker, gets_no_gears_and_is_told_why) {
  const json simulation = with_exact("master_worker");
  const json& decisions = test::run_of(simulation, "exact")["decisions"];
  EXPECT_TRUE(std::ranges::none_of(decisions, chose_a_gear)) << decisions;
  EXPECT_TRUE(std::ranges::any_of(decisions, [](const json& decision) {
    return decision["declined"].get<std::string>().find("gives work to whoever") !=
           std::string::npos;
  })) << decisions;
}

TEST(multisplitting, repeats_with_another_number_of_iterations_in_other_gears) {
  const test::TemporaryFolder place;
  const auto simulate = [&](const std::vector<std::string>& more) {
    std::vector<std::string> options = {"-q",
                                        "--platform",
                                        "table-4.1-4x4",
                                        "-n",
                                        "16",
                                        "--reference-speed",
                                        "9Tf",
                                        "--simgrid-option",
                                        "smpi/grow-injected-times:no",
                                        "--gears",
                                        "type-a=13"};
    options.insert(options.end(), more.begin(), more.end());
    return test::simulate_json(options, {test::smpi_app("multisplitting"), "--grid", "10",
                                         "--outer", "async", "--restart", "3"});
  };
  const json recorded = simulate({"--report", place.path("kept")});
  ASSERT_EQ(recorded["runs"].size(), 2u);
  const json& slow = recorded["runs"][1];
  EXPECT_EQ(slow["divergences"], 0);
  EXPECT_GT(slow["from_like_calls"], 0) << "the gears change nothing: the test shows nothing";
  const json again = simulate({"--computation", place.path("kept") + "/computation.txt"});
  ASSERT_EQ(again["runs"].size(), 2u);
  EXPECT_EQ(again["runs"][1]["time_s"], slow["time_s"]);
  EXPECT_EQ(again["runs"][1]["energy_j"], slow["energy_j"]);
}

struct AppOnRanks {
  const char* app;
  int ranks;
};

void PrintTo(const AppOnRanks& of, std::ostream* out) { *out << of.app << " on " << of.ranks; }

class AppsOnRanks : public testing::TestWithParam<AppOnRanks> {};

TEST_P(AppsOnRanks, verify_in_gear_0_and_in_lower_gears) {
  const auto& [app, ranks] = GetParam();
  const json simulation = test::simulate_json(test::on_table_3_1(ranks, {"--gears", "2"}),
                                              {test::smpi_app(app), "--iterations", "10"});
  ASSERT_EQ(simulation["runs"].size(), 2u);
  for (const json& run : simulation["runs"]) {
    EXPECT_EQ(run["verified_exit_code"], 0);
    EXPECT_EQ(run["divergences"], 0);
  }
  EXPECT_GT(simulation["runs"][1]["time_s"], simulation["runs"][0]["time_s"]);
}

INSTANTIATE_TEST_SUITE_P(Heat3d, AppsOnRanks,
                         testing::Values(AppOnRanks{"heat3d", 1}, AppOnRanks{"heat3d", 8},
                                         AppOnRanks{"heat3d", 27}));
INSTANTIATE_TEST_SUITE_P(Mergesort, AppsOnRanks,
                         testing::Values(AppOnRanks{"mergesort", 1}, AppOnRanks{"mergesort", 2},
                                         AppOnRanks{"mergesort", 8}, AppOnRanks{"mergesort", 32}));

} // namespace
} // namespace hypermile
