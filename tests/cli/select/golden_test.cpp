// Every instance of tests/golden through the command line: what a user gets is what is checked.

#include "support/command_line.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace hypermile {
namespace {

using nlohmann::json;

/// The homogeneous instances have algorithms of their own, and no others.
bool is_homogeneous(const std::filesystem::path& file) {
  return file.stem().string().ends_with("-homogeneous");
}

std::vector<std::string> golden_files(bool homogeneous) {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(HYPERMILE_SOURCE_DIR "/tests/golden"))
    if (entry.path().extension() == ".json" && is_homogeneous(entry.path()) == homogeneous)
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

void expect_close(const json& value, const json& wanted, const char* what) {
  const double w = wanted.get<double>();
  // The distance is a difference of two numbers near 1: their last digit is its.
  const double scale = std::string(what) == "distance" ? 1 : std::abs(w);
  EXPECT_NEAR(value.get<double>(), w, 1e-9 * scale) << what;
}

void expect_metrics(const json& plan, const json& golden) {
  expect_close(plan["time_s"], golden["T_new"], "time");
  expect_close(plan["energy_j"], golden["E"], "energy");
  expect_close(plan["p_norm"], golden["P_norm"], "p_norm");
  expect_close(plan["e_norm"], golden["E_norm"], "e_norm");
  expect_close(plan["distance"], golden["distance"], "distance");
}

/// The options that ask for an `exact_*` entry of a golden file; empty for what is no such entry.
std::vector<std::string> exact_options(const std::string& name, const json& golden) {
  const std::vector<std::pair<std::string, std::string>> plain{{"exact_maxdist", "maxdist"},
                                                               {"exact_edp48", "edp48"},
                                                               {"exact_et", "edp"},
                                                               {"exact_et2", "ed2p"},
                                                               {"exact_min_energy", "energy"}};
  for (const auto& [entry, objective] : plain)
    if (name == entry)
      return {"--objective", objective};
  if (name.starts_with("exact_min_energy_T<="))
    return {"--objective", "energy", "--max-slowdown",
            fmt::format("{}%", golden["x"].get<double>() * 100)};
  if (name.starts_with("exact_min_time_E<="))
    return {"--objective", "time", "--energy-budget",
            fmt::format("{}J", golden["budget"].get<double>())};
  if (name.starts_with("exact_min_time_avg_power<="))
    return {"--objective", "time", "--power-cap",
            fmt::format("{}W", golden["power_cap"].get<double>())};
  return {};
}

/// The method that is a golden file's heuristic; empty for variants that hypermile has not.
std::string method_of(const std::string& name) {
  if (name == "edp48_walk_literal")
    return "edp-walk";
  for (const std::string algorithm : {"alg5", "alg7", "alg8"}) {
    if (name == algorithm + "_literal")
      return algorithm + "-literal";
    if (name == algorithm + "_sane_up")
      return algorithm;
  }
  return {};
}

class golden : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override { file_ = json::parse(std::ifstream(GetParam())); }

  json ask(std::vector<std::string> options, int exit_code = 0) {
    options.insert(options.begin(), {"select", GetParam(), "--json"});
    const auto result = test::run_hypermile(options);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    return json::parse(result.out);
  }

  json file_;
};

class golden_homogeneous : public golden {};

TEST_P(golden, exact_plans) {
  int checked = 0;
  for (const auto& [name, wanted] : file_["algorithms"].items()) {
    const auto options = exact_options(name, wanted);
    if (options.empty())
      continue;
    SCOPED_TRACE(name);
    ++checked;
    const bool infeasible = wanted.value("infeasible", false);
    const json plan = ask(options, infeasible ? 3 : 0);
    EXPECT_EQ(plan["feasible"].get<bool>(), !infeasible);
    EXPECT_EQ(plan["certificate"]["kind"], "exact");
    if (infeasible)
      continue;
    expect_metrics(plan, wanted);
    if (wanted.contains("unique") && wanted["unique"] == true) {
      EXPECT_EQ(plan["gears"], wanted["gears"]);
    }
  }
  EXPECT_GE(checked, 4);
}

TEST_P(golden, papers_algorithms) {
  int checked = 0;
  for (const auto& [name, wanted] : file_["algorithms"].items()) {
    const std::string method = method_of(name);
    if (method.empty())
      continue;
    SCOPED_TRACE(name);
    ++checked;
    const json plan = ask({"--method", method});
    expect_metrics(plan, wanted);
    if (wanted["tie_sensitive"] == false) {
      EXPECT_EQ(plan["gears"], wanted["gears"]);
    }
  }
  EXPECT_EQ(checked, file_["model"] == "cluster_table" ? 0 : 3);
}

TEST_P(golden_homogeneous, algorithm_3_with_both_energy_models) {
  for (const auto& [name, energy_model] :
       {std::pair{"alg3_new", "homogeneous"}, std::pair{"alg3_rauber", "rauber"}}) {
    SCOPED_TRACE(name);
    const json& wanted = file_["algorithms"][name];
    const json plan = ask({"--method", "epsa", "--energy-model", energy_model});
    expect_metrics(plan, wanted);
    EXPECT_EQ(plan["gears"][0], wanted["gear"]);
    expect_close(plan["tasks"]["scale"], wanted["S"], "S");
    EXPECT_EQ(plan["tasks"]["gears"], wanted["eq2_9_gears"]);
  }
}

TEST_P(golden_homogeneous, rauber_ruenger) {
  const json& wanted = file_["algorithms"]["rr_R_E"];
  const json plan = ask({"--method", "rauber-e"});
  expect_close(plan["tasks"]["optimal_scale"], wanted["S_opt_eq2_3"], "S_opt");
  expect_close(plan["tasks"]["scale"], wanted["S_clamped"], "S");
  expect_close(plan["time_s"], wanted["T_2_4"], "time");
  expect_close(plan["energy_j"], wanted["E_1_19"], "energy");
  const json fast = ask({"--method", "rauber-ep"});
  const json& wanted_fast = file_["algorithms"]["rr_R_E_P"];
  expect_close(fast["time_s"], wanted_fast["T_new"], "time");
  for (std::size_t i = 0; i < wanted["S_i"].size(); ++i) {
    expect_close(plan["tasks"]["scales"][i], wanted["S_i"][i], "S_i of R_E");
    expect_close(fast["tasks"]["scales"][i], wanted_fast["S_i"][i], "S_i of R_E-P");
  }
}

std::string name_of(const testing::TestParamInfo<std::string>& test) {
  std::string name = std::filesystem::path(test.param).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(files, golden, testing::ValuesIn(golden_files(false)), name_of);
INSTANTIATE_TEST_SUITE_P(files, golden_homogeneous, testing::ValuesIn(golden_files(true)), name_of);

} // namespace
} // namespace hypermile
