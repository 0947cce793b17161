#include "io/cell_result.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::io {
namespace {

using study::Outcome;

const std::string simulation = R"({"schema": "hypermile/simulation/1", "runs": [
  {"method": "none", "time_s": 10.0, "energy_j": 100.0, "gears": [0, 0],
   "predictions": {"cluster": null, "dependency": null}},
  {"method": "exact", "time_s": 10.5, "energy_j": 80.0, "gears": [0, 3],
   "predictions": {"cluster": {"time_s": 10.4, "energy_j": 81.0}, "dependency": null}}]})";

CellResult result(Outcome outcome, const std::string& json) {
  study::Cell cell;
  cell.program = "cg";
  cell.platform = "table-3.1";
  return {.cell = cell, .fingerprint = "00ff", .outcome = std::move(outcome), .simulation = json};
}

CellResult done() {
  return result({.status = Outcome::Status::done,
                 .reason = "",
                 .took = Seconds{2.5},
                 .runs = parse_simulation(simulation, "s")},
                simulation);
}

TEST(cell_result, is_read_as_it_was_printed) {
  const auto read = parse_cell_result(print_cell_result(done()), "f", "00ff");
  EXPECT_EQ(read.status, Outcome::Status::done);
  EXPECT_EQ(read.took, Seconds{2.5});
  ASSERT_EQ(read.runs.size(), 2U);
  EXPECT_EQ(read.runs[1].method, "exact");
  EXPECT_EQ(read.runs[1].time, Seconds{10.5});
  EXPECT_EQ(read.runs[1].energy, Joules{80});
  EXPECT_EQ(read.runs[1].gears, (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(read.runs[1].by_cluster.value().time, Seconds{10.4});
  EXPECT_EQ(read.runs[1].by_cluster.value().energy, Joules{81});
  EXPECT_FALSE(read.runs[1].by_dependency);
  EXPECT_FALSE(read.runs[0].by_cluster);
}

TEST(cell_result, of_a_failure_has_its_reason_even_if_it_is_not_utf_8) {
  const auto text = print_cell_result(result(
      {.status = Outcome::Status::failed, .reason = "why \xff", .took = Seconds{1}, .runs = {}},
      ""));
  const auto read = parse_cell_result(text, "f", "00ff");
  EXPECT_EQ(read.status, Outcome::Status::failed);
  EXPECT_EQ(read.reason, "why \xef\xbf\xbd");
  EXPECT_TRUE(read.runs.empty());
}

TEST(cell_result, that_is_cut_off_anywhere_is_refused) {
  const std::string text = print_cell_result(done());
  for (std::size_t length = 0; length + 2 < text.size(); ++length) // the end is "}" and a new line
    EXPECT_THROW((void)parse_cell_result(text.substr(0, length), "f", "00ff"), Error) << length;
}

TEST(cell_result, of_something_else_is_refused) {
  EXPECT_THROW((void)parse_cell_result(print_cell_result(done()), "f", "00fe"), Error);
}

TEST(a_simulation, without_an_unscaled_run_or_with_a_time_of_0_is_refused) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = simulation;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_THROW((void)parse_simulation(with("none", "alg5"), "s"), Error);
  EXPECT_THROW((void)parse_simulation(with("10.0", "0.0"), "s"), Error);
  EXPECT_THROW((void)parse_simulation(with("80.0", "-1"), "s"), Error);
  EXPECT_THROW((void)parse_simulation(with("simulation/1", "simulation/2"), "s"), Error);
}

} // namespace
} // namespace hypermile::io
