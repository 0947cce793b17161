#include "accounting/job_line.hpp"
#include "accounting/some_jobs.hpp"
#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace hypermile::accounting {
namespace {

using nlohmann::ordered_json;
using test::some_job;

std::string without_end(std::string line) {
  EXPECT_EQ(line.back(), '\n');
  line.pop_back();
  return line;
}

std::string refused(const std::string& text) {
  try {
    (void)parse_job_lines(text, "jobs.jsonl");
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    return error.what();
  }
}

TEST(job_line, is_one_line_whatever_the_texts_hold_and_is_read_as_it_was_written) {
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    const std::string line = print_job_line(test::random_job(random));
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    EXPECT_EQ(print_job_line(parse_job_line(without_end(line), "file")), line);
  }
}

TEST(job_line, joins_with_sacct_by_job_and_step) {
  const auto json = ordered_json::parse(print_job_line(some_job()));
  EXPECT_EQ(json["job_id"], 123);
  EXPECT_EQ(json["sacct_id"], "123.0");
  JobLine outside = some_job();
  outside.step = {.user = "anna"};
  const auto alone = ordered_json::parse(print_job_line(outside));
  EXPECT_TRUE(alone["job_id"].is_null() && alone["step"].is_null() && alone["sacct_id"].is_null());
}

TEST(job_line, has_exactly_the_keys_of_its_schema_in_their_order) {
  std::ifstream file(HYPERMILE_SOURCE_DIR "/schemas/job-line-1.json");
  const auto schema = ordered_json::parse(file);
  std::vector<std::string> keys;
  const auto line = ordered_json::parse(print_job_line(some_job()));
  for (const auto& [key, value] : line.items())
    keys.push_back(key);
  EXPECT_EQ(schema["required"].get<std::vector<std::string>>(), keys);
  std::vector<std::string> described;
  for (const auto& [key, value] : schema["properties"].items())
    described.push_back(key);
  EXPECT_EQ(described, keys);
}

TEST(job_line, tells_how_energy_is_known) {
  JobLine job = some_job();
  EXPECT_EQ(job.saved(), Joules{20});
  for (const auto& [by, name] : {std::pair{EnergyBy::meters, "meters"},
                                 {EnergyBy::power_tables, "power tables"},
                                 {EnergyBy::assumption, "assumed power"}}) {
    job.energy_by = by;
    EXPECT_EQ(ordered_json::parse(print_job_line(job))["energy_by"], name);
  }
}

TEST(job_line, has_bytes_that_are_no_utf8_replaced) {
  JobLine job = some_job();
  job.program = "\xff";
  EXPECT_EQ(parse_job_line(without_end(print_job_line(job)), "file").program, "\xef\xbf\xbd");
}

/// A line with one key changed; null removes it.
std::string with(const char* key, const ordered_json& value, bool removed = false) {
  auto json = ordered_json::parse(print_job_line(some_job()));
  if (removed)
    json.erase(key);
  else
    json[key] = value;
  return json.dump() + "\n";
}

TEST(job_lines, are_refused_with_file_line_and_key) {
  const std::string good = print_job_line(some_job());
  for (const auto& [line, complaint] : std::vector<std::pair<std::string, std::string>>{
           {with("time_s", nullptr), "time_s: null is not a number"},
           {with("time_s", -1), "time_s: -1 is negative"},
           {with("time_s", 0, true), "the key 'time_s' is missing"},
           {with("watts", 1), "unknown key 'watts'"},
           {with("schema", "hypermile/job-line/2"), "schema: is not hypermile/job-line/1"},
           {with("nodes", ordered_json::array()), "nodes: an array is not an array with"},
           {with("gears_set", 1), "gears_set: 1 is neither true nor false"},
           {with("energy_by", "guess"), "energy_by: is none of meters, power tables"},
           {with("sacct_id", "123.1"), "sacct_id: is not job_id.step"},
           {with("step", nullptr), "step: goes with job_id"},
           {"\n", "jobs.jsonl:2: "},
           {"{}\n", "the key 'schema' is missing"},
           {"nonsense\n", "jobs.jsonl:2: "}}) {
    const std::string what = refused(good + line + good);
    EXPECT_TRUE(what.starts_with("jobs.jsonl:2: ")) << what;
    EXPECT_TRUE(test::contains(what, complaint)) << what;
  }
}

TEST(job_lines, end_with_an_end_of_line) {
  const std::string good = print_job_line(some_job());
  EXPECT_EQ(parse_job_lines("", "jobs.jsonl").size(), 0U);
  EXPECT_EQ(parse_job_lines(good + good, "jobs.jsonl").size(), 2U);
  EXPECT_TRUE(
      test::contains(refused(good + without_end(good)), "jobs.jsonl:2: the line has no end"));
}

} // namespace
} // namespace hypermile::accounting
