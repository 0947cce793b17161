// Models in Lua in place of programs: what they take, beside the programs that they describe.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <sstream>

namespace hypermile {
namespace {

using nlohmann::json;
using test::on_table_3_1;
using test::simulate;
using test::smpi_app;

class Model : public testing::Test {
protected:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }

  [[nodiscard]] std::string written(const std::string& text) const {
    const std::string file = path("model.lua");
    std::ofstream(file) << text;
    return file;
  }

  static json model_json(std::vector<std::string> options) {
    options.insert(options.end(), {"--quiet", "--json", "--platform", "table-3.1"});
    const auto result = simulate(options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }

  static void expect_failure(const std::vector<std::string>& arguments, int code,
                             const std::string& what) {
    const auto result = simulate(arguments);
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(what), std::string::npos) << result.err;
  }

private:
  test::TemporaryFolder folder_;
};

TEST_F(Model, is_run_with_methods_like_a_program) {
  const json result = model_json(
      {"--model", "stencil", "--set", "steps=12", "-n", "4", "--compare", "exact,planned"});
  EXPECT_EQ(result["program"], (json{"stencil.lua size=4000 steps=12 work=20"}));
  EXPECT_EQ(result["model"]["file"], "stencil");
  EXPECT_EQ(result["model"]["parameters"]["steps"], 12);
  EXPECT_EQ(result["model"]["ranks_of_role"]["all"], 4);
  EXPECT_EQ(result["uncontended"], false);
  EXPECT_EQ(result["loop"]["found"], "marker");
  EXPECT_GT(test::run_of(result, "planned")["saving_percent"], 5);
  EXPECT_GT(test::run_of(result, "exact")["saving_percent"], 0);
}

TEST_F(Model, takes_the_same_time_without_simgrid_where_messages_do_not_meet) {
  const std::vector<std::string> pipeline{
      "--model",
      written("role('all', function(p)\n"
              "  for _, bytes in ipairs{0, 300, 2000, 20000, 70000, 3e6} do\n"
              "    for i = 1, 5 do\n"
              "      recv(p.rank > 0 and p.rank - 1 or nobody)\n"
              "      compute(1e6 * (1 + p.rank))\n"
              "      send(p.rank + 1 < p.ranks and p.rank + 1 or nobody, bytes)\n"
              "      barrier()\n"
              "    end\n"
              "  end\n"
              "end)"),
      "-n",
      "3",
      "--gears",
      "3,2,1",
      "--method",
      "none"};
  const json slow = model_json(pipeline);
  auto without = pipeline;
  without.emplace_back("--fast");
  const json fast = model_json(without);
  EXPECT_EQ(fast["uncontended"], true);
  ASSERT_EQ(slow["runs"].size(), 2U);
  ASSERT_EQ(fast["runs"].size(), 2U);
  for (std::size_t run = 0; run < 2; ++run)
    for (const char* figure : {"time_s", "energy_j"})
      EXPECT_NEAR(fast["runs"][run][figure].get<double>() / slow["runs"][run][figure].get<double>(),
                  1, 0.01)
          << run << figure;
}

class CurvedPower : public Model {
protected:
  /// Two nodes of 3 cores; one core draws two thirds of what three draw on top of waiting.
  [[nodiscard]] std::string platform(const std::string& active) const {
    const std::string file = path("platform.yaml");
    std::ofstream(file) << "schema: hypermile/platform/1\n"
                           "name: curved\n"
                           "description: power is no line\n"
                           "source: made up\n"
                           "types:\n"
                           "  - name: node\n"
                           "    count: 2\n"
                           "    cores: 3\n"
                           "    speed: 1Gf\n"
                           "    gears: [2GHz, 1GHz]\n"
                           "    power: {computing: [100W, 70W], waiting: [40W, 40W], idle: 30W}\n"
                           "    active_cores: "
                        << active
                        << "\n"
                           "network:\n"
                           "  link: {bandwidth: 1Gbps, latency: 0s}\n";
    return file;
  }
};

TEST_F(CurvedPower, is_followed_core_by_core) {
  const std::string model =
      written("role('all', function(p) compute(1e9 * (p.rank + 1)) end)"); // 1, 2 and 3 s
  const auto result =
      simulate({"--quiet", "--json", "--fast", "--model", model, "-n", "3", "--platform",
                platform("[0, 0.5, 0.75, 1]"), "--gears", "1", "--method", "none"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json runs = json::parse(result.out)["runs"];
  EXPECT_NEAR(runs[0]["energy_j"].get<double>(), 40 * 3 + 60 * (1 + 0.75 + 0.5), 1e-6);
  EXPECT_NEAR(runs[1]["time_s"].get<double>(), 6, 1e-6);
  EXPECT_NEAR(runs[1]["energy_j"].get<double>(), 40 * 6 + 30 * 2 * (1 + 0.75 + 0.5), 1e-6);
  EXPECT_NEAR(runs[0]["idle_nodes_energy_j"].get<double>(), 30 * 3, 1e-6);
}

TEST_F(CurvedPower, is_shared_by_ranks_that_share_cores) {
  const std::string model = written("role('all', function(p) compute(1e9) end)");
  const auto result =
      simulate({"--quiet", "--json", "--fast", "--oversubscribe", "--model", model, "-n", "12",
                "--platform", platform("[0, 0.5, 0.75, 1]"), "--method", "none"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json run = json::parse(result.out)["runs"][0];
  EXPECT_NEAR(run["time_s"].get<double>(), 2, 1e-6);
  EXPECT_NEAR(run["energy_j"].get<double>(), 2 * 100 * 2, 1e-6);
}

TEST_F(CurvedPower, is_nothing_that_simgrid_knows) {
  expect_failure({"--model", "cg", "-n", "2", "--platform", platform("[0, 0.5, 0.75, 1]")}, 1,
                 "the power of type 'node'");
}

TEST_F(CurvedPower, is_refused_where_it_makes_no_sense) {
  for (const auto& [active, what] :
       std::vector<std::pair<std::string, std::string>>{{"[0, 0.5, 1]", "for each number of cores"},
                                                        {"[0, 0.5, 0.4, 1]", "less than the share"},
                                                        {"[0.1, 0.5, 0.6, 1]", "from 0 of none"},
                                                        {"[0, 0.5, 0.6, 1.2]", "between 0 and 1"},
                                                        {"[0, 0.5, x, 1]", "'x'"}})
    expect_failure({"--model", "cg", "-n", "2", "--fast", "--platform", platform(active)}, 1, what);
}

TEST_F(Model, is_explained_without_simgrid_too) {
  const auto made = simulate({"--model", "spmd", "-n", "8", "--platform", "table-3.1", "--fast",
                              "--set", "steps=5", "--report", path("report")});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const auto explained = test::run_hypermile({"explain", path("report")});
  EXPECT_EQ(explained.exit_code, 0) << explained.err;
  EXPECT_NE(explained.out.find("Longest segments"), std::string::npos) << explained.out;
}

struct Described {
  const char* program;
  const char* model;
  int ranks;
  std::vector<std::string> set;
  double operations; ///< of all ranks, in the main loop
};

void PrintTo(const Described& described, std::ostream* out) {
  *out << described.program << " on " << described.ranks << " ranks";
}

class ModelOf : public Model, public testing::WithParamInterface<Described> {};

/// The one number that a model does not know is how fast the machine does an operation: it is taken
/// from the run, of three the one that other processes have delayed least. The rest has to follow.
TEST_P(ModelOf, takes_the_time_and_energy_of_the_main_loop) {
  const Described& described = GetParam();
  const std::vector<std::string> command{smpi_app(described.program), "--class", "S"};
  std::string least;
  double time = 0;
  for (const char* name : {"first", "second", "third"}) {
    const json run = test::simulate_json(
        on_table_3_1(described.ranks, {"--method", "none", "--report", path(name)}),
        command)["runs"][0];
    if (least.empty() || run["time_s"] < time) {
      least = name;
      time = run["time_s"];
    }
  }
  const double work = test::write_part_of_recording(path(least + "/computation.txt"),
                                                    path("loop.txt"), "Barrier", "Wtime") /
                      described.operations;
  const json program = test::simulate_json(
      on_table_3_1(described.ranks, {"--method", "none", "--computation", path("loop.txt")}),
      command)["runs"][0];
  ASSERT_GT(work, 0);
  std::vector<std::string> as_model{
      "--model",  described.model, "-n",    std::to_string(described.ranks),
      "--method", "none",          "--set", "work=" + std::to_string(work)};
  for (const std::string& set : described.set)
    as_model.insert(as_model.end(), {"--set", set});
  const json model = model_json(as_model);
  for (const char* figure : {"time_s", "energy_j"})
    EXPECT_NEAR(model["runs"][0][figure].get<double>() / program[figure].get<double>(), 1, 0.05)
        << figure;
}

double moves(std::uint64_t keys, std::uint64_t ranks) { // of mergesort, for powers of two
  return static_cast<double>(keys) * static_cast<double>(std::bit_width(keys / ranks) - 1) +
         static_cast<double>(keys) * static_cast<double>(std::bit_width(ranks) - 1);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, ModelOf,
    testing::Values(Described{"heat3d", "spmd", 8, {"extra=0"}, 150.0 * 120 * 120 * 120},
                    Described{"heat3d", "spmd", 27, {"extra=0"}, 150.0 * 120 * 120 * 120},
                    Described{"mergesort", "dac", 8, {"sorts=30"}, 30 * moves(1U << 17U, 8)},
                    Described{"mergesort", "dac", 32, {"sorts=30"}, 30 * moves(1U << 17U, 32)}),
    [](const auto& described) {
      return std::string(described.param.program) + "_" + std::to_string(described.param.ranks);
    });

TEST_F(Model, prints_what_the_model_prints_on_stderr) {
  const std::string file = written("print('size', 3)\nrole('all', function() compute(1e6) end)");
  const auto result =
      simulate({"--model", file, "-n", "2", "--platform", "table-3.1", "--quiet", "--fast"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "size\t3\n");
}

TEST_F(Model, is_refused_with_file_line_and_role) {
  const std::string file = written("role('all', function(p)\n  send(p.rank + 5, 8)\nend)");
  expect_failure({"--model", file, "-n", "2", "--platform", "table-3.1"}, 1,
                 file + ":2: rank 0, role 'all': the partner of send must be a rank of the job, 0 "
                        "to 1, but is 5");
  const std::string stuck = written("role('all', function(p) recv(1 - p.rank) end)");
  for (const char* how : {"--quiet", "--fast"})
    expect_failure({"--model", stuck, "-n", "2", "--platform", "table-3.1", how}, 1,
                   stuck + ":1: deadlock: ranks wait for each other\n  rank 0, role 'all', line 1: "
                           "recv from rank 1, waits for rank 1");
}

TEST_F(Model, is_asked_for_in_a_way_that_makes_sense) {
  const std::vector<std::string> whole{"--model", "cg", "-n", "2", "--platform", "table-3.1"};
  const auto expect_usage = [&](const std::vector<std::string>& more, const std::string& what) {
    std::vector<std::string> arguments = whole;
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_failure(arguments, 2, what);
  };
  expect_failure({"--model", "cg", "--platform", "table-3.1"}, 2, "-n, with --model,");
  expect_failure({"--model", "cg", "-n", "2"}, 2, "--platform");
  expect_failure({"--model", "none", "-n", "2", "--platform", "table-3.1"}, 1,
                 "there is no model 'none'; try: a file, or one of cg, dac, master-worker, spmd, "
                 "stencil");
  expect_usage({"--set", "rows"}, "'rows' is not NAME=NUMBER");
  expect_usage({"--set", "rows=nan"}, "'rows=nan' is not NAME=NUMBER");
  expect_usage({"--set", "rows=1", "--set", "rows=2"}, "'rows' is set twice");
  expect_usage({"--replay", "x.hmr"}, "cannot be combined with --replay");
  expect_usage({"--computation", "x"}, "brings its computation");
  expect_usage({"--reference-speed", "1Gf"}, "has no meaning for a model");
  expect_usage({"--", smpi_app("cg")}, "in place of PROGRAM");
  expect_failure({"--set", "a=1", "--platform", "table-3.1", "-n", "2", "--", smpi_app("cg")}, 2,
                 "sets parameters of a model");
  expect_failure({"--fast", "--platform", "table-3.1", "-n", "2", "--", smpi_app("cg")}, 2,
                 "is for models");
}

TEST_F(Model, needs_simgrid_for_choices_on_the_way) {
  expect_failure(
      {"--model", "cg", "-n", "2", "--platform", "table-3.1", "--fast", "--method", "exact"}, 1,
      "exact chooses gears while the program runs, which needs SimGrid");
}

} // namespace
} // namespace hypermile
