#include "report/sweep.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

namespace hypermile::report {
namespace {

using nlohmann::json;
using study::Cell;
using study::Outcome;
using test::contains;

Cell cell_on(const std::string& platform, std::size_t number, std::size_t repetition = 1) {
  return {.number = number,
          .program = "cg",
          .class_name = "A",
          .ranks = 8,
          .platform = platform,
          .repetition = repetition,
          .arguments = {},
          .recorder = {}};
}

/// One cell is done, one failed, one is missing.
study::Results three_cells() {
  study::Results results{.study = "powers", .cells = {}, .outcomes = {}};
  results.cells = {cell_on("table-3.1", 1), cell_on("a/very/long/path/of/a/cluster.yaml", 2, 12),
                   cell_on("third", 3)};
  const study::Run unscaled{
      .method = "none", .time = Seconds{100}, .energy = Joules{5000}, .gears = {0, 0}};
  const study::Run exact{
      .method = "exact", .time = Seconds{125}, .energy = Joules{3000}, .gears = {0, 4}};
  const study::Run gears{.method = "gears:0,1,2,3,4,5,6,7",
                         .time = Seconds{123456.789},
                         .energy = Joules{1234567.89},
                         .gears = {0, 1}};
  results.outcomes = {{.status = Outcome::Status::done,
                       .reason = "",
                       .took = Seconds{3},
                       .runs = {unscaled, exact, gears}},
                      {.status = Outcome::Status::failed,
                       .reason = "it said \"no\", and then it ended; " + std::string(200, 'x'),
                       .took = {},
                       .runs = {}},
                      {}};
  return results;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);)
    lines.push_back(line);
  return lines;
}

TEST(sweep_text, has_a_line_for_every_run_and_for_every_cell_without_one) {
  const std::string text = print_sweep(three_cells());
  for (const char* part :
       {"cg class A, 8 ranks\n", "unscaled", "exact", "25.00    40.00    20.00", "failed: it said",
        "third            missing\n", "3 cells: 1 done, 1 failed, 1 missing\n"})
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
}

TEST(sweep_text, fits_a_terminal) {
  auto results = three_cells();
  results.outcomes[1].reason = "words and words and words and words and words and words and words";
  for (const std::string& line : lines_of(print_sweep(results)))
    EXPECT_LE(line.size(), 80U) << line;
}

TEST(sweep_text, has_the_mean_of_each_method_where_there_are_several_cells) {
  auto results = three_cells();
  EXPECT_FALSE(contains(print_sweep(results), "mean of"));
  results.outcomes[1] = results.outcomes[0];
  results.outcomes[1].runs[1].time = Seconds{145}; // 25 % and 45 % slower
  EXPECT_TRUE(contains(print_sweep(results), "2      35.00    40.00")) << print_sweep(results);
}

TEST(sweep_json, has_a_row_per_run_and_the_same_keys_in_each) {
  const json sweep = json::parse(sweep_json(three_cells()));
  EXPECT_EQ(sweep["schema"], "hypermile/sweep/1");
  EXPECT_EQ(sweep["done"], 1);
  ASSERT_EQ(sweep["rows"].size(), 5U);
  const json& exact = sweep["rows"][1];
  EXPECT_EQ(exact["method"], "exact");
  EXPECT_DOUBLE_EQ(exact["slowdown_percent"], 25);
  EXPECT_DOUBLE_EQ(exact["saving_percent"], 40);
  EXPECT_DOUBLE_EQ(exact["distance_points"], 20);
  EXPECT_EQ(exact["gears"], (json{0, 4}));
  EXPECT_EQ(sweep["rows"][3]["status"], "failed");
  EXPECT_TRUE(sweep["rows"][3]["time_s"].is_null());
  EXPECT_EQ(sweep["rows"][4]["status"], "missing");
  for (const json& row : sweep["rows"])
    EXPECT_EQ(row.size(), exact.size());
}

TEST(sweep_json, has_no_key_that_is_not_documented) {
  std::ifstream file(HYPERMILE_SOURCE_DIR "/docs/sweep.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const auto documented = [&](const std::string& key) {
    for (const char* begin : {"`", "`."})
      for (const char* end : {"`", "[]`"})
        if (contains(page, begin + key + end))
          return true;
    return key == "schema";
  };
  const std::function<void(const json&)> look = [&](const json& value) {
    for (const auto& [key, inner] : value.items()) {
      if (value.is_object()) {
        EXPECT_TRUE(documented(key)) << key;
      }
      if (inner.is_structured())
        look(inner);
    }
  };
  look(json::parse(sweep_json(three_cells())));
}

/// The fields of a line, as RFC 4180 has them.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += line[i];
  }
  return fields;
}

TEST(sweep_csv, has_the_rows_of_the_json) {
  const json rows = json::parse(sweep_json(three_cells()))["rows"];
  const auto lines = lines_of(sweep_csv(three_cells()));
  ASSERT_EQ(lines.size(), rows.size() + 1);
  const auto names = fields_of(lines[0]);
  EXPECT_EQ(names.size(), rows[0].size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto fields = fields_of(lines[r + 1]);
    ASSERT_EQ(fields.size(), names.size()) << lines[r + 1];
    for (std::size_t c = 0; c < names.size(); ++c) {
      const json& value = rows[r].at(names[c]);
      if (value.is_number()) {
        EXPECT_DOUBLE_EQ(std::stod(fields[c]), value.get<double>()) << names[c];
      } else if (!value.is_array()) {
        EXPECT_EQ(fields[c], value.is_null() ? "" : value.get<std::string>()) << names[c];
      }
    }
  }
}

} // namespace
} // namespace hypermile::report
