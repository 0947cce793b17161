// --equal-shares: gears that only use the difference of the nodes' speeds, from MPI_Init on.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

namespace hypermile {
namespace {

using nlohmann::json;
using test::cg_s;
using test::on_table_3_1;
using test::run_of;
using test::simulate_json;
using test::smpi_app;

// Long enough that what hypermile itself takes in MPI_Init, some 0.1 ms, does not count.
const std::vector<std::string> ep_w{smpi_app("ep"), "--class", "W"};

/// The run by `exact`; null where it fails.
json run_with(std::vector<std::string> options, const std::vector<std::string>& program) {
  options.emplace_back("--equal-shares");
  const json simulation = simulate_json(on_table_3_1(8, options), program);
  return simulation.is_discarded() ? json{} : run_of(simulation, "exact");
}

/// The first choice is there from the begin, and leaves the slowest node in gear 0.
void expect_gears_from_the_begin(const json& run) {
  ASSERT_FALSE(run.is_null());
  ASSERT_FALSE(run.at("decisions").empty());
  const json& first = run.at("decisions").at(0);
  EXPECT_EQ(first.at("before_loop"), true);
  EXPECT_EQ(first.at("took_effect").at("ranks"), 8);
  EXPECT_LT(first.at("took_effect").at("time_s"), 0.01 * run.at("time_s").get<double>());
  int fast = 0;
  bool slow = false;
  for (const json& gear : first.at("gears")) {
    fast += gear > 0 ? 1 : 0;
    slow = slow || gear == 0;
  }
  EXPECT_GE(fast, 6); // two of each of four types
  EXPECT_TRUE(slow);
}

/// What a program computes, as if no other program had ever had a core.
class EqualRanks {
public:
  explicit EqualRanks(int ranks, const std::vector<std::string>& program = ep_w) {
    const auto options = on_table_3_1(ranks, {"--method", "none", "--report", folder_.path()});
    EXPECT_FALSE(simulate_json(options, program).is_discarded());
    test::write_equal_recording(folder_.path("computation.txt"), recording());
  }
  [[nodiscard]] std::string recording() const { return folder_.path("equal.txt"); }

private:
  test::TemporaryFolder folder_;
};

TEST(equal_shares, save_energy_of_a_program_without_a_loop_for_no_time) {
  const EqualRanks ranks(8);
  const json run = run_with({"--computation", ranks.recording()}, ep_w);
  expect_gears_from_the_begin(run);
  EXPECT_GT(run.at("saving_percent"), 15);
  EXPECT_LT(run.at("slowdown_percent"), 1);
}

TEST(equal_shares, go_together_with_bounds_on_slowdown_and_power) {
  const EqualRanks ranks(8, cg_s);
  const json bounded = run_with({"--max-slowdown", "3%", "--computation", ranks.recording()}, cg_s);
  expect_gears_from_the_begin(bounded);
  EXPECT_LE(bounded.at("slowdown_percent"), 3.3);
  EXPECT_GT(bounded.at("saving_percent"), 0);
  const json capped = run_with(
      {"--power-cap", "peak:170W", "--max-slowdown", "5%", "--computation", ranks.recording()},
      cg_s);
  ASSERT_FALSE(capped.is_null());
  EXPECT_EQ(capped.at("power_caps").at(0).at("kept"), true) << capped.at("power_caps");
}

TEST(equal_shares, leave_nodes_that_are_alike_in_gear_0) {
  const EqualRanks ranks(4);
  auto options = on_table_3_1(4, {"--equal-shares", "--computation", ranks.recording()});
  for (std::string& option : options)
    if (option == "table-3.1")
      option = "table-2.1";
  const json simulation = simulate_json(options, ep_w);
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(run_of(simulation, "exact").at("gears"), (json{0, 0, 0, 0}));
}

} // namespace
} // namespace hypermile
