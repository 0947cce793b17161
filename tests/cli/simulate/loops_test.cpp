// What is found of each shape of main loop, and what comes of it.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace hypermile {
namespace {

using nlohmann::json;
using test::on_table_3_1;
using test::run_of;
using test::simulate_json;
using test::smpi_program;

struct Shape {
  const char* program;
  std::vector<std::string> arguments; ///< iterations, work
  int ranks;
  int least_iterations; ///< of rank 0's loop
  int most_iterations;
};

void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.program; }

std::string name_of(const testing::TestParamInfo<Shape>& info) { return info.param.program; }

std::vector<std::string> command(const Shape& shape) {
  std::vector<std::string> words{smpi_program(shape.program)};
  words.insert(words.end(), shape.arguments.begin(), shape.arguments.end());
  return words;
}

void expect_verified(const json& simulation) {
  ASSERT_EQ(simulation.at("runs").size(), 2u);
  for (const json& run : simulation["runs"]) {
    EXPECT_EQ(run["verified_exit_code"], 0);
    EXPECT_EQ(run["divergences"], 0);
    EXPECT_GT(run["time_s"], 0.0);
    EXPECT_GT(run["energy_j"], 0.0);
    EXPECT_TRUE(run["distance_points"].is_number()); // JSON has no infinity
  }
}

bool any_gear(const json& run) {
  return std::ranges::any_of(run["gears"], [](const json& gear) { return gear != 0; });
}

// --- Programs with a loop ---

class Loop : public testing::TestWithParam<Shape> {};

TEST_P(Loop, is_found_and_its_gears_predicted) {
  const Shape& shape = GetParam();
  const json simulation = simulate_json(on_table_3_1(shape.ranks), command(shape));
  ASSERT_FALSE(simulation.is_discarded());
  expect_verified(simulation);
  const json& loop = simulation["loop"];
  EXPECT_EQ(loop["found"], "pattern");
  EXPECT_TRUE(loop["ranks_without_loop"].empty());
  EXPECT_GE(loop["iterations"], shape.least_iterations);
  EXPECT_LE(loop["iterations"], shape.most_iterations);
  const json& run = run_of(simulation, "exact");
  ASSERT_FALSE(run["decisions"].empty());
  const json& effect = run["decisions"][0]["took_effect"];
  ASSERT_FALSE(effect.is_null());
  EXPECT_LT(effect["time_s"], run["time_s"]);
  ASSERT_FALSE(run["predicted"].is_null());
  EXPECT_GT(run["predicted"]["time_s"], 0.0);
  EXPECT_GT(run["predicted"]["energy_j"], 0.0);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Loop,
    testing::Values(
        Shape{"setup_broadcast", {"60", "500"}, 4, 58, 60},
        // The numbers of its inner iterations repeat after 15 outer ones.
        Shape{"nested_loop", {"30", "300"}, 4, 2, 30}, Shape{"every_tenth", {"80", "500"}, 4, 7, 8},
        Shape{"halo2d", {"60", "300"}, 4, 58, 60},
        Shape{"only_allreduce", {"60", "500"}, 4, 60, 60},
        Shape{"two_phases", {"60", "300"}, 4, 58, 60},
        Shape{"fortran_loop", {"60", "500"}, 4, 58, 60}, Shape{"ring", {"60", "300"}, 4, 58, 60},
        // Another number of calls in each iteration, as time has it.
        Shape{"waitsome", {"60", "500"}, 8, 57, 60}, Shape{"wildcards", {"60", "500"}, 4, 58, 180}),
    name_of);

class Gain : public testing::TestWithParam<Shape> {};

TEST_P(Gain, is_had_where_fast_nodes_wait_for_slow_ones) {
  const Shape& shape = GetParam();
  const json simulation = simulate_json(on_table_3_1(shape.ranks), command(shape));
  ASSERT_FALSE(simulation.is_discarded());
  const json& run = run_of(simulation, "exact");
  EXPECT_TRUE(any_gear(run)) << run["gears"];
  EXPECT_GT(run["saving_percent"], 5.0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Gain,
                         testing::Values(Shape{"nested_loop", {"40", "300"}, 4, 0, 0},
                                         Shape{"every_tenth", {"80", "500"}, 4, 0, 0},
                                         Shape{"halo2d", {"100", "500"}, 4, 0, 0},
                                         Shape{"only_allreduce", {"80", "500"}, 8, 0, 0}),
                         name_of);

TEST(marked_loop, is_believed_from_its_first_iteration) {
  const json simulation = simulate_json(on_table_3_1(4), {smpi_program("marker"), "40", "500"});
  ASSERT_FALSE(simulation.is_discarded());
  expect_verified(simulation);
  EXPECT_EQ(simulation["loop"]["found"], "marker");
  EXPECT_EQ(simulation["loop"]["iterations"], 39); // the last one has no end
  EXPECT_LE(run_of(simulation, "exact")["decisions"][0]["took_effect"]["iteration"], 8);
}

TEST(two_phases, the_second_has_its_own_decision) {
  const json simulation = simulate_json(on_table_3_1(4), {smpi_program("two_phases"), "80", "300"});
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_GE(run_of(simulation, "exact")["decisions"].size(), 2u);
  EXPECT_GT(simulation["loop"]["first_iteration_s"],
            0.1 * simulation["runs"][0]["time_s"].get<double>());
}

TEST(two_phases, that_come_back_have_their_gears_again_and_are_told_one_by_one) {
  const auto arguments = on_table_3_1(4, {"--max-slowdown", "none"});
  const json simulation = simulate_json(arguments, {smpi_program("two_phases"), "40", "300", "5"});
  ASSERT_FALSE(simulation.is_discarded());
  const json& run = run_of(simulation, "exact");
  double share = 0;
  std::size_t back = 0;
  for (const json& phase : run["phases"]) {
    share += phase["share"].get<double>();
    back += phase["times"].get<std::size_t>() > 1 ? 1 : 0;
  }
  EXPECT_GE(run["phases"].size(), 2u) << run["phases"];
  EXPECT_GE(back, 1u) << run["phases"];
  EXPECT_GE(share, 0.8) << run["phases"];
  EXPECT_LE(share, 1) << run["phases"];
}

/// Computation is measured, so that a rank that others hold up in that moment may spoil one run,
/// but hardly three.
TEST(ring, in_which_no_two_ranks_compute_at_once_is_known_as_such) {
  constexpr double nearly_none = -2;
  double distance = nearly_none;
  for (int run = 0; run < 3 && distance <= nearly_none; ++run) {
    const json simulation = simulate_json(on_table_3_1(4), {smpi_program("ring"), "120", "300"});
    ASSERT_FALSE(simulation.is_discarded());
    distance = run_of(simulation, "exact")["distance_points"];
  }
  EXPECT_GT(distance, nearly_none);
}

TEST(ring, is_put_back_to_gear_0_by_a_model_that_does_not_know_it) {
  const json simulation = simulate_json(on_table_3_1(4, {"--time-model", "cluster"}),
                                        {smpi_program("ring"), "120", "300"});
  ASSERT_FALSE(simulation.is_discarded());
  const json& run = run_of(simulation, "exact");
  EXPECT_FALSE(any_gear(run)) << run["gears"];
  const json& last = run["decisions"].back();
  EXPECT_NE(last["declined"].get<std::string>().find("cost more than they save"),
            std::string::npos);
  EXPECT_EQ(last["predicted_distance_points"], 0.0); // gear 0 is the baseline
}

TEST(polling, a_program_that_polls_runs_right_with_gears_too) {
  const json simulation = simulate_json(on_table_3_1(4), {smpi_program("polling"), "40", "500"});
  ASSERT_FALSE(simulation.is_discarded());
  expect_verified(simulation);
}

TEST(polling, of_requests_that_are_null_already_comes_to_an_end) {
  const json simulation =
      simulate_json(on_table_3_1(4), {smpi_program("null_request"), "40", "500"});
  ASSERT_FALSE(simulation.is_discarded());
  expect_verified(simulation);
}

// --- Programs without ---

class NoLoop : public testing::TestWithParam<Shape> {};

TEST_P(NoLoop, leaves_the_program_unscaled_and_the_report_says_so) {
  const Shape& shape = GetParam();
  const json simulation = simulate_json(on_table_3_1(shape.ranks), command(shape));
  ASSERT_FALSE(simulation.is_discarded());
  expect_verified(simulation);
  EXPECT_EQ(simulation["loop"]["found"], "nothing");
  EXPECT_EQ(simulation["loop"]["ranks_without_loop"], (json{0, 1, 2, 3}));
  const json& run = run_of(simulation, "exact");
  EXPECT_FALSE(any_gear(run));
  EXPECT_TRUE(run["decisions"].empty());
  EXPECT_TRUE(run["predicted"].is_null());
  EXPECT_EQ(run["time_s"], run_of(simulation, "none")["time_s"]); // the very same run
  EXPECT_EQ(run["energy_j"], run_of(simulation, "none")["energy_j"]);

  auto options = on_table_3_1(shape.ranks, {"--"});
  const auto words = command(shape);
  options.insert(options.end(), words.begin(), words.end());
  std::string text = test::simulate(options).out;
  std::ranges::replace(text, '\n', ' ');
  EXPECT_NE(text.find("No loop found on ranks 0-3: "), std::string::npos) << text;
  EXPECT_NE(text.find("no gears can be chosen"), std::string::npos) << text;
  EXPECT_NE(text.find("hm_iteration()"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, NoLoop,
    // Short: after 20 ms ranks begin to tell what they compute, which takes time.
    testing::Values(Shape{"no_communication", {"20", "300"}, 4, 0, 0},
                    Shape{"single_iteration", {"200"}, 4, 0, 0}),
    name_of);

} // namespace
} // namespace hypermile
