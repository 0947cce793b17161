// Platforms other than those that come along, and computation that is given back.

#include "simulate/simulated.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace hypermile {
namespace {

using nlohmann::json;
using test::content;
using test::on_table_3_1;
using test::run_of;
using test::simulate;
using test::simulate_json;
using test::smpi_program;

constexpr const char* folder = HYPERMILE_SOURCE_DIR "/tests/cli/simulate/";

TEST(yaml_platform, of_nodes_with_two_cores_gets_a_gear_per_node) {
  const json simulation =
      simulate_json({"-q", "--platform", folder + std::string("two_by_two.yaml"),
                     "--reference-speed", "300Gf"}, // four ranks: one per core
                    {smpi_program("only_allreduce"), "60", "500"});
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(simulation["platform"], "two-by-two");
  EXPECT_EQ(simulation["ranks"], 4);
  const json& run = run_of(simulation, "exact");
  ASSERT_EQ(run["gears"].size(), 2u); // nodes, not ranks
  EXPECT_EQ(run["nodes"][0]["name"], "slow-0");
  EXPECT_EQ(run["nodes"][1]["type"], "fast");
  EXPECT_GT(run["gears"][1], run["gears"][0]); // the fast one has the slack
  EXPECT_GT(run["saving_percent"], 5.0);
  EXPECT_LT(run["frequencies_ghz"][1], 3.0);
}

TEST(yaml_platform, bills_each_node_once) {
  // Twice the work on both cores of a node: the same time, and the energy of two nodes.
  const json two = simulate_json({"-q", "--platform", folder + std::string("two_by_two.yaml"),
                                  "--reference-speed", "300Gf", "-n", "2", "--method", "none"},
                                 {smpi_program("no_communication"), "20", "300"});
  ASSERT_FALSE(two.is_discarded());
  const json& run = two["runs"][0];
  // Both ranks are on the slow node, which draws 48 W when both compute, as they nearly always do.
  ASSERT_EQ(run["nodes"].size(), 1u);
  const double power = run["energy_j"].get<double>() / run["time_s"].get<double>();
  EXPECT_LT(power, 48.01);
  EXPECT_GT(power, 36);
}

TEST(yaml_platform, of_two_sites_takes_the_latency_between_them) {
  const auto unscaled = [](const std::string& platform) {
    const json simulation =
        simulate_json({"-q", "--platform", platform, "--reference-speed", "300Gf"},
                      {smpi_program("ring"), "50", "1"});
    return simulation.is_discarded() ? json() : simulation["runs"][0];
  };
  const json one = unscaled("table-3.11-one-site-16");
  const json two = unscaled("table-3.11-two-sites-16");
  ASSERT_FALSE(one.is_null());
  ASSERT_FALSE(two.is_null());
  EXPECT_EQ(two["nodes"][0]["type"], "taurus");
  EXPECT_EQ(two["nodes"].size(), 16u);
  // The token goes to the other site and back 50 times.
  EXPECT_GT(two["time_s"].get<double>(), one["time_s"].get<double>() + 0.9 * 50 * 2 * 0.005);
}

/// Of a token that goes 20 times round 4 ranks.
double time_of_rings(const std::string& nodes, const std::string& topology) {
  const test::TemporaryFolder place;
  std::ofstream(place.path("p.yaml"))
      << "schema: hypermile/platform/1\nname: p\ndescription: d\ntypes:\n  - {name: t, " << nodes
      << ", speed: 1Gf, gears: [1GHz], power: {dynamic: 1W, static: 1W}}\n"
         "network:\n  link: {bandwidth: 1Gbps, latency: 1ms}\n"
      << topology;
  const json simulation = simulate_json({"-q", "--platform", place.path("p.yaml"), "-n", "4",
                                         "--method", "none", "--reference-speed", "1kf"},
                                        {smpi_program("ring"), "20", "1"});
  return simulation.is_discarded() ? 0 : simulation["runs"][0]["time_s"].get<double>();
}

TEST(topology, leads_messages_over_as_many_links_as_there_are_between_two_nodes) {
  const std::string four = "count: 4, cores: 1";
  const double star = time_of_rings(four, ""); // 4 messages, each over 2 links: 8 links a round
  ASSERT_GT(star, 0);
  // Two of the messages stay below a switch (2 links), two go over its parent (4 links).
  EXPECT_NEAR(time_of_rings(
                  four, "  topology: {fat_tree: {down: [2, 2], up: [1, 1], parallel: [1, 1]}}\n") /
                  star,
              12.0 / 8, 0.01);
  // Neighbours in the ring of nodes.
  EXPECT_NEAR(time_of_rings(four, "  topology: {torus: [4]}\n") / star, 4.0 / 8, 0.01);
  // Two messages stay at a router (2 links), two go to the other router (3 links).
  EXPECT_NEAR(time_of_rings(four, "  topology: {dragonfly: {groups: 1, group_links: 1, chassis: 1, "
                                  "chassis_links: 1, routers: 2, router_links: 1, nodes: 2}}\n") /
                  star,
              10.0 / 8, 0.01);
}

TEST(topology, leads_messages_inside_a_node_as_a_star_does) {
  const std::string two_by_two = "count: 2, cores: 2";
  const double star = time_of_rings(two_by_two, ""); // every message over 2 links
  ASSERT_GT(star, 0);
  EXPECT_NEAR(
      time_of_rings(two_by_two, "  topology: {fat_tree: {down: [2], up: [1], parallel: [1]}}\n") /
          star,
      1, 0.01);
  // Two messages inside a node, and two over the one link between the nodes.
  EXPECT_NEAR(time_of_rings(two_by_two, "  topology: {torus: [2]}\n") / star, 6.0 / 8, 0.01);
}

TEST(switches, have_an_energy_of_their_own) {
  const std::vector<std::string> program{smpi_program("ring"), "20", "1000"};
  const std::vector<std::string> words{"-q",       "--platform", "galera-plus",       "-n",   "24",
                                       "--method", "none",       "--reference-speed", "300Gf"};
  const json simulation = simulate_json(words, program);
  ASSERT_FALSE(simulation.is_discarded());
  const json& run = simulation["runs"][0];
  const double time = run["time_s"];
  EXPECT_DOUBLE_EQ(run["switch_energy_j"].get<double>(), 180 * time); // one switch
  // Two nodes between 80 W and 160 W, and nothing of the switch.
  EXPECT_LT(run["energy_j"].get<double>(), 2 * 160 * time);
  EXPECT_GT(run["energy_j"].get<double>(), 2 * 80 * time);
  const json without = simulate_json(on_table_3_1(2, {"--method", "none"}), program);
  EXPECT_TRUE(without["runs"][0]["switch_energy_j"].is_null());
}

TEST(swap, is_the_platform_with_the_other_component) {
  const auto time_with = [](const std::vector<std::string>& swaps) {
    std::vector<std::string> words{"-q",       "--platform", "galera-plus",       "-n",   "14",
                                   "--method", "none",       "--reference-speed", "300Gf"};
    words.insert(words.end(), swaps.begin(), swaps.end());
    return simulate_json(words, {smpi_program("ring"), "20", "1000"});
  };
  const json before = time_with({});
  const json after = time_with({"--swap", "cpu=epyc-9654"});
  ASSERT_FALSE(before.is_discarded() || after.is_discarded());
  EXPECT_EQ(after["platform"], "galera-plus with epyc-9654 for cpu");
  EXPECT_EQ(before["runs"][0]["nodes"].size(), 2u); // 12 cores each
  EXPECT_EQ(after["runs"][0]["nodes"].size(), 1u);  // 192 cores
  const auto refused = simulate({"--platform", folder + std::string("hosts.xml"), "--swap", "cpu=a",
                                 "--", smpi_program("ring")});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("is SimGrid's XML, which has no components"), std::string::npos);
}

TEST(yaml_platform, of_table_3_12_has_the_cores_of_a_node_in_one_gear) {
  const json simulation = simulate_json({"-q", "--platform", "table-3.12-multi-core",
                                         "--reference-speed", "300Gf"}, // ranks: one per core
                                        {smpi_program("only_allreduce"), "60", "500"});
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(simulation["ranks"], 32);
  EXPECT_EQ(run_of(simulation, "exact")["gears"].size(), 9u);
}

TEST(xml_platform, with_wattage_per_state_is_taken_as_it_is) {
  const json simulation = simulate_json(
      {"-q", "--platform", folder + std::string("hosts.xml"), "--reference-speed", "300Gf"},
      {smpi_program("only_allreduce"), "60", "500"});
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(simulation["platform"], "hosts");
  EXPECT_EQ(simulation["ranks"], 3);
  const json& run = run_of(simulation, "exact");
  ASSERT_EQ(run["nodes"].size(), 2u); // in the order of the file, not of their names
  EXPECT_EQ(run["nodes"][0]["name"], "tortoise");
  EXPECT_EQ(run["nodes"][1]["name"], "hare");
  EXPECT_TRUE(run["frequencies_ghz"][0].is_null()); // XML knows speeds only
  EXPECT_EQ(run["gears"][0], 0);
  EXPECT_GT(run["gears"][1], 0); // twice as fast, so half its speed will do
  EXPECT_FALSE(run["predicted"].is_null());
}

TEST(xml_platform, needs_no_extension) {
  const test::TemporaryFolder folder_of_user;
  std::filesystem::copy_file(folder + std::string("hosts.xml"), folder_of_user.path("my-hosts"));
  const json simulation = simulate_json({"-q", "--platform", folder_of_user.path("my-hosts"),
                                         "--reference-speed", "300Gf", "--method", "none"},
                                        {smpi_program("ring"), "5", "10"});
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(simulation["platform"], "my-hosts");
  EXPECT_EQ(simulation["ranks"], 3);
}

TEST(xml_platform, without_power_is_refused) {
  const auto result =
      simulate({"-q", "--platform", HYPERMILE_BINARY_DIR "/tests/one_switch/platform.xml", "-n",
                "2", "--reference-speed", "1Gf", "--", smpi_program("ring"), "5", "10"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("host 'node-0': it states no power; try: give it the property "
                            "wattage_per_state"),
            std::string::npos)
      << result.err;
}

TEST(xml_platform, needs_to_be_told_the_speed_of_this_machine) {
  const auto result = simulate({"-q", "--platform", folder + std::string("hosts.xml"), "--",
                                smpi_program("ring"), "5", "10"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("platform 'hosts' does not say how fast this machine is"),
            std::string::npos)
      << result.err;
}

/// A recording of a program on four nodes.
class Recording : public testing::Test {
protected:
  void record(const std::vector<std::string>& program) {
    auto options = on_table_3_1(4, {"--method", "none", "--report", report.path(), "--"});
    options.insert(options.end(), program.begin(), program.end());
    const auto result = simulate(options);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  [[nodiscard]] std::string file() const { return report.path("computation.txt"); }

  test::TemporaryFolder report;
};

TEST_F(Recording, repeats_to_the_last_digit_whatever_the_speed_of_the_machine) {
  for (const char* program : {"nested_loop", "halo2d", "polling"}) {
    const std::vector<std::string> words{smpi_program(program), "30", "200"};
    record(words);
    std::vector<std::string> printed;
    for (const char* speed : {"300Gf", "300Gf", "1Gf", "900Tf"}) {
      std::vector<std::string> options{"-q",         "--platform",        "table-3.1", "-n",
                                       "4",          "--computation",     file(),      "--compare",
                                       "exact,alg5", "--reference-speed", speed,       "--json",
                                       "--"};
      options.insert(options.end(), words.begin(), words.end());
      const auto result = simulate(options);
      ASSERT_EQ(result.exit_code, 0) << result.err;
      json simulation = json::parse(result.out);
      simulation.erase("reference_speed_gf"); // what was asked for
      printed.push_back(simulation.dump());
      EXPECT_EQ(printed.back(), printed.front()) << program << " at " << speed;
    }
  }
}

TEST_F(Recording, prints_the_same_twice) {
  record({smpi_program("every_tenth"), "60", "200"});
  std::vector<std::string> printed;
  for (int i = 0; i < 2; ++i)
    for (const bool as_json : {false, true}) {
      const auto result =
          simulate({"-q", "--platform", "table-3.1", "-n", "4", "--computation", file(),
                    as_json ? "--json" : "-q", "--", smpi_program("every_tenth"), "60", "200"});
      EXPECT_EQ(result.exit_code, 0) << result.err;
      printed.push_back(result.out);
    }
  EXPECT_EQ(printed[0], printed[2]);
  EXPECT_EQ(printed[1], printed[3]);
  EXPECT_NE(printed[0].find("comes from the given recording"), std::string::npos) << printed[0];
}

TEST_F(Recording, needs_no_speed_of_this_machine) {
  record({smpi_program("ring"), "20", "100"});
  std::ofstream(report.path("two.yaml")) << content(folder + std::string("two_by_two.yaml"));
  const auto result = simulate({"-q", "--platform", report.path("two.yaml"), "--computation",
                                file(), "--", smpi_program("ring"), "20", "100"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(Recording, of_another_program_is_refused) {
  record({smpi_program("ring"), "20", "100"});
  const auto result = simulate(on_table_3_1(
      4, {"--computation", file(), "--", smpi_program("only_allreduce"), "20", "100"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  // All 20 sums and MPI_Finalize, on 4 ranks.
  EXPECT_NE(result.err.find("of 84 MPI calls are not in the recorded computation; try: the "
                            "recording of the same program"),
            std::string::npos)
      << result.err;
}

TEST_F(Recording, of_another_number_of_ranks_is_refused) {
  record({smpi_program("ring"), "20", "100"});
  const auto result =
      simulate(on_table_3_1(8, {"--computation", file(), "--", smpi_program("ring"), "20", "100"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("is of a run with 4 ranks, but 8 are asked for; try: -n 4"),
            std::string::npos)
      << result.err;
}

} // namespace
} // namespace hypermile
