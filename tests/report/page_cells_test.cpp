#include "report/page_cells.hpp"

#include "io/text_file.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>

namespace hypermile::report {
namespace {

using nlohmann::json;
using test::contains;

json cell_in_file(int ranks, double time) {
  const json run{{"method", "none"},      {"time_s", time},          {"energy_j", 2.0},
                 {"saving_percent", 0.0}, {"slowdown_percent", 0.0}, {"distance_points", 0.0},
                 {"nodes", json::array()}};
  return {{"schema", sweep_cell_schema},
          {"program", "cg"},
          {"class", nullptr},
          {"ranks", ranks},
          {"platform", "p"},
          {"repetition", 1},
          {"status", "done"},
          {"reason", ""},
          {"took_s", 1.0},
          {"simulation", {{"runs", {run}}}}};
}

struct PageCells : testing::Test {
  test::TemporaryFolder folder;

  void write(const std::string& name, const json& document, int age_s = 0) const {
    io::write_text_file(folder.path(name), document.dump());
    const auto now = std::filesystem::last_write_time(folder.path(name));
    std::filesystem::last_write_time(folder.path(name), now - std::chrono::seconds(age_s));
  }
  std::string refusal() const {
    try {
      (void)read_cells(folder.path());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(PageCells, are_those_of_all_files_in_the_order_of_their_names) {
  EXPECT_FALSE(has_cells(folder.path()));
  write("b.json", cell_in_file(8, 1.5));
  write("a.json", cell_in_file(16, 2.5));
  EXPECT_TRUE(has_cells(folder.path()));
  const json report = read_cells(folder.path());
  ASSERT_EQ(report.at("cells").size(), 2U);
  EXPECT_EQ(report.at("cells")[0].at("ranks"), 8);
  EXPECT_EQ(report.at("cells")[0].at("file"), "b.json");
  EXPECT_EQ(report.at("cells")[0].at("runs")[0].at("time_s"), 1.5);
  EXPECT_EQ(report.at("superseded"), 0);
}

TEST_F(PageCells, of_an_earlier_version_of_the_study_are_left_out) {
  write("a.json", cell_in_file(8, 1.5), 100);
  write("b.json", cell_in_file(8, 2.5));
  write("c.json", cell_in_file(8, 3.5), 200);
  const json report = read_cells(folder.path());
  ASSERT_EQ(report.at("cells").size(), 1U);
  EXPECT_EQ(report.at("cells")[0].at("runs")[0].at("time_s"), 2.5);
  EXPECT_EQ(report.at("superseded"), 2);
}

TEST_F(PageCells, that_failed_have_no_runs) {
  json failed = cell_in_file(8, 1);
  failed["simulation"] = nullptr;
  failed["status"] = "failed";
  write("a.json", failed);
  EXPECT_TRUE(read_cells(folder.path()).at("cells")[0].at("runs").empty());
}

TEST_F(PageCells, are_refused_with_the_name_of_their_file) {
  write("a.json", {{"schema", "another"}});
  EXPECT_TRUE(contains(refusal(), folder.path("a.json") + " is no cell")) << refusal();
  json odd = cell_in_file(8, 1);
  odd.erase("status");
  write("a.json", odd);
  EXPECT_TRUE(contains(refusal(), folder.path("a.json") + " is not understood")) << refusal();
}

} // namespace
} // namespace hypermile::report
