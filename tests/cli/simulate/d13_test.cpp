// `hypermile reproduce d13`: the broadcasts of [D13], estimated and simulated.

#include "simulate/simulated.hpp"
#include "support/schema.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace hypermile {
namespace {

using nlohmann::json;

void expect_estimated_well(const json& made, std::size_t count) {
  ASSERT_EQ(made["applications"].size(), count);
  for (const json& application : made["applications"]) {
    ASSERT_EQ(application["algorithms"].size(), 4U);
    for (const json& algorithm : application["algorithms"])
      EXPECT_LT(std::abs(algorithm["error_percent"].get<double>()), 3) << algorithm;
    EXPECT_EQ(application["least_estimated"], application["least_simulated"]) << application;
  }
}

#ifdef HYPERMILE_SLOW_TESTS
TEST(d13, is_estimated_within_3_percent_and_the_least_is_found) {
  const test::TemporaryFolder folder;
  const auto result =
      test::run_hypermile({"reproduce", "d13", "--quiet", "--json", "-o", folder.path("kept")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  test::expect_as_its_schema_says(result.out);
  expect_estimated_well(json::parse(result.out), 4);
}
#else
TEST(d13, small_messages_are_estimated_within_3_percent_and_the_least_is_found) {
  const test::TemporaryFolder folder;
  const auto result = test::run_hypermile(
      {"reproduce", "d13", "--application", "A,B", "--quiet", "--json", "-o", folder.path("kept")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  test::expect_as_its_schema_says(result.out);
  const json made = json::parse(result.out);
  expect_estimated_well(made, 2);
  EXPECT_EQ(made["applications"][0]["least_simulated"], json::array({"Hybrid/SAG"}));
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Every file that is kept, with its text.
std::map<std::string, std::string> kept_in(const std::string& folder) {
  std::map<std::string, std::string> all;
  if (std::filesystem::exists(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".json")
        all[entry.path().filename()] = text_of(entry.path());
  return all;
}

TEST(d13, goes_on_where_it_was_interrupted) {
  const test::TemporaryFolder folder;
  const std::string kept = folder.path("kept");
  const std::vector<std::string> words{"reproduce", "d13",     "--application", "A",  "--jobs",
                                       "1",         "--quiet", "--json",        "-o", kept};
  test::RunningCommand running(words);
  for (int i = 0; i < 600 && kept_in(kept).empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  running.signal(SIGINT);
  const auto interrupted = running.wait();
  EXPECT_EQ(interrupted.exit_code, 130) << interrupted.err;
  EXPECT_NE(interrupted.err.find("the same command goes on"), std::string::npos);
  const auto first = kept_in(kept);
  ASSERT_FALSE(first.empty());
  const auto done = test::run_hypermile(words);
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const auto second = kept_in(kept);
  EXPECT_EQ(second.size(), 3U); // the calibration, and the application with and without hybrids
  for (const auto& [file, text] : first) {
    const json before = json::parse(text)["measured"][0]["cells"];
    const json after = json::parse(second.at(file))["measured"][0]["cells"];
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_EQ(after[i], before[i]);
  }
  // What is there is taken as it is; what cannot be understood is made again.
  const auto again = test::run_hypermile(words);
  EXPECT_EQ(again.out, done.out);
  EXPECT_EQ(kept_in(kept), second);
  std::ofstream(std::filesystem::path(kept) / second.rbegin()->first) << "half a file";
  EXPECT_EQ(test::run_hypermile(words).out, done.out);
  EXPECT_EQ(kept_in(kept), second);
}

TEST(d13, is_made_alone) {
  EXPECT_EQ(test::run_hypermile({"reproduce", "d13", "m16"}).exit_code, 2);
  EXPECT_EQ(test::run_hypermile({"reproduce", "m16", "--application", "A"}).exit_code, 2);
  EXPECT_EQ(test::run_hypermile({"reproduce", "d13", "--application", "E"}).exit_code, 2);
}
#endif

} // namespace
} // namespace hypermile
