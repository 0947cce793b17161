// `hypermile compare` as a shell sees it. What it makes of simulations: simulate/compare_test.cpp.

#include "support/command_line.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <vector>

namespace hypermile {
namespace {

using nlohmann::json;
using test::contains;
using test::run_hypermile;
using Words = std::vector<std::string>;

/// What `hypermile steer --json` prints.
json steered(double time, double energy) {
  json bounds;
  for (const char* const key :
       {"power_w", "throughput_per_s", "utilisation", "deadline_s", "energy_j", "items"})
    bounds[key] = nullptr;
  return {{"schema", "hypermile/steer/1"},
          {"hypermile_version", "0.1.0"},
          {"program", "./server"},
          {"exit_code", 0},
          {"reported_progress", true},
          {"bounds", bounds},
          {"backend", "cpufreq"},
          {"power_measured", true},
          {"power_source", "measured: 1 package"},
          {"time_s", time},
          {"items", 1000},
          {"energy_j", energy}};
}

struct CompareCommand : testing::Test {
  test::TemporaryFolder folder;

  [[nodiscard]] std::string written(const std::string& name, const json& document) const {
    std::ofstream(folder.path(name)) << document.dump();
    return folder.path(name);
  }
  /// A file for each time; energy goes with it.
  [[nodiscard]] Words files(const std::string& name, const std::vector<double>& times) const {
    Words paths;
    for (const double time : times)
      paths.push_back(
          written(name + std::to_string(paths.size()) + ".json", steered(time, 20 * time)));
    return paths;
  }
  /// compare A... --with B... MORE...
  static test::CommandResult compare(const Words& a, const Words& b, const Words& more = {}) {
    Words words{"compare"};
    words.insert(words.end(), a.begin(), a.end());
    words.emplace_back("--with");
    words.insert(words.end(), b.begin(), b.end());
    words.insert(words.end(), more.begin(), more.end());
    return run_hypermile(words);
  }
};

TEST_F(CompareCommand, prints_its_verdict_first) {
  const auto a = written("a.json", steered(100, 2000));
  const auto b = written("b.json", steered(101, 1600));
  const auto result = run_hypermile({"compare", a, b});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(result.out.starts_with("B used 20.0 % less energy and took 1 % longer.\n"))
      << result.out;
  EXPECT_FALSE(contains(result.out, "Not like for like")) << result.out;
}

TEST_F(CompareCommand, takes_many_results_of_each_side) {
  const auto result = compare(files("a", {100, 101, 99}), files("b", {110, 111, 109, 110}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "3 runs        4 runs")) << result.out;
  EXPECT_TRUE(contains(result.out, "more energy (95 %: ")) << result.out;
  const auto report = compare(files("a", {100, 101, 99}), files("b", {110, 111, 109, 110}),
                              {"--json", "--confidence", "99%"});
  const json parsed = json::parse(report.out);
  EXPECT_EQ(parsed.at("confidence"), 0.99);
  EXPECT_EQ(parsed.at("pairs").at(0).at("time").at("b").at("runs"), 4);
}

TEST_F(CompareCommand, tells_what_is_not_like_for_like) {
  json other = steered(100, 2000);
  other["program"] = "./other";
  const auto result =
      run_hypermile({"compare", written("a.json", steered(100, 2000)), written("b.json", other)});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.out, "Not like for like:\n  command                 A: ./server, "
                                   "B: ./other\n"))
      << result.out;
}

TEST_F(CompareCommand, fails_by_exit_code_3_where_a_limit_is_exceeded) {
  const auto a = files("a", {100, 101, 99});
  const auto b = files("b", {110, 111, 109});
  EXPECT_EQ(compare(a, b, {"--max-slowdown", "12%"}).exit_code, 0);
  EXPECT_EQ(compare(a, b, {"--max-more-energy", "12%"}).exit_code, 0);
  for (const char* const limit : {"--max-slowdown", "--max-more-energy"}) {
    const auto result = compare(a, b, {limit, "2%"});
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_TRUE(contains(result.out, "Limits: not kept.")) << result.out;
    EXPECT_TRUE(contains(result.out, "the limit is 2 %")) << result.out;
  }
  // Some of the interval is above 10 %, and some below.
  EXPECT_EQ(compare(a, b, {"--max-slowdown", "10%"}).exit_code, 0);
  EXPECT_EQ(compare(a, b, {"--max-slowdown", "10%", "--proven"}).exit_code, 3);
  EXPECT_EQ(compare(b, a, {"--max-slowdown", "0%", "--proven"}).exit_code, 0);
  const json report = json::parse(compare(a, b, {"--max-slowdown", "2%", "--json"}).out);
  EXPECT_EQ(report.at("limits").at("kept"), false);
  EXPECT_EQ(report.at("limits").at("exceeded").size(), 1U);
}

TEST_F(CompareCommand, fails_where_like_for_like_is_asked_for_and_not_given) {
  json other = steered(100, 2000);
  other["program"] = "./other";
  const auto a = written("a.json", steered(100, 2000));
  EXPECT_EQ(compare({a}, {written("b.json", other)}, {"--like-for-like"}).exit_code, 3);
  EXPECT_EQ(compare({a}, {written("c.json", steered(50, 10))}, {"--like-for-like"}).exit_code, 0);
}

TEST_F(CompareCommand, refuses_a_wrong_command_line_and_says_what_to_do) {
  const auto a = files("a", {100, 101, 99});
  for (const Words& words :
       {Words{"compare"}, Words{"compare", a[0]}, Words{"compare", a[0], a[1], a[2]},
        Words{"compare", a[0], a[1], "--max-slowdown", "much"},
        Words{"compare", a[0], a[1], "--confidence", "1"},
        Words{"compare", a[0], a[1], "--proven"}}) {
    const auto result = run_hypermile(words);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, "try: ")) << result.err;
  }
}

TEST_F(CompareCommand, refuses_results_that_cannot_be_compared) {
  const auto a = files("a", {100, 101});
  const auto gone = compare({a[0]}, {folder.path("gone")});
  EXPECT_EQ(gone.exit_code, 1);
  EXPECT_TRUE(contains(gone.err, "there is no " + folder.path("gone"))) << gone.err;
  const auto twice = compare({a[0], a[0]}, {a[1]});
  EXPECT_EQ(twice.exit_code, 1);
  EXPECT_TRUE(contains(twice.err, "A names " + a[0] + " twice")) << twice.err;
  std::ofstream(folder.path("odd.json")) << R"({"schema": "hypermile/steer/1", "time_s": NaN})";
  const auto odd = compare({a[0]}, {folder.path("odd.json")});
  EXPECT_EQ(odd.exit_code, 1);
  EXPECT_TRUE(contains(odd.err, "odd.json")) << odd.err;
}

} // namespace
} // namespace hypermile
