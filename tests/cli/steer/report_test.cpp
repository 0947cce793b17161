// What hypermile steer says of a run, and where.

#include "cli/steer/steered.hpp"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace hypermile::test {
namespace {

class SteerReport : public SteerTest {
protected:
  CommandResult steer(const Words& options) const {
    Words words{"steer", "--calibration-sample", "50ms", "--sample", "100ms"};
    const Words more = emulated({"--power", "75W"});
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", HYPERMILE_ODD, "workers", "1.5"});
    CommandResult result = RunningCommand(words, "", environment_).wait();
    EXPECT_EQ(result.exit_code, expected_exit_code_) << result.err;
    return result;
  }

  int expected_exit_code_ = 0;
};

TEST_F(SteerReport, is_a_summary_on_stderr) {
  const CommandResult result = steer({});
  EXPECT_EQ(result.out, "");
  for (const char* line :
       {"bounds        at most 75 W", "steered for", "estimated for an emulated", "calibrations  "})
    EXPECT_NE(result.err.find(line), std::string::npos) << result.err;
}

TEST_F(SteerReport, is_on_stdout_for_those_who_want_it_there) {
  const CommandResult result = steer({"--output", "-", "--json"});
  EXPECT_EQ(result.err, "");
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["schema"], "hypermile/steer/1");
  EXPECT_EQ(json["power_measured"], false);
  EXPECT_EQ(json["backend"], "emulated");
  EXPECT_GT(json["items"], 0);
  const double mean = json["energy_j"].get<double>() / json["time_s"].get<double>();
  EXPECT_GT(mean, 20); // what the node draws at rest
  EXPECT_LT(mean, 100);
}

TEST_F(SteerReport, is_not_there_for_those_who_want_none) {
  const CommandResult result = steer({"-q"});
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
}

TEST_F(SteerReport, that_cannot_be_written_is_told_also_by_the_exit_code) {
  expected_exit_code_ = 1;
  const CommandResult result = steer({"-o", folder_.path("no/such")});
  EXPECT_NE(result.err.find("cannot write"), std::string::npos) << result.err;
}

TEST_F(SteerReport, is_told_live_with_reasons) {
  const CommandResult result = steer({"-v"});
  EXPECT_NE(result.err.find(" s calibrating 2 cores, 1.20 GHz"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("\n          -> "), std::string::npos) << result.err;
}

TEST_F(SteerReport, has_a_timeline_whose_configurations_follow_from_its_decisions) {
  steer({"--timeline", folder_.path("timeline.csv")});
  const auto lines = timeline();
  ASSERT_GT(lines.size(), 3U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_TRUE(lines[i].at("mode") == "calibrating" || lines[i].at("mode") == "steady" ||
                lines[i].at("mode") == "choosing");
    EXPECT_GT(number_of(lines[i], "length_s"), 0.03);
    EXPECT_GT(number_of(lines[i], "throughput_per_s"), 0);
    if (i == 0)
      continue;
    EXPECT_GT(number_of(lines[i], "time_s"), number_of(lines[i - 1], "time_s"));
    EXPECT_EQ(lines[i].at("cores"), lines[i - 1].at("next_cores"));
    EXPECT_EQ(lines[i].at("frequency_ghz"), lines[i - 1].at("next_frequency_ghz"));
    const bool moved = lines[i].at("cores") != lines[i - 1].at("cores") ||
                       lines[i].at("frequency_ghz") != lines[i - 1].at("frequency_ghz");
    EXPECT_TRUE(!moved || lines[i - 1].at("decision") != "");
  }
}

TEST_F(SteerReport, has_a_timeline_in_json) {
  steer({"--timeline", folder_.path("timeline.json")});
  std::ifstream file(folder_.path("timeline.json"));
  const auto json = nlohmann::json::parse(file);
  EXPECT_EQ(json["schema"], "hypermile/steer-timeline/1");
  ASSERT_GT(json["samples"].size(), 3U);
  std::set<std::string> keys;
  for (const auto& [key, value] : json["samples"][0].items())
    keys.insert(key);
  EXPECT_EQ(keys,
            (std::set<std::string>{"arrivals_per_s", "capacity_per_s", "configuration", "decision",
                                   "keeps_bounds", "length_s", "load", "mode", "next", "phase",
                                   "power_w", "throughput_per_s", "time_s"}));
}

TEST_F(SteerReport, is_kept_in_a_folder_with_all_samples) {
  const std::string folder = folder_.path("out");
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/steer.json") << "of an earlier program";
  const CommandResult result = steer({"--report", folder});
  EXPECT_NE(result.err.find("the report is in " + folder), std::string::npos) << result.err;
  const auto json = nlohmann::json::parse(std::ifstream(folder + "/steer.json"));
  EXPECT_EQ(json["schema"], "hypermile/steer/1");
  std::ostringstream text;
  text << std::ifstream(folder + "/steer.txt").rdbuf();
  EXPECT_NE(result.err.find(text.str()), std::string::npos) << text.str();
  const auto lines = lines_of_csv(folder + "/timeline.csv");
  ASSERT_GT(lines.size(), 3U);
  EXPECT_NEAR(number_of(lines.back(), "time_s"), json["time_s"], 1e-3);
}

TEST_F(SteerReport, is_not_kept_where_no_program_is_steered) {
  for (const Words& other : {Words{"--set", "power=70W", "1"}, Words{"--replay", "t.csv"}}) {
    Words words{"steer", "--power", "75W", "--report", folder_.path("out")};
    words.insert(words.end(), other.begin(), other.end());
    const CommandResult result = RunningCommand(words, "", environment_).wait();
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find("--report is for a program"), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder_.path("out")));
  }
}

} // namespace
} // namespace hypermile::test
