#include "support/command_line.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>
#include <sstream>

namespace hypermile {
namespace {

using nlohmann::json;
using test::run_hypermile;
using test::TemporaryFolder;

/// One, two and four cores, two gears; more of either does more and draws more.
std::string small_table() {
  std::string text = "cores,frequency_khz,throughput,power_w\n";
  for (const int cores : {1, 2, 4})
    for (const int gear : {1, 2})
      text += std::to_string(cores) + "," + std::to_string(gear * 1000000) + "," +
              std::to_string(cores * (gear * 9 + 1)) + "," + std::to_string(20 + cores * gear * 3) +
              "\n";
  return text;
}

/// A file in a folder that goes away.
class Tables {
public:
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path(name)) << text;
    return folder_.path(name);
  }

private:
  TemporaryFolder folder_;
};

test::CommandResult evaluate(std::vector<std::string> options) {
  options.insert(options.begin(), {"steer", "evaluate"});
  return run_hypermile(options);
}

json evaluate_json(std::vector<std::string> options) {
  options.emplace_back("--json");
  const auto result = evaluate(options);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}

std::set<std::string> keys_of(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items())
    keys.insert(key);
  return keys;
}

TEST(steer_evaluate, json_has_every_case_and_a_summary) {
  Tables tables;
  const json result =
      evaluate_json({tables.write("small.csv", small_table()), "--methods", "adaptive,limartinez"});
  EXPECT_EQ(keys_of(result), (std::set<std::string>{"schema", "tables", "noise_percent", "seed",
                                                    "summary", "cases", "left_out"}));
  EXPECT_EQ(result["schema"], "hypermile/steer-evaluation/1");
  EXPECT_EQ(result["tables"], json::array({"small"}));
  EXPECT_EQ(result["noise_percent"], 0);
  ASSERT_EQ(result["cases"].size(), 27U); // no bounds on power for limartinez
  for (const json& one : result["cases"]) {
    EXPECT_EQ(keys_of(one), (std::set<std::string>{"table", "method", "bound_kind", "bound",
                                                   "loss_percent", "violated", "visits",
                                                   "measurements", "worst_excess_percent"}));
    EXPECT_EQ(one["table"], "small");
    EXPECT_FALSE(one["violated"].get<bool>());
    EXPECT_GE(one["loss_percent"].get<double>(), 0);
    EXPECT_GE(one["worst_excess_percent"].get<double>(), 0);
    EXPECT_GE(one["visits"].get<int>(), 1);
    EXPECT_LE(one["visits"].get<int>(), 6);
  }
  ASSERT_EQ(result["summary"].size(), 3U);
  const json& last = result["summary"][2];
  EXPECT_EQ(last["method"], "limartinez");
  EXPECT_EQ(last["bound_kind"], "throughput");
  EXPECT_EQ(last["cases"], 9);
  EXPECT_EQ(keys_of(last),
            (std::set<std::string>{"method", "bound_kind", "cases", "mean_loss_percent",
                                   "worst_loss_percent", "violations", "mean_visits",
                                   "mean_measurements", "worst_excess_percent"}));
}

TEST(steer_evaluate, leaves_each_program_out_where_there_are_others_to_learn_from) {
  Tables tables;
  const std::string one = tables.write("one.csv", small_table());
  const std::string two = tables.write("two.csv", small_table());
  EXPECT_TRUE(evaluate_json({one, "--methods", "adaptive"})["left_out"].is_null());
  EXPECT_TRUE(evaluate_json({one, two, "--methods", "bisect"})["left_out"].is_null());
  const json left_out = evaluate_json({one, two, "--methods", "adaptive"})["left_out"];
  EXPECT_EQ(left_out["cases"].size(), 36U);
  ASSERT_EQ(left_out["summary"].size(), 2U);
  EXPECT_EQ(left_out["summary"][1]["method"], "adaptive");
  EXPECT_EQ(left_out["summary"][1]["bound_kind"], "power");
  EXPECT_EQ(left_out["summary"][1]["cases"], 18);
  const auto text = evaluate({one, two, "--methods", "adaptive", "-q"});
  EXPECT_NE(text.out.find("left out: "), std::string::npos) << text.out;
}

TEST(steer_evaluate, bounds_are_tenths_of_the_range) {
  Tables tables;
  const json result =
      evaluate_json({tables.write("small.csv", small_table()), "--methods", "exhaustive"});
  std::vector<double> throughputs;
  std::vector<double> powers;
  for (const json& one : result["cases"])
    (one["bound_kind"] == "power" ? powers : throughputs).push_back(one["bound"].get<double>());
  ASSERT_EQ(throughputs.size(), 9U);
  ASSERT_EQ(powers.size(), 9U);
  for (std::size_t part = 0; part < 9; ++part) {
    const double share = 0.1 * static_cast<double>(part + 1);
    EXPECT_NEAR(throughputs[part], 10 + share * (76 - 10), 1e-9);
    EXPECT_NEAR(powers[part], 23 + share * (44 - 23), 1e-9);
  }
  for (const json& summary : result["summary"]) {
    EXPECT_EQ(summary["worst_loss_percent"], 0);
    EXPECT_EQ(summary["mean_visits"], 6);
  }
}

TEST(steer_evaluate, losses_are_those_that_a_table_has_by_hand) {
  Tables tables;
  // Two configurations: bisection begins with all cores in the lowest gear, which is the only one
  // with 2 cores, and then looks at 1 core.
  const json result = evaluate_json(
      {tables.write("two.csv", "cores,frequency_khz,throughput,power_w\n1,1000000,10,20\n"
                               "2,1000000,20,30\n"),
       "--methods", "bisect"});
  for (const json& one : result["cases"]) {
    EXPECT_EQ(one["loss_percent"], 0);
    const double bound = one["bound"].get<double>();
    const bool power = one["bound_kind"] == "power";
    EXPECT_EQ(one["visits"], 2);
    EXPECT_NEAR(one["worst_excess_percent"].get<double>(),
                100 * (power ? 30 / bound - 1 : 1 - 10 / bound), 1e-9);
  }
}

TEST(steer_evaluate, without_tables_replays_those_that_come_along) {
  const json result = evaluate_json({"--methods", "bisect"});
  EXPECT_EQ(result["tables"],
            json::array({"blackscholes", "bodytrack", "canneal", "dedup", "ferret", "swaptions"}));
  EXPECT_EQ(result["cases"].size(), 108U);
}

TEST(steer_evaluate, compares_four_methods_unless_told_otherwise) {
  Tables tables;
  const json result = evaluate_json({tables.write("small.csv", small_table())});
  std::vector<std::string> methods;
  for (const json& summary : result["summary"])
    if (summary["bound_kind"] == "throughput")
      methods.push_back(summary["method"]);
  EXPECT_EQ(methods, (std::vector<std::string>{"adaptive", "nornir", "bisect", "limartinez"}));
}

TEST(steer_evaluate, noise_is_the_same_for_the_same_seed) {
  Tables tables;
  const std::string file = tables.write("small.csv", small_table());
  const auto run = [&](const std::string& seed) {
    return evaluate_json({file, "--methods", "adaptive", "--noise", "2%", "--seed", seed});
  };
  const json first = run("7");
  EXPECT_EQ(first["noise_percent"], 2);
  EXPECT_EQ(first["seed"], 7);
  EXPECT_EQ(first, run("7"));
  EXPECT_NE(first["cases"], run("8")["cases"]);
}

TEST(steer_evaluate, text_fits_a_terminal_and_names_every_method) {
  Tables tables;
  const auto result = evaluate(
      {tables.write("small.csv", small_table()), "--methods", "adaptive,nornir-literal", "-q"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const std::string word : {"adaptive", "nornir-literal", "throughput", "power", "violated"})
    EXPECT_NE(result.out.find(word), std::string::npos) << word;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 100U) << line;
}

constexpr const char* volts = "cores,frequency_khz,voltage_v\n0,1000000,0.8\n0,2000000,0.9\n"
                              "1,1000000,0.8\n1,2000000,0.95\n2,1000000,0.82\n2,2000000,1\n";

TEST(steer_evaluate, says_what_it_had_to_assume) {
  Tables tables;
  const std::string file = tables.write("small.csv", small_table());
  const auto remarks = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"--methods", "bisect", "--json"});
    const auto result = evaluate(options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(json::accept(result.out));
    return result.err;
  };
  EXPECT_NE(remarks({file}).find("1 socket of 4 cores assumed"), std::string::npos);
  EXPECT_EQ(remarks({file, "--sockets", "2"}).find("assumed"), std::string::npos);
  EXPECT_NE(remarks({file}).find("2 of 8 configurations were not measured and cannot be chosen"),
            std::string::npos);
}

TEST(steer_evaluate, takes_voltages_from_an_option_or_from_among_the_tables) {
  Tables tables;
  const std::string file = tables.write("small.csv", small_table());
  const std::string of_voltages = tables.write("volts.csv", volts);
  const json by_option = evaluate_json({file, "--voltage", of_voltages});
  const json among = evaluate_json({of_voltages, file});
  EXPECT_EQ(by_option, among);
  EXPECT_EQ(by_option["tables"], json::array({"small"}));
  const auto result = evaluate({file, "--voltage", of_voltages});
  EXPECT_EQ(result.err.find("assumed"), std::string::npos) << result.err;
}

TEST(steer_evaluate, unusable_tables_are_exit_code_1_and_name_file_and_line) {
  Tables tables;
  const auto unusable = [&](const std::string& text, const std::string& says,
                            std::vector<std::string> options = {}) {
    options.insert(options.begin(), tables.write("bad.csv", text));
    const auto result = evaluate(options);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(result.err.starts_with("hypermile: error: ")) << result.err;
    EXPECT_NE(result.err.find(says), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
  };
  unusable("", "bad.csv:1: the file is empty");
  unusable("cores,frequency_khz,throughput\n", "bad.csv:1: there is no column power_w");
  unusable(small_table() + "8,1000000,nan,30\n", "bad.csv:8: 'nan' is not a throughput");
  unusable(small_table() + "8,1000000,10,-30\n", "bad.csv:8: the power_w of -30");
  unusable(small_table() + "4,2000000,10,30\n", "bad.csv:8: this configuration was there before");
  unusable(small_table() + "8,1000000,10\n", "bad.csv:8: 3 fields instead of 4");
  unusable(small_table(), "4 cores are not 3 equal sockets", {"--sockets", "3"});
  unusable(volts, "there is no table of measurements among these files");
  unusable(small_table(), "voltages has none for",
           {"--voltage", tables.write("few.csv", "cores,frequency_khz,voltage_v\n4,1000000,1\n")});
  unusable(small_table(), "few.csv:2: 'x' is not a voltage",
           {"--voltage", tables.write("few.csv", "cores,frequency_khz,voltage_v\n4,1000000,x\n")});
  const auto missing = evaluate({"/no/such/table.csv"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_NE(missing.err.find("/no/such/table.csv"), std::string::npos);
}

TEST(steer_evaluate, wrong_usage_is_exit_code_2) {
  Tables tables;
  const std::string file = tables.write("small.csv", small_table());
  const auto wrong = [&](std::vector<std::string> options, const std::string& says) {
    options.insert(options.begin(), file);
    const auto result = evaluate(options);
    EXPECT_EQ(result.exit_code, 2) << says;
    EXPECT_NE(result.err.find(says), std::string::npos) << result.err;
    EXPECT_TRUE(result.err.starts_with("hypermile: error: ")) << result.err;
    EXPECT_EQ(result.out, "");
  };
  wrong({"--best"}, "--best");
  wrong({"--methods"}, "--methods needs");
  wrong({"--methods", "adaptive,magic"}, "there is no method 'magic'; try: one of adaptive, ");
  wrong({"--noise", "much"}, "'much' is not a ratio");
  wrong({"--noise", "-1%"}, "'-1%' is not between 0 and 50%");
  wrong({"--noise", "60%"}, "'60%' is not between 0 and 50%");
  wrong({"--noise", "nan"}, "'nan'");
  wrong({"--seed", "-1"}, "--seed: '-1' is not a whole number");
  wrong({"--sockets", "0"}, "--sockets");
  wrong({"--sockets", "two"}, "--sockets");
}

TEST(steer_evaluate, help_names_every_method) {
  const auto result = evaluate({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  for (const std::string method :
       {"adaptive", "nornir", "nornir-literal", "bisect", "limartinez", "exhaustive"})
    EXPECT_NE(result.out.find("\n  " + method + " "), std::string::npos) << method;
}

} // namespace
} // namespace hypermile
