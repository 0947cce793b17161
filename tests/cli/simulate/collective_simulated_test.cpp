// `hypermile collective NAME calibrate` without a launcher: operations on machines that are not
// there.

#include "simulate/simulated.hpp"

#include "tune/simulated.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

namespace hypermile {
namespace {

using nlohmann::json;
using test::CommandResult;
using Words = std::vector<std::string>;

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

CommandResult bcast(Words words) {
  words.insert(words.begin(), "bcast");
  return test::run_hypermile(words);
}

/// Messages take latency + size / bandwidth, whatever their size.
Words on_plain_network(Words more) {
  Words words{"calibrate",
              "--platform",
              "d13",
              "-q",
              "--simgrid-option",
              "smpi/lat-factor:0:1",
              "--simgrid-option",
              "smpi/bw-factor:0:1"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

json calibrated(const Words& more) {
  const auto result = bcast(on_plain_network(more));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out, nullptr, false);
}

const json& cell_of(const json& measured, const std::string& algorithm, std::size_t size_b) {
  for (const json& cell : measured["cells"])
    if (cell["algorithm"] == algorithm && cell["size_b"] == size_b)
      return cell;
  throw std::runtime_error("there is no cell " + algorithm);
}

double only(const json& values) { return values.at(0).get<double>(); }

// By hand: from one node to another a message takes 20 us and its bytes at 1.25 GB/s. A node draws
// 95 W and 76 W more with all of its 12 cores. SMPI adds some bytes to a message.
TEST(bcast_in_simulation, takes_the_time_and_the_energy_of_a_single_message_between_two_nodes) {
  const json calibration =
      calibrated({"--nodes", "2", "--procs-per-node", "1", "--sizes", "1MiB:2MiB"});
  ASSERT_EQ(calibration["measured"].size(), 1U);
  for (const std::size_t size_b : {1048576U, 2097152U})
    for (const char* const algorithm : {"flattree", "binomial_tree"}) {
      const json& cell = cell_of(calibration["measured"][0], algorithm, size_b);
      const double expected_s = 20e-6 + static_cast<double>(size_b) / 1.25e9;
      EXPECT_NEAR(only(cell["times_s"]), expected_s, 5e-8) << cell;
      EXPECT_NEAR(only(cell["powers_w"]), 2 * (95 + 76.0 / 12), 1e-6) << cell;
    }
  EXPECT_EQ(calibration["switch_power_w"], 150);
}

// 8 segments along a chain of 4 nodes: 8 + 4 - 2 times what one takes. A node that sends and
// receives at once does both as fast as one without cross-traffic, which are acknowledgements.
TEST(bcast_in_simulation, a_pipeline_hands_segments_on_while_it_gets_others) {
  const json calibration =
      calibrated({"--nodes", "4", "--procs-per-node", "1", "--sizes", "1MiB", "--segments",
                  "128KiB", "--simgrid-option", "network/crosstraffic:0"});
  const json& cell = cell_of(calibration["measured"][0], "pipeline", 1048576);
  EXPECT_NEAR(only(cell["times_s"]), 10 * (20e-6 + 131072 / 1.25e9), 1e-6) << cell;
}

// Two processes exchange all of it at once, each way as fast as alone without cross-traffic.
TEST(collective_in_simulation, exchanges_between_two_nodes_take_one_message) {
  for (const auto& [name, algorithm] : {std::pair{"allreduce", "rdb"},
                                        {"allgather", "ring"},
                                        {"allgather", "pair"},
                                        {"alltoall", "pair"}}) {
    Words words = on_plain_network({"--nodes", "2", "--procs-per-node", "1", "--sizes", "1MiB",
                                    "--simgrid-option", "network/crosstraffic:0"});
    words.insert(words.begin(), {"collective", name});
    const auto result = test::run_hypermile(words);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const json calibration = json::parse(result.out);
    EXPECT_EQ(calibration["collective"], name);
    EXPECT_FALSE(calibration.contains("copies")) << name;
    const json& cell = cell_of(calibration["measured"][0], algorithm, 1048576);
    EXPECT_NEAR(only(cell["times_s"]), 20e-6 + 1048576 / 1.25e9, 1e-6) << name << cell;
    EXPECT_NEAR(only(cell["powers_w"]), 2 * (95 + 76.0 / 12), 1e-6) << cell;
  }
}

/// What algorithms deliver is looked at before they are timed. SMPI's pair_rma delivers something
/// else, and mvapich2_inter_node nothing to most: they are in no list for that.
TEST(collective_in_simulation, an_algorithm_that_delivers_something_else_is_not_timed) {
  const tune::SimulatedMachine machine{
      .platform = {},
      .platform_name = "d13",
      .installation = {.smpimain = HYPERMILE_SMPIMAIN,
                       .interposer = {},
                       .list_hosts = {},
                       .replay = {},
                       .platform_folder = HYPERMILE_SOURCE_DIR "/platforms",
                       .model_folder = {}},
      .program_folder = HYPERMILE_BINARY_DIR "/libexec/hypermile"};
  static constexpr std::array algorithms{collective::Algorithm{.name = "pair"},
                                         collective::Algorithm{.name = "pair_rma"},
                                         collective::Algorithm{.name = "binomial_tree"},
                                         collective::Algorithm{.name = "mvapich2_inter_node"}};
  const auto timed = [&](const char* name, const std::string& algorithm) {
    collective::Collective collective = collective::collective_named(name);
    collective.smpi = algorithms;
    std::size_t count = 0;
    tune::simulate_operations(
        machine,
        {{.collective = &collective,
          .variant = {.algorithm = algorithm},
          .nodes = 4,
          .processes_per_node = 2,
          .sizes_b = {1024}}},
        [&](std::size_t, const auto& costs) { count = costs.size(); }, [](const std::string&) {});
    return count;
  };
  EXPECT_EQ(timed("alltoall", "pair"), 1U);
  EXPECT_THROW((void)timed("alltoall", "pair_rma"), Error);
  EXPECT_EQ(timed("bcast", "binomial_tree"), 1U);
  EXPECT_THROW((void)timed("bcast", "mvapich2_inter_node"), Error);
}

/// 24 x 24 messages would be 9 GiB.
TEST(collective_in_simulation, buffers_of_all_processes_are_the_same_memory) {
  const auto result =
      test::run_hypermile({"collective", "alltoall", "calibrate", "--platform", "d13", "-n", "24",
                           "--jobs", "1", "-q", "--sizes", "16MiB"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto needed_gib = [](const char* name, std::size_t at_a_time) {
    return tune::memory_needed_b({.collective = &collective::collective_named(name),
                                  .variant = {},
                                  .nodes = 2,
                                  .processes_per_node = 12,
                                  .sizes_b = {1U << 20U, 1U << 25U}},
                                 at_a_time) /
           (1U << 30U);
  };
  EXPECT_EQ(needed_gib("alltoall", 1), 1.5); // 2 x 24 x 32 MiB
  EXPECT_EQ(needed_gib("allgather", 4), 6);
  EXPECT_EQ(needed_gib("allreduce", 16), 1);
  EXPECT_EQ(needed_gib("bcast", 16), 0);
}

TEST(collective_in_simulation, refuses_what_does_not_fit_into_a_buffer) {
  for (const auto& [name, size, told] : {std::array{"allgather", "1GiB", "2 GiB - 1"},
                                         std::array{"allreduce", "1001B", "multiple of 8"}}) {
    const auto result = test::run_hypermile({"collective", name, "calibrate", "--platform", "d13",
                                             "-n", "64", "--jobs", "1000", "-q", "--sizes", size});
    EXPECT_EQ(result.exit_code, 1) << name;
    EXPECT_NE(result.err.find(told), std::string::npos) << result.err;
  }
}

TEST(bcast_in_simulation, processes_of_a_node_meet_in_its_memory_and_draw_power_each) {
  const json calibration = calibrated({"--nodes", "1", "--procs-per-node", "2", "--sizes", "1MiB"});
  const json& cell = cell_of(calibration["measured"][0], "binomial_tree", 1048576);
  EXPECT_NEAR(only(cell["times_s"]), 1e-6 + 1048576 / 3e9, 1e-8) << cell;
  EXPECT_NEAR(only(cell["powers_w"]), 95 + 2 * 76.0 / 12, 1e-6) << cell;
  const json idle =
      calibrated({"--nodes", "1", "--procs-per-node", "2", "--sizes", "1MiB", "--waiting", "idle"});
  EXPECT_NEAR(only(cell_of(idle["measured"][0], "binomial_tree", 1048576)["powers_w"]), 95, 1e-6);
}

TEST(bcast_in_simulation, spreads_processes_evenly_and_adds_one_per_node_for_hybrids) {
  const json calibration = calibrated({"-n", "8", "--sizes", "1MiB"});
  ASSERT_EQ(calibration["measured"].size(), 1U); // on one node: there is no hybrid
  EXPECT_EQ(calibration["measured"][0]["processes_per_node"], 8);
  const json two = calibrated({"-n", "16", "--sizes", "1MiB"});
  ASSERT_EQ(two["measured"].size(), 2U);
  EXPECT_EQ(two["measured"][0]["nodes"], 2);
  EXPECT_EQ(two["measured"][0]["processes_per_node"], 8);
  EXPECT_EQ(two["measured"][1]["processes_per_node"], 1);
  EXPECT_EQ(two["copies"].size(), 2U);
}

TEST(bcast_in_simulation, estimates_list_hybrids_and_choices_are_sure_but_no_library_takes_them) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path("cal.json");
  const auto made = bcast(on_plain_network(
      {"--nodes", "4", "--procs-per-node", "4", "--sizes", "1MiB:4MiB", "-o", file}));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_NE(made.out.find("--nodes 4 --procs-per-node 4"), std::string::npos) << made.out;
  const Words which{file, "--nodes", "4", "--procs-per-node", "4", "--size", "1MiB", "--json"};
  Words words{"choose"};
  words.insert(words.end(), which.begin(), which.end());
  const json answer = json::parse(bcast(words).out)["answers"][0];
  std::size_t hybrids = 0;
  for (const json& estimate : answer["estimates"])
    hybrids += estimate["hybrid"] ? 1 : 0;
  EXPECT_EQ(2 * hybrids, answer["estimates"].size());
  EXPECT_TRUE(answer["choice"]["decided"]) << answer["choice"];
  const auto applied = bcast({"apply", file, "-o", folder.path("rules")});
  EXPECT_EQ(applied.exit_code, 1);
  EXPECT_NE(applied.err.find("simulated machine"), std::string::npos) << applied.err;
}

TEST(bcast_in_simulation, is_the_same_twice_and_more_nodes_are_added) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path("cal.json");
  const auto run = [&](const std::string& nodes) {
    return bcast(on_plain_network(
        {"--nodes", nodes, "--procs-per-node", "1", "--sizes", "1MiB", "-o", file}));
  };
  ASSERT_EQ(run("2").exit_code, 0);
  const std::string first = read_file(file);
  ASSERT_EQ(run("2").exit_code, 0);
  EXPECT_EQ(read_file(file), first);
  ASSERT_EQ(run("2,3").exit_code, 0);
  const json both = json::parse(read_file(file));
  ASSERT_EQ(both["measured"].size(), 2U);
  EXPECT_EQ(both["measured"][0], json::parse(first)["measured"][0]);
  const auto other = bcast(
      {"calibrate", "--platform", "d13", "--nodes", "2", "-q", "--sizes", "1MiB", "-o", file});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_NE(other.err.find("under other conditions"), std::string::npos) << other.err;
}

TEST(bcast_in_simulation, goes_on_where_it_was_interrupted) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path("cal.json");
  Words words = on_plain_network({"--nodes", "16", "--procs-per-node", "1", "--sizes",
                                  "128MiB:512MiB", "--jobs", "1", "-o", file});
  words.insert(words.begin(), "bcast");
  test::RunningCommand running(words);
  for (int i = 0; i < 600 && read_file(file).empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  running.signal(SIGINT);
  const auto interrupted = running.wait();
  EXPECT_EQ(interrupted.exit_code, 130) << interrupted.err;
  EXPECT_NE(interrupted.err.find("the same command goes on"), std::string::npos);
  const json kept = json::parse(read_file(file))["measured"][0]["cells"];
  EXPECT_LT(kept.size(), 3 * 6U);
  ASSERT_EQ(test::run_hypermile(words).exit_code, 0);
  const json all = json::parse(read_file(file))["measured"][0]["cells"];
  EXPECT_EQ(all.size(), 3 * 6U);
  for (std::size_t i = 0; i < kept.size(); ++i)
    EXPECT_EQ(all[i], kept[i]);
}

json late(const std::string& name, const std::string& arrival, const Words& more) {
  Words words = on_plain_network(
      {"--nodes", "2", "--procs-per-node", "2", "--sizes", "64KiB:1MiB", "--arrival", arrival});
  words.insert(words.begin(), {"collective", name});
  words.insert(words.end(), more.begin(), more.end());
  const auto result = test::run_hypermile(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out, nullptr, false);
}

TEST(bcast_in_simulation, without_spread_it_is_what_it_is_without_an_arrival) {
  Words words = on_plain_network({"--nodes", "1", "--procs-per-node", "4", "--sizes", "64KiB:1MiB",
                                  "--jobs", "1"}); // in which cells come in the same order
  const auto plain = bcast(words);
  words.insert(words.end(), {"--arrival", "together"});
  EXPECT_EQ(bcast(words).out, plain.out);
}

/// The spread is a second, and an operation takes some milliseconds. In an allgather none can go
/// before the last one has come: how long processes are inside is what they wait for it, by the
/// numbers that were drawn, and the operation comes to that.
TEST(collective_in_simulation, with_a_large_spread_the_last_arrival_dictates_all_algorithms) {
  constexpr int processes = 4;
  constexpr int operations = 6; // in a pass, in 6 simulated seconds
  const json together = late("allgather", "together", {});
  const json calibration =
      late("allgather", "uniform:1s", {"--passes", "2", "--seed", "5", "--seconds", "6"});
  for (const std::uint64_t pass : {0U, 1U}) {
    double wait_s = 0;
    for (std::uint64_t operation = 0; operation < operations; ++operation) {
      double last_s = 0;
      double sum_s = 0;
      for (std::uint64_t process = 0; process < processes; ++process) {
        const double late_s = collective::lateness_s({collective::Arrival::Kind::uniform, 1}, 5,
                                                     1000 * pass + operation, process);
        last_s = std::max(last_s, late_s);
        sum_s += late_s;
      }
      wait_s += (last_s - sum_s / processes) / operations;
    }
    EXPECT_GT(wait_s, 0.1);
    for (const json& cell : calibration["measured"][0]["cells"]) {
      const double at_once_s =
          only(cell_of(together["measured"][0], cell["algorithm"], cell["size_b"])["times_s"]);
      ASSERT_LT(at_once_s, 0.02) << cell;
      ASSERT_EQ(cell["times_s"].size(), 2U);
      const double inside_s = cell["inside_s"][pass];
      EXPECT_GE(inside_s, wait_s) << cell;
      EXPECT_LE(inside_s, wait_s + 1.01 * at_once_s) << cell;
    }
  }
}

/// An operation that nobody waits for goes on as soon as all are there: never later than if all had
/// come with the last one. Broadcasts let processes go before that.
TEST(bcast_in_simulation,
     what_comes_after_the_last_arrival_is_no_longer_than_if_all_came_together) {
  const json together = late("bcast", "together", {});
  const json calibration = late("bcast", "exponential:2ms", {"--passes", "2", "--seconds", "0.02"});
  EXPECT_EQ(calibration["arrival"], "exponential:0.002s");
  bool some_save = false;
  for (const json& cell : calibration["measured"][0]["cells"]) {
    const json& same = cell_of(together["measured"][0], cell["algorithm"], cell["size_b"]);
    EXPECT_EQ(cell["powers_w"].size(), 2U);
    EXPECT_NEAR(cell["powers_w"][1], same["powers_w"][0], 1e-6) << "a spinning core is as busy";
    for (const double time_s : cell["times_s"]) {
      EXPECT_GT(time_s, 0);
      EXPECT_LE(time_s, 1.01 * only(same["times_s"])) << cell;
      some_save = some_save || time_s < 0.99 * only(same["times_s"]);
    }
  }
  EXPECT_TRUE(some_save);
}

TEST(bcast_in_simulation, arrivals_come_from_the_seed_and_passes_are_added) {
  const test::TemporaryFolder folder;
  const auto run = [&](const std::string& file, const Words& more) {
    Words words =
        on_plain_network({"--nodes", "1", "--procs-per-node", "4", "--sizes", "1MiB", "--arrival",
                          "uniform:5ms", "--seconds", "0.02", "-o", folder.path(file)});
    words.insert(words.end(), more.begin(), more.end());
    return bcast(words);
  };
  ASSERT_EQ(run("a", {"--passes", "1"}).exit_code, 0);
  ASSERT_EQ(run("a", {"--passes", "2"}).exit_code, 0);
  ASSERT_EQ(run("b", {"--passes", "2", "--jobs", "1"}).exit_code, 0);
  EXPECT_EQ(json::parse(read_file(folder.path("a")))["measured"][0]["cells"].size(), 6U);
  const auto sorted = [&](const std::string& file) {
    json cells = json::parse(read_file(folder.path(file)))["measured"][0]["cells"];
    std::sort(cells.begin(), cells.end());
    return cells;
  };
  EXPECT_EQ(sorted("a"), sorted("b"));
  const auto other = run("a", {"--seed", "2"});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_NE(other.err.find("the seed was 1 and is 2"), std::string::npos) << other.err;
  const auto chosen = bcast({"choose", folder.path("a"), "--json"});
  ASSERT_EQ(chosen.exit_code, 0) << chosen.err;
  const json answer = json::parse(chosen.out);
  EXPECT_EQ(answer["arrival"], "uniform:0.005s");
  for (const json& estimate : answer["answers"][0]["estimates"])
    EXPECT_LT(estimate["time_s"]["low"], estimate["time_s"]["high"]) << estimate;
}

TEST(bcast_in_simulation, says_what_is_wrong) {
  struct Case {
    Words words;
    int exit_code;
    std::string told;
  };
  for (const auto& [words, exit_code, told] : std::vector<Case>{
           {{"-n", "8"}, 1, "--platform"},
           {{"--platform", "d13", "-n", "1000"}, 1, "cannot be spread evenly"},
           {{"--platform", "d13", "-n", "9", "--procs-per-node", "2"}, 1, "2 on each node"},
           {{"--platform", "d13", "--nodes", "17"}, 1, "16 nodes of 12 cores"},
           {{"--platform", "d13", "--nodes", "2", "--procs-per-node", "13"}, 1, "12 cores"},
           {{"--platform", "d13", "--nodes", "1", "--procs-per-node", "1"}, 1, "nobody"},
           {{"--platform", "d13", "-n", "8", "--nodes", "2"}, 2, "--nodes"},
           {{"--platform", "d13", "-n", "8", "--passes", "3"}, 2, "without --arrival"},
           {{"--platform", "d13", "-n", "8", "--arrival", "together", "--seed", "3"},
            2,
            "without --arrival"},
           {{"--platform", "d13", "-n", "8", "--arrival", "uniform:5ms", "--threads", "3"},
            2,
            "in simulation"},
           {{"--platform", "d13", "-n", "8", "--threads", "3"}, 2, "in simulation"},
           {{"--platform", "d13", "-n", "8", "--simgrid-option", "smpi/bcast:NTSL"}, 2, "all"},
           {{"--platform", "d13", "-n", "8", "--waiting", "asleep"}, 2, "asleep"},
           {{"--platform", "d13", "-n", "8", "--", "mpirun"}, 2, "one of both"},
           {{"--waiting", "idle", "--", "mpirun"}, 2, "is for simulation"},
           {{"--platform", "d13", "-n", "2", "-q", "--simgrid-option", "smpi/nonsense:1"},
            1,
            "nonsense"},
           {{"--platform", "d13", "-n", "2", "-q", "--sizes", "2147483647B"}, 1, "2047MiB"}}) {
    Words all{"calibrate"};
    all.insert(all.end(), words.begin(), words.end());
    const auto result = bcast(all);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_NE(result.err.find(told), std::string::npos) << told << "\n" << result.err;
    EXPECT_EQ(result.out, "");
  }
}

} // namespace
} // namespace hypermile
