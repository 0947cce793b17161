// Methods that set the gear of a node by what its ranks are doing, and ranks that spin.

#include "simulate/simulated.hpp"

#include "support/temporary_folder.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

namespace hypermile {
namespace {

using nlohmann::json;
using test::cg_s;
using test::content;
using test::on_table_3_1;
using test::run_of;
using test::simulate;
using test::simulate_json;
using test::smpi_app;
using test::smpi_program;

constexpr const char* all = "exact,performance,powersave,ondemand,countdown,adagio,foresee,"
                            "exact+wait,exact+foresee";

/// Two nodes of one core, of 40 Gf. They draw 50, 30 and 14 W while they compute in their gears of
/// 2, 1.5 and 1 GHz, and 10, 9 and 8 W while they wait.
std::string two_nodes(const test::TemporaryFolder& folder) {
  const std::string file = folder.path() + "/two.yaml";
  std::ofstream(file) << "schema: hypermile/platform/1\n"
                         "name: two\n"
                         "description: two nodes\n"
                         "types:\n"
                         "  - name: node\n"
                         "    count: 2\n"
                         "    speed: 40Gf\n"
                         "    gears: [2GHz, 1.5GHz, 1GHz]\n"
                         "    power:\n"
                         "      computing: [50W, 30W, 14W]\n"
                         "      waiting: [10W, 9W, 8W]\n"
                         "      idle: 8W\n"
                         "network:\n"
                         "  link: {bandwidth: 1Gbps, latency: 50us}\n";
  return file;
}

/// `only_allreduce` with so many iterations, in each of which a rank does its work, in flop.
std::string allreduces(const test::TemporaryFolder& folder, int iterations,
                       const std::vector<std::uint64_t>& work) {
  const std::string file = folder.path() + "/computation.txt";
  std::ofstream out(file);
  out << "hypermile/computation/1\nranks " << work.size() << "\n";
  for (std::size_t rank = 0; rank < work.size(); ++rank) {
    out << "rank " << rank << " calls " << iterations + 1 << "\n";
    for (int i = 0; i < iterations; ++i)
      out << "Allreduce " << work[rank] << "\n";
    out << "Finalize 0\n";
  }
  return file;
}

/// One iteration: rank 0 computes for 0.1 s before the call, rank 1 for 0.5 s.
std::string two_ranks(const test::TemporaryFolder& folder) {
  return allreduces(folder, 1, {4'000'000'000, 20'000'000'000});
}

json simulate_two_ranks(const std::vector<std::string>& more) {
  const test::TemporaryFolder folder;
  std::vector<std::string> options{"-q", "--platform", two_nodes(folder), "--computation",
                                   two_ranks(folder)};
  options.insert(options.end(), more.begin(), more.end());
  return simulate_json(options, {smpi_program("only_allreduce"), "1", "1"});
}

double figure(const json& simulation, const std::string& method, const char* key) {
  return run_of(simulation, method)[key].get<double>();
}

/// What the call takes anyway is less than this.
constexpr double transfer_s = 2e-3;

TEST(waiting, idle_draws_waiting_power) {
  const json simulation = simulate_two_ranks({"--method", "none"});
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(simulation["waiting"], "idle");
  const double time = figure(simulation, "none", "time_s");
  EXPECT_NEAR(time, 0.5, transfer_s);
  EXPECT_NEAR(figure(simulation, "none", "energy_j"),
              (0.1 + 0.5) * 50 + (2 * time - 0.1 - 0.5) * 10, 1e-6);
}

TEST(waiting, spinning_draws_computing_power) {
  const json simulation = simulate_two_ranks({"--method", "none", "--waiting", "spinning"});
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(simulation["waiting"], "spinning");
  const double time = figure(simulation, "none", "time_s");
  EXPECT_NEAR(time, 0.5, transfer_s);
  EXPECT_NEAR(figure(simulation, "none", "energy_j"), 2 * time * 50, 1e-6);
}

TEST(waiting, spinning_on_a_node_with_fewer_ranks_than_cores_leaves_the_others_idle) {
  // Three ranks on 2 x 2 cores: all of the slow node, half of the fast one; 48 W and 10 + 60/2 W.
  const json simulation = simulate_json(
      {"-q", "--platform", HYPERMILE_SOURCE_DIR "/tests/cli/simulate/two_by_two.yaml", "-n", "3",
       "--reference-speed", "300Gf", "--method", "none", "--waiting", "spinning"},
      {smpi_program("only_allreduce"), "5", "200"});
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_NEAR(figure(simulation, "none", "energy_j"),
              (48 + 40) * figure(simulation, "none", "time_s"), 1e-6);
}

/// The choice must not take waiting for cheap.
TEST(waiting, is_known_to_the_methods) {
  for (const std::string how : {"idle", "spinning"}) {
    const json simulation = simulate_two_ranks({"--method", "planned", "--waiting", how});
    ASSERT_FALSE(simulation.is_discarded());
    EXPECT_NEAR(simulation["planned"]["predicted"]["energy_j"].get<double>(),
                figure(simulation, "planned", "energy_j"),
                1e-3 * figure(simulation, "planned", "energy_j"))
        << how;
  }
}

TEST(countdown, saves_what_its_rule_says) {
  for (const bool spins : {false, true}) {
    const json simulation =
        simulate_two_ranks({"--method", "countdown", "--waiting", spins ? "spinning" : "idle"});
    ASSERT_FALSE(simulation.is_discarded());
    const double time = figure(simulation, "countdown", "time_s");
    EXPECT_EQ(time, figure(simulation, "none", "time_s"));
    const double fast = spins ? 50 : 10;
    const double slow = spins ? 14 : 8;
    const double low = time - 0.1 - 500e-6; // rank 0; rank 1 may wait for the message, not so long
    EXPECT_NEAR(figure(simulation, "none", "energy_j") -
                    figure(simulation, "countdown", "energy_j"),
                low * (fast - slow), transfer_s * (fast - slow));
  }
}

TEST(ondemand, follows_the_load_of_each_node) {
  const json simulation = simulate_two_ranks({"--method", "ondemand"});
  ASSERT_FALSE(simulation.is_discarded());
  const double time = figure(simulation, "ondemand", "time_s");
  EXPECT_EQ(time, figure(simulation, "none", "time_s"));
  EXPECT_NEAR(figure(simulation, "none", "energy_j") - figure(simulation, "ondemand", "energy_j"),
              (time - 0.1 - 10e-3) * (10 - 8), transfer_s * (10 - 8));
}

TEST(ondemand, changes_nothing_where_ranks_spin) {
  const json simulation = simulate_two_ranks({"--method", "ondemand", "--waiting", "spinning"});
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(figure(simulation, "ondemand", "energy_j"), figure(simulation, "none", "energy_j"));
}

/// 40 iterations of 2 ms and more on 40 Gf, on each rank more than on the one before: in the end
/// some wait for many times 500 us, whatever this machine does.
std::string eight_uneven_ranks(const test::TemporaryFolder& folder) {
  std::vector<std::uint64_t> work;
  for (std::uint64_t rank = 0; rank < 8; ++rank)
    work.push_back(80'000'000 + rank * 20'000'000);
  return allreduces(folder, 40, work);
}

TEST(exact_and_wait, lowers_the_gear_only_where_waiting_draws_less_in_it) {
  const test::TemporaryFolder folder;
  const std::string computation = eight_uneven_ranks(folder);
  const auto simulate_with = [&](const std::string& waiting) {
    return simulate_json(on_table_3_1(8, {"--compare", "exact,exact+wait", "--waiting", waiting,
                                          "--computation", computation}),
                         {smpi_program("only_allreduce"), "40", "1"});
  };
  const json idle = simulate_with("idle");
  ASSERT_FALSE(idle.is_discarded());
  EXPECT_EQ(figure(idle, "exact+wait", "time_s"), figure(idle, "exact", "time_s"));
  EXPECT_EQ(figure(idle, "exact+wait", "energy_j"), figure(idle, "exact", "energy_j"));
  const json spinning = simulate_with("spinning");
  ASSERT_FALSE(spinning.is_discarded());
  EXPECT_EQ(figure(spinning, "exact+wait", "time_s"), figure(spinning, "exact", "time_s"));
  EXPECT_LT(figure(spinning, "exact+wait", "energy_j"), figure(spinning, "exact", "energy_j"));
  EXPECT_EQ(run_of(spinning, "exact+wait")["gears"], run_of(spinning, "exact")["gears"]);
}

json with_gear_change(const std::string& change) {
  const test::TemporaryFolder folder;
  return simulate_json(
      on_table_3_1(8, {"--compare", "exact,countdown,foresee,exact+wait,exact+foresee", "--waiting",
                       "spinning", "--gear-change", change, "--computation",
                       eight_uneven_ranks(folder)}),
      {smpi_program("only_allreduce"), "40", "1"});
}

TEST(a_change_of_gears, that_takes_time_slows_down_who_is_not_foreseen) {
  const json at_once = with_gear_change("0s");
  const json late = with_gear_change("200us");
  ASSERT_FALSE(at_once.is_discarded() || late.is_discarded());
  EXPECT_DOUBLE_EQ(late["gear_change_s"].get<double>(), 200e-6);
  EXPECT_EQ(figure(at_once, "countdown", "time_s"), figure(at_once, "none", "time_s"));
  EXPECT_EQ(figure(late, "none", "time_s"), figure(at_once, "none", "time_s"));
  // In each of 40 iterations the slowest rank, which computes longest, is in gear 0, but others
  // lose some of their slack: the run is longer by what it loses at most.
  EXPECT_LE(figure(late, "countdown", "time_s"), figure(late, "none", "time_s") + 40 * 200e-6);
}

TEST(foresee, saves_more_than_the_timer_and_slows_down_by_at_most_half_as_much) {
  const json simulation = with_gear_change("100us");
  ASSERT_FALSE(simulation.is_discarded());
  const double time = figure(simulation, "none", "time_s");
  for (const auto& [timer, foresee] :
       {std::pair{"countdown", "foresee"}, {"exact+wait", "exact+foresee"}}) {
    EXPECT_LE(figure(simulation, foresee, "energy_j"), figure(simulation, timer, "energy_j"));
  }
  EXPECT_LE(figure(simulation, "foresee", "time_s") - time,
            (figure(simulation, "countdown", "time_s") - time) / 2 + 1e-4);
  EXPECT_LE(figure(simulation, "exact+foresee", "energy_j"),
            figure(simulation, "exact", "energy_j"));
}

TEST(governors, leave_the_results_of_the_program_alone) {
  const test::TemporaryFolder folder;
  const std::string report = folder.path() + "/out";
  const json simulation = simulate_json(
      on_table_3_1(8, {"--compare", all, "--waiting", "spinning", "--report", report}), cg_s);
  ASSERT_FALSE(simulation.is_discarded());
  for (const json& run : simulation["runs"]) {
    const std::string name = run["method"];
    EXPECT_NE(content(report + "/" + name + ".out").find("verification: successful"),
              std::string::npos)
        << name;
    EXPECT_EQ(run["divergences"], 0) << name;
  }
}

TEST(governors, that_never_change_a_gear_are_runs_in_given_gears) {
  const test::TemporaryFolder folder;
  const std::string report = folder.path() + "/out";
  const json simulation = simulate_json(
      on_table_3_1(8, {"--compare", "performance,powersave", "--report", report}), cg_s);
  ASSERT_FALSE(simulation.is_discarded());
  for (const char* const key : {"time_s", "energy_j"})
    EXPECT_EQ(run_of(simulation, "performance")[key], run_of(simulation, "none")[key]);
  const auto slowest = run_of(simulation, "powersave")["gears"].get<std::vector<int>>();
  EXPECT_EQ(slowest, (std::vector<int>{13, 13, 8, 8, 17, 17, 14, 14})); // of Table 3.1
  std::string gears;
  for (const int gear : slowest)
    gears += (gears.empty() ? "" : ",") + std::to_string(gear);
  const json given = simulate_json(
      on_table_3_1(8, {"--gears", gears, "--computation", report + "/computation.txt"}), cg_s);
  ASSERT_FALSE(given.is_discarded());
  for (const char* const key : {"time_s", "energy_j"})
    EXPECT_EQ(run_of(simulation, "powersave")[key], given["runs"][1][key]);
}

TEST(governors, repeat_to_the_last_digit) {
  const test::TemporaryFolder folder;
  const std::string report = folder.path() + "/out";
  const auto simulate_again = [&](const std::string& option, const std::string& value) {
    return simulate_json(on_table_3_1(8, {"--compare", "ondemand,countdown,adagio", option, value}),
                         {smpi_app("halo2d"), "--class", "S"});
  };
  const json first = simulate_again("--report", report);
  const json again = simulate_again("--computation", report + "/computation.txt");
  ASSERT_FALSE(first.is_discarded() || again.is_discarded());
  for (const char* const method : {"ondemand", "countdown", "adagio"})
    EXPECT_EQ(figure(first, method, "energy_j"), figure(again, method, "energy_j")) << method;
}

TEST(governors, share_a_node_among_its_ranks) {
  const json simulation =
      simulate_json({"-q", "--platform", HYPERMILE_SOURCE_DIR "/tests/cli/simulate/two_by_two.yaml",
                     "--reference-speed", "300Gf", "--waiting", "spinning", "--compare", all},
                    {smpi_program("only_allreduce"), "20", "2000"});
  ASSERT_FALSE(simulation.is_discarded());
  const double unscaled = figure(simulation, "none", "energy_j");
  EXPECT_EQ(figure(simulation, "performance", "energy_j"), unscaled);
  EXPECT_EQ(figure(simulation, "countdown", "time_s"), figure(simulation, "none", "time_s"));
  EXPECT_LE(figure(simulation, "countdown", "energy_j"), unscaled);
}

TEST(governors, that_no_method_chooses_for_have_no_prediction) {
  const json simulation = simulate_json(on_table_3_1(8, {"--compare", all}), cg_s);
  ASSERT_FALSE(simulation.is_discarded());
  for (const json& run : simulation["runs"]) {
    const bool chosen = run["method"].get<std::string>().starts_with("exact");
    EXPECT_EQ(run["predicted"].is_null(), !chosen) << run["method"];
  }
}

TEST(governors, have_their_switches_counted) {
  const json simulation = simulate_two_ranks({"--compare", "performance,powersave,countdown"});
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(run_of(simulation, "none")["gear_switches"], 0);
  EXPECT_EQ(run_of(simulation, "performance")["gear_switches"], 0);
  EXPECT_EQ(run_of(simulation, "powersave")["gear_switches"], 2); // one on each node
  EXPECT_EQ(run_of(simulation, "countdown")["gear_switches"], 2); // down and up, on one
}

TEST(bad_waiting, of_a_platform_that_says_it_itself) {
  const auto result =
      simulate({"--platform", HYPERMILE_SOURCE_DIR "/tests/cli/simulate/hosts.xml",
                "--reference-speed", "300Gf", "--waiting", "spinning", "--", smpi_app("cg")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("wattage_per_state"), std::string::npos) << result.err;
}

} // namespace
} // namespace hypermile
