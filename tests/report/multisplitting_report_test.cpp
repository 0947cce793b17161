#include "report/multisplitting_report.hpp"
#include "support/schema.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace hypermile::report {
namespace {

using study::ComparedGrid;
using test::count;

/// A table whose lines have all figures, which are their numbers.
std::unique_ptr<MultisplittingReport> report_of(const std::string& name) {
  auto report = std::make_unique<MultisplittingReport>();
  const auto tables = study::multisplitting_tables();
  report->table = *std::ranges::find(tables, name, &study::MultisplittingTable::name);
  report->reference_speed = "7Gf";
  for (const auto& grid : report->table.grids)
    report->grids.push_back({.grid = &grid, .failure = {}, .lines = {}});
  if (report->grids.size() > 1)
    report->grids.push_back({.grid = nullptr, .failure = {}, .lines = {}});
  double number = 0;
  for (ComparedGrid& grid : report->grids)
    for (std::size_t v = 0; v < report->table.versions.size(); ++v)
      for (const char* const method : {"", "exact"}) {
        number += 0.01;
        grid.lines.push_back({v, method, {number, -number, number, 100 * number}});
      }
  return report;
}

TEST(multisplitting_report, has_a_row_for_each_line_in_every_form) {
  for (const auto& table : study::multisplitting_tables()) {
    const auto report = report_of(table.name);
    std::size_t lines = 0;
    for (const ComparedGrid& grid : report->grids)
      lines += grid.lines.size();
    const std::string text = print_multisplitting(*report);
    EXPECT_EQ(count(text, "published  ") + count(text, "exact      "), lines) << text;
    const std::string page = multisplitting_page(*report, "the command", "plot.svg");
    EXPECT_EQ(count(page, "| published |") + count(page, "| exact |"), lines) << page;
    test::expect_as_its_schema_says(multisplitting_json({report.get()}));
    const auto json = nlohmann::json::parse(multisplitting_json({report.get()}));
    EXPECT_EQ(json["schema"], "hypermile/multisplitting/1");
    std::size_t in_json = 0;
    for (const auto& grid : json["tables"][0]["grids"])
      for (const auto& line : grid["lines"]) {
        ++in_json;
        EXPECT_NEAR(line["saving_percent"].get<double>(), -line["slowdown_percent"].get<double>(),
                    1e-9);
        EXPECT_NEAR(line["iterations_standard_deviation"].get<double>(),
                    line["distance_points"].get<double>(), 1e-9);
      }
    EXPECT_EQ(in_json, lines);
  }
}

TEST(multisplitting_report, draws_a_group_of_bars_for_each_version) {
  for (const auto& table : study::multisplitting_tables()) {
    const std::string plot = multisplitting_plot(*report_of(table.name));
    for (const auto& version : table.versions)
      EXPECT_EQ(count(plot, std::string(version.is_asynchronous ? ">async/" : ">sync/") +
                                (version.apply.empty() ? "gear 0" : version.apply) + "</text>"),
                1U)
          << plot;
  }
}

TEST(multisplitting_report, says_why_a_grid_has_no_figures) {
  const auto report = report_of("f16-4.5");
  report->grids.front().lines.clear();
  report->grids.front().failure = "the verification failed";
  EXPECT_EQ(count(print_multisplitting(*report), "the verification failed"), 1U);
  EXPECT_EQ(count(multisplitting_page(*report, "", ""), "the verification failed"), 1U);
  EXPECT_EQ(nlohmann::json::parse(
                multisplitting_json({report.get()}))["tables"][0]["grids"][0]["failure"],
            "the verification failed");
}

} // namespace
} // namespace hypermile::report
