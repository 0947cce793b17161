// --max-slowdown and --confidence, with computation that varies at random but is always the same.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

namespace hypermile {
namespace {

using nlohmann::json;
using test::halo2d_400;
using test::on_table_3_1;
using test::run_of;
using test::simulate;
using test::simulate_json;

class MaxSlowdown : public testing::Test {
protected:
  void SetUp() override {
    const json recorded = simulate_json(
        on_table_3_1(8, {"--method", "none", "--report", folder_.path()}), halo2d_400);
    ASSERT_FALSE(recorded.is_discarded());
    test::write_halo2d_recording(folder_.path() + "/computation.txt", recording());
  }
  /// The run by `exact` for least energy.
  json exact(const std::vector<std::string>& options) const {
    auto all = on_table_3_1(8, {"--objective", "energy", "--computation", recording()});
    all.insert(all.end(), options.begin(), options.end());
    const json simulation = simulate_json(all, halo2d_400);
    return simulation.is_discarded() ? json{} : run_of(simulation, "exact");
  }

private:
  [[nodiscard]] std::string recording() const { return folder_.path() + "/noisy.txt"; }
  test::TemporaryFolder folder_;
};

TEST_F(MaxSlowdown, holds_for_the_whole_run_and_is_used) {
  double saved = -1;
  for (const double percent : {0.0, 2.0, 5.0, 10.0}) {
    SCOPED_TRACE(percent);
    const json run = exact({"--max-slowdown", std::to_string(percent) + "%"});
    ASSERT_FALSE(run.is_null());
    const double slowdown = run["slowdown_percent"];
    EXPECT_LE(slowdown, percent + 0.5);       // no clock tells less, with this noise
    EXPECT_GE(slowdown, 0.4 * 0.8 * percent); // a fifth is in reserve
    EXPECT_GT(run["saving_percent"].get<double>(), saved);
    saved = run["saving_percent"];
  }
}

TEST_F(MaxSlowdown, leaves_more_slack_the_surer_it_has_to_hold) {
  const json sure = exact({"--max-slowdown", "5%", "--confidence", "99.99%"});
  const json even = exact({"--max-slowdown", "5%", "--confidence", "50%"});
  ASSERT_FALSE(sure.is_null() || even.is_null());
  EXPECT_LE(sure["slowdown_percent"], 5.0);
  EXPECT_LT(sure["slowdown_percent"], even["slowdown_percent"]);
}

TEST(confidence, has_to_be_a_probability_of_one_half_or_more) {
  for (const char* wrong : {"40%", "100%", "2", "nan", "sure"}) {
    auto arguments = on_table_3_1(2, {"--confidence", wrong, "--", halo2d_400[0]});
    const auto result = simulate(arguments);
    EXPECT_EQ(result.exit_code, 2) << wrong;
    EXPECT_NE(result.err.find("--confidence"), std::string::npos) << result.err;
  }
}

} // namespace
} // namespace hypermile
