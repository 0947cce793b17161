#include "study/multisplitting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace hypermile::study {
namespace {

const MultisplittingRuns runs{.program = "/bin/multisplitting", .reference_speed = "1Gf"};

/// Time and energy tell which cell and run it is of.
std::vector<Outcome> outcomes_of(const std::vector<Cell>& cells) {
  std::vector<Outcome> outcomes;
  for (const Cell& cell : cells) {
    const double number = static_cast<double>(cell.number);
    Outcome outcome;
    outcome.status = Outcome::Status::done;
    const auto compare = std::ranges::find_if(
        cell.arguments, [](const auto& word) { return word.starts_with("--compare="); });
    std::string methods = "none," + compare->substr(std::string("--compare=").size()) + ",";
    for (double energy = 1; !methods.empty(); ++energy) {
      const auto comma = methods.find(',');
      Run run;
      run.method = methods.substr(0, comma);
      run.time = Seconds{number};
      run.energy = Joules{energy};
      run.iterations.assign(cell.ranks, cell.number);
      outcome.runs.push_back(run);
      methods.erase(0, comma + 1);
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

TEST(multisplitting_tables, have_a_simulation_for_each_version_on_each_grid) {
  for (const MultisplittingTable& table : multisplitting_tables()) {
    const auto cells = cells_of(table, runs);
    std::set<std::vector<std::string>> different;
    for (const Cell& cell : cells)
      different.insert(cell.arguments);
    EXPECT_EQ(different.size(), cells.size()) << table.name;
    for (const ComparedGrid& grid : compare(table, outcomes_of(cells))) {
      EXPECT_EQ(grid.failure, "");
      for (std::size_t v = 0; v < table.versions.size(); ++v) {
        std::set<std::string> methods;
        for (const MultisplittingLine& line : grid.lines)
          if (line.version == v && !line.method.empty())
            methods.insert(line.method);
        EXPECT_EQ(methods, table.versions[v].apply.empty()
                               ? (std::set<std::string>{"none"})
                               : (std::set<std::string>{"exact", table.method}))
            << table.name << ", version " << v;
      }
    }
  }
}

/// Simulations of one table are those of another where they are of the same runs.
TEST(multisplitting_tables, share_their_simulations) {
  const auto tables = multisplitting_tables();
  std::set<std::vector<std::string>> of_figure;
  for (const Cell& cell : cells_of(tables.back(), runs))
    of_figure.insert(cell.arguments);
  for (const Cell& cell : cells_of(tables.front(), runs))
    EXPECT_TRUE(of_figure.contains(cell.arguments));
}

TEST(multisplitting_tables, refer_to_the_synchronous_program_in_gear_0) {
  const auto tables = multisplitting_tables();
  const MultisplittingTable& table = tables[1];
  const auto cells = cells_of(table, runs);
  ASSERT_EQ(cells.size(), 6U);
  const auto grid = compare(table, outcomes_of(cells)).front();
  for (const MultisplittingLine& line : grid.lines)
    if (line.method == "none") { // the fifth cell is the first of the asynchronous program
      EXPECT_DOUBLE_EQ(*line.figures.slowdown, 5.0 / 1.0 - 1);
      EXPECT_DOUBLE_EQ(*line.figures.saving, 0);
      EXPECT_DOUBLE_EQ(*line.figures.spread, 0);
    }
}

TEST(multisplitting_tables, tell_why_a_grid_has_no_figures) {
  const auto tables = multisplitting_tables();
  auto outcomes = outcomes_of(cells_of(tables.back(), runs));
  outcomes.back() = {};
  outcomes.back().status = Outcome::Status::failed;
  outcomes.back().reason = "the verification failed";
  const auto grids = compare(tables.back(), outcomes);
  ASSERT_EQ(grids.size(), tables.back().grids.size()) << "no means of what is not complete";
  EXPECT_EQ(grids.back().failure, "the verification failed");
  EXPECT_EQ(grids.front().failure, "");
}

TEST(spread_of, is_the_standard_deviation_of_the_first_ranks_of_clusters) {
  EXPECT_DOUBLE_EQ(*spread_of({1, 1, 3, 3}, 2), 1);
  EXPECT_DOUBLE_EQ(*spread_of({1, 9, 3, 9}, 2), 1);
  EXPECT_DOUBLE_EQ(*spread_of({7, 7, 7}, 3), 0);
  EXPECT_FALSE(spread_of({1, 1, 3}, 2));
  EXPECT_FALSE(spread_of({}, 2));
  EXPECT_FALSE(spread_of({1}, 0));
}

} // namespace
} // namespace hypermile::study
