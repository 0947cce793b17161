// Programs whose clusters do not wait for each other, and how long ranks wait for gears.

#include "simulate/simulated.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile {
namespace {

using nlohmann::json;
using test::contains;
using Words = std::vector<std::string>;

/// In time that nobody has to measure; polls take a microsecond.
json multisplitting(const Words& options, const std::string& outer,
                    const std::string& ranks = "8") {
  Words all{"-q",
            "--platform",
            "table-4.1-4x4",
            "-n",
            ranks,
            "--reference-speed",
            "9Tf",
            "--simgrid-option",
            "smpi/grow-injected-times:no",
            "--simgrid-option",
            "smpi/test:1e-6"};
  all.insert(all.end(), options.begin(), options.end());
  return test::simulate_json(all,
                             {test::smpi_app("multisplitting"), "--grid", "16", "--restart", "3",
                              "--tolerance", "1e-3", "--clusters", "2", "--outer", outer});
}

/// On any machine each rank computes as much before each call, so that all tell of the same
/// iteration at the same time.
class EvenMultisplitting {
public:
  EvenMultisplitting() {
    multisplitting({"--method", "none", "--report", kept_.path("run")}, "async");
    test::write_even_recording(kept_.path("run") + "/computation.txt", kept_.path("even.txt"),
                               20'000'000);
  }

  [[nodiscard]] json run(const Words& options) const {
    Words all{"--computation", kept_.path("even.txt")};
    all.insert(all.end(), options.begin(), options.end());
    return multisplitting(all, "async");
  }

private:
  test::TemporaryFolder kept_;
};

std::vector<std::string> models_of(const json& run) {
  std::vector<std::string> models;
  for (const json& decision : run["decisions"])
    models.push_back(decision["time_model"]);
  return models;
}

TEST(uncoupled_clusters, are_all_in_their_gears_before_the_second_iteration_with_apply_sync) {
  const json simulation = EvenMultisplitting().run(
      {"--time-model", "hybrid", "--apply", "sync", "--compare", "exact,alg8"});
  ASSERT_FALSE(simulation.is_discarded());
  for (const char* const method : {"exact", "alg8"}) {
    const json& run = test::run_of(simulation, method);
    ASSERT_FALSE(run["decisions"].empty());
    const json& first = run["decisions"].front();
    EXPECT_EQ(first["time_model"], "hybrid");
    EXPECT_EQ(first["took_effect"]["iteration"], 1);
    EXPECT_EQ(first["took_effect"]["ranks"], 8);
    EXPECT_TRUE(run["predicted"].is_null()) << "nobody knows how many iterations it takes";
    EXPECT_EQ(run["iterations_per_rank"].size(), 8U);
    EXPECT_EQ(run["verified_exit_code"], 0);
    EXPECT_GT(run["gear_switches"], 0);
  }
  // From the same measurements: nothing has happened before.
  const auto predicted = [&](const char* method) {
    return test::run_of(simulation, method)["decisions"][0]["predicted_distance_points"]
        .get<double>();
  };
  EXPECT_GE(predicted("exact"), predicted("alg8"));
}

TEST(uncoupled_clusters, get_their_gears_later_where_no_rank_waits) {
  const EvenMultisplitting even;
  const auto first_with = [&even](const char* apply) {
    const json simulation = even.run({"--time-model", "hybrid", "--apply", apply});
    return test::run_of(simulation, "exact")["decisions"].at(0);
  };
  const json sync = first_with("sync");
  const json async = first_with("async");
  EXPECT_EQ(async["gears"], sync["gears"]); // chosen from the same iteration
  EXPECT_GT(async["took_effect"]["time_s"], 0);
  EXPECT_GE(async["took_effect"]["iteration"], sync["took_effect"]["iteration"]);
}

TEST(uncoupled_clusters, are_found_out_by_what_tests_leave_open) {
  const json async = multisplitting({}, "async");
  const auto by_itself = models_of(test::run_of(async, "exact"));
  const auto hybrid = std::ranges::find(by_itself, "hybrid");
  ASSERT_NE(hybrid, by_itself.end());
  EXPECT_EQ(std::find(hybrid, by_itself.end(), "dependency"), by_itself.end());
  const auto coupled = models_of(test::run_of(multisplitting({}, "sync"), "exact"));
  ASSERT_FALSE(coupled.empty());
  EXPECT_EQ(std::ranges::find(coupled, "hybrid"), coupled.end());
}

TEST(uncoupled_clusters, are_as_others_where_there_is_one_only) {
  const json simulation = multisplitting({"--time-model", "hybrid"}, "async", "4");
  ASSERT_EQ(simulation["remarks"].size(), 1U);
  EXPECT_TRUE(contains(simulation["remarks"][0].get<std::string>(), "the cluster model"));
  for (const std::string& model : models_of(test::run_of(simulation, "exact")))
    EXPECT_EQ(model, "cluster");
}

test::CommandResult refused(const Words& options) {
  Words words{"-q", "-n", "4"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", test::smpi_program("ring"), "2", "2"});
  return test::simulate(words);
}

TEST(uncoupled_clusters, need_a_platform_that_names_sites) {
  const auto result = refused({"--platform", "table-3.1", "--time-model", "hybrid"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "table-3.1 does not say at which site its nodes are"))
      << result.err;
  EXPECT_EQ(result.out, "");
}

TEST(uncoupled_clusters, are_for_some_methods_and_keep_no_bounds) {
  const auto misuse = [](const Words& options, const std::string& what) {
    Words words{"--platform", "table-4.1-4x4"};
    words.insert(words.end(), options.begin(), options.end());
    const auto result = refused(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(contains(result.err, what)) << result.err;
  };
  misuse({"--method", "alg8"}, "'alg8' is for the hybrid and async models");
  misuse({"--time-model", "hybrid", "--compare", "exact,alg5"},
         "'alg5' is for nodes that all wait");
  misuse({"--time-model", "async", "--max-slowdown", "5%"}, "no bound on slowdown is kept");
  misuse({"--time-model", "hybrid", "--power-cap", "2kW"}, "no cap on power is kept");
  misuse({"--apply", "later"}, "neither brief, sync nor async");
}

} // namespace
} // namespace hypermile
