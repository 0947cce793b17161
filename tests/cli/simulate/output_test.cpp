// What is printed where, and what is kept.

#include "simulate/simulated.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

namespace hypermile {
namespace {

using nlohmann::json;
using test::contains;
using test::content;
using test::on_table_3_1;
using test::simulate;
using test::smpi_app;
using test::smpi_program;

std::vector<std::string> with_program(std::vector<std::string> options,
                                      const std::vector<std::string>& program) {
  options.emplace_back("--");
  options.insert(options.end(), program.begin(), program.end());
  return options;
}

TEST(report, keeps_all_that_belongs_to_the_simulation) {
  const test::TemporaryFolder folder;
  const std::string report = folder.path("a/report");
  const auto result = simulate(with_program(on_table_3_1(4, {"--report", report, "--json"}),
                                            {smpi_app("cg"), "--class", "S"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(content(report + "/simulation.json"), result.out);
  EXPECT_TRUE(contains(content(report + "/simulation.txt"), "on 4 ranks of platform table-3.1"));
  EXPECT_TRUE(contains(content(report + "/platform.xml"), "wattage_per_state"));
  EXPECT_TRUE(
      content(report + "/computation.txt").starts_with("hypermile/computation/1\nranks 4\n"));
  EXPECT_TRUE(
      content(report + "/unscaled.timeline.txt").starts_with("hypermile/timeline/1\nranks 4\n"));
  EXPECT_TRUE(
      content(report + "/exact.timeline.txt").starts_with("hypermile/timeline/1\nranks 4\n"));
  EXPECT_TRUE(contains(content(report + "/none.out"), "verification: successful"));
  EXPECT_TRUE(contains(content(report + "/exact.out"), "verification: successful"));
}

TEST(output, is_kept_from_the_tables_unless_asked_for) {
  const std::vector<std::string> cg{smpi_app("cg"), "--class", "S"};
  const std::string mark = "verification: successful";
  const auto nowhere = simulate(with_program(on_table_3_1(4), cg));
  EXPECT_FALSE(contains(nowhere.out + nowhere.err, mark));
  const auto out = simulate(with_program(on_table_3_1(4, {"--output", "stdout"}), cg));
  EXPECT_TRUE(contains(out.out, mark));
  EXPECT_FALSE(contains(out.err, mark));
  const auto err = simulate(with_program(on_table_3_1(4, {"--output", "stderr"}), cg));
  EXPECT_TRUE(contains(err.err, mark));
  EXPECT_FALSE(contains(err.out, mark));
}

TEST(progress, goes_to_stderr_and_can_be_silenced) {
  const std::vector<std::string> ring{smpi_program("ring"), "10", "50"};
  const std::vector<std::string> options{"--platform", "table-3.1",         "-n",
                                         "2",          "--reference-speed", "300Gf"};
  const auto loud = simulate(with_program(options, ring));
  EXPECT_TRUE(contains(loud.err, "hypermile: unscaled: simulating")) << loud.err;
  EXPECT_TRUE(contains(loud.err, "hypermile: exact: ")) << loud.err;
  EXPECT_FALSE(contains(loud.err, "\033")) << loud.err; // no terminal, no control characters
  auto quiet = options;
  quiet.emplace_back("--quiet");
  EXPECT_EQ(simulate(with_program(quiet, ring)).err, "");
}

TEST(text, has_a_row_per_method_and_fits_a_terminal) {
  const auto result =
      simulate(with_program(on_table_3_1(8, {"--compare", "exact,alg5,alg5-literal"}),
                            {smpi_program("only_allreduce"), "60", "200"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* row : {"\nunscaled ", "\nexact ", "\nalg5 ", "\nalg5-literal ", "\npredicted ",
                          "\nexact: ", "  type4 ", "\nLoop: 60 iterations from 0 s on, "})
    EXPECT_TRUE(contains(result.out, row)) << row << "\n" << result.out;
  std::istringstream lines(result.out);
  std::string line;
  std::getline(lines, line); // the command, however long it is
  while (std::getline(lines, line))
    EXPECT_LE(line.size(), 80u) << line;
}

TEST(json, has_all_that_the_schema_promises) {
  const auto simulation =
      test::simulate_json(on_table_3_1(4), {smpi_program("only_allreduce"), "60", "200"});
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(simulation["schema"], "hypermile/simulation/1");
  EXPECT_EQ(simulation["platform"], "table-3.1");
  EXPECT_EQ(simulation["ranks"], 4);
  EXPECT_EQ(simulation["program"], (json{smpi_program("only_allreduce"), "60", "200"}));
  EXPECT_EQ(simulation["reference_speed_gf"], 300.0);
  for (const char* key : {"found", "first_iteration_s", "iterations"})
    EXPECT_TRUE(simulation["loop"].contains(key)) << key;
  for (const json& run : simulation["runs"]) {
    for (const char* key :
         {"method", "time_s", "energy_j", "saving_percent", "slowdown_percent", "distance_points",
          "predicted", "gears", "frequencies_ghz", "verified_exit_code"})
      EXPECT_TRUE(run.contains(key)) << key;
    EXPECT_EQ(run["gears"].size(), 4u);
    EXPECT_EQ(run["frequencies_ghz"].size(), 4u);
  }
  const json& unscaled = simulation["runs"][0];
  EXPECT_EQ(unscaled["method"], "none");
  EXPECT_EQ(unscaled["distance_points"], 0.0);
  EXPECT_EQ(unscaled["frequencies_ghz"], (json{2.5, 2.66, 2.9, 3.4}));
  const json& run = simulation["runs"][1];
  const double time = run["time_s"].get<double>() / unscaled["time_s"].get<double>();
  const double energy = run["energy_j"].get<double>() / unscaled["energy_j"].get<double>();
  EXPECT_NEAR(run["saving_percent"].get<double>(), 100 * (1 - energy), 1e-9);
  EXPECT_NEAR(run["slowdown_percent"].get<double>(), 100 * (time - 1), 1e-9);
  EXPECT_NEAR(run["distance_points"].get<double>(), 100 * (1 / time - energy), 1e-9);
}

TEST(method_none, runs_the_program_once) {
  const auto simulation = test::simulate_json(on_table_3_1(4, {"--method", "none"}),
                                              {smpi_program("ring"), "10", "50"});
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(simulation["runs"].size(), 1u);
}

TEST(arguments, after_the_program_are_the_programs) {
  // An option of hypermile's own name, and SimGrid's, belong to the program after "--".
  const auto result = simulate(on_table_3_1(2, {"--", smpi_app("cg"), "--json"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "cg: error: unknown argument '--json'")) << result.err;
}

} // namespace
} // namespace hypermile
