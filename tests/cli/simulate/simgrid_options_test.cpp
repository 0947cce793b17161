// What forecasts know of SimGrid's messages, and SimGrid's own options.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hypermile {
namespace {

using nlohmann::json;
using test::simulate;
using test::simulate_json;

constexpr const char* saturated =
    HYPERMILE_SOURCE_DIR "/tests/cli/simulate/saturated_backbone.yaml";

json halo(const std::vector<std::string>& more) {
  std::vector<std::string> options{"-q",    "--platform", saturated,
                                   "-n",    "8",          "--reference-speed",
                                   "300Gf", "--gears",    "9,0,6,2,0,8,1,5"};
  options.insert(options.end(), more.begin(), more.end());
  return simulate_json(options, {test::smpi_app("halo2d"), "--iterations", "60"});
}

/// Of the time of the run in given gears.
double error_of_forecast(const json& simulation) {
  const json& run = simulation["runs"][1];
  return run["predictions"]["dependency"]["time_s"].get<double>() / run["time_s"].get<double>() - 1;
}

TEST(forecast, knows_how_simgrid_moves_messages) {
  const json simulation = halo({});
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(simulation["protocol"]["starts_at_receive"], true);
  EXPECT_EQ(simulation["protocol"]["eager_below_bytes"], 0);
  EXPECT_EQ(simulation["protocol"]["synchronous_from_bytes"], 65536);
}

TEST(forecast, knows_that_sends_are_eager_where_simgrid_is_told_so) {
  const json simulation = halo({"--simgrid-option", "smpi/async-small-thresh:65536"});
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(simulation["protocol"]["eager_below_bytes"], 65536);
  EXPECT_LT(std::abs(error_of_forecast(simulation)), 0.05);
}

TEST(simgrid_option, is_refused_where_hypermile_sets_it_itself) {
  for (const std::string option : {"network/model:CM02", "smpi/np:3", "plugin:link_energy"}) {
    const auto result = simulate({"--platform", "table-3.1", "-n", "2", "--simgrid-option", option,
                                  "--", test::smpi_app("halo2d")});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find("hypermile sets " + option.substr(0, option.find(':')) + " itself"),
              std::string::npos)
        << result.err;
  }
}

TEST(simgrid_option, is_refused_where_it_is_no_key_and_value) {
  for (const std::string option : {"smpi/async-small-thresh", ":1", "smpi/bcast:", "a b:1"}) {
    const auto result = simulate({"--platform", "table-3.1", "-n", "2", "--simgrid-option", option,
                                  "--", test::smpi_app("halo2d")});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find("is not KEY:VALUE"), std::string::npos) << result.err;
  }
}

} // namespace
} // namespace hypermile
