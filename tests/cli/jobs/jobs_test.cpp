// hypermile jobs.

#include "accounting/some_jobs.hpp"
#include "support/command_line.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace hypermile {
namespace {

using test::expect_part;
using test::run_hypermile;

class Jobs : public testing::Test {
protected:
  /// A file of two jobs of anna and one of bert.
  [[nodiscard]] std::string file() const {
    const std::string path = folder_.path("jobs.jsonl");
    std::ofstream lines(path);
    for (const char* const user : {"anna", "bert", "anna"})
      lines << accounting::print_job_line(test::some_job(user));
    return path;
  }
  static std::string out_of(const std::vector<std::string>& words) {
    const auto result = run_hypermile(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result.out;
  }
  test::TemporaryFolder folder_;
};

TEST_F(Jobs, are_added_up_by_user_and_in_all) {
  const std::string text = out_of({"jobs", file()});
  expect_part(
      text,
      "anna              2         2     22.0 s       160.00       40.00     20.0       10.0\n");
  expect_part(
      text,
      "all               3         3     33.0 s       240.00       60.00     20.0       10.0\n");
  EXPECT_LT(text.find("anna"), text.find("bert")); // who saved most comes first
  expect_part(text, "The energy of 3 of 3 jobs is known: of 3 by meters");
  EXPECT_FALSE(test::contains(out_of({"jobs", "--user", "bert", file()}), "anna"));
}

TEST_F(Jobs, without_gears_and_on_emulated_nodes_are_told) {
  auto could_save = test::some_job("anna");
  could_save.gears_set = false;
  could_save.saving = could_save.slowdown = 0;
  could_save.possible_saving = 0.15;
  could_save.possible_slowdown = 0.01;
  auto emulated = test::some_job("bert");
  emulated.emulated = true;
  const std::string path = folder_.path("some.jsonl");
  std::ofstream(path) << accounting::print_job_line(test::some_job("anna"))
                      << accounting::print_job_line(could_save)
                      << accounting::print_job_line(emulated);
  const std::string text = out_of({"jobs", path});
  expect_part(text, "1 of 2 jobs ran without gears that would have saved 15.0 % of the");
  expect_part(text, "Jobs on emulated nodes, left out: 1.");
}

TEST_F(Jobs, are_shown_one_by_one_if_asked_for) {
  const std::string text = out_of({"jobs", "--each", file()});
  EXPECT_EQ(test::count(text, "\n123.0 "), 3U) << text;
}

TEST_F(Jobs, are_json_if_asked_for) {
  const auto json = nlohmann::json::parse(out_of({"jobs", "--json", file(), file()}));
  EXPECT_EQ(json["schema"], "hypermile/jobs/1");
  EXPECT_EQ(json["all"]["jobs"], 6);
  EXPECT_EQ(json["all"]["measured"]["saved_j"], 120);
  EXPECT_EQ(json["users"][1]["user"], "bert");
}

TEST_F(Jobs, become_a_file_for_prometheus_as_a_whole) {
  const std::string metrics = folder_.path("hypermile.prom");
  out_of({"jobs", "--prometheus", "-o", metrics, file()});
  expect_part(test::content(metrics), "hypermile_jobs_total{user=\"anna\"} 2\n");
  const auto again = run_hypermile({"jobs", "--prometheus", "-o", metrics, folder_.path("none")});
  EXPECT_EQ(again.exit_code, 1);
  expect_part(test::content(metrics), "hypermile_jobs_total{user=\"anna\"} 2\n");
}

TEST_F(Jobs, that_cannot_be_read_are_refused_with_file_and_line) {
  const std::string path = folder_.path("bad.jsonl");
  std::ofstream(path) << accounting::print_job_line(test::some_job()) << "{\"schema\":1}\n";
  const auto bad = run_hypermile({"jobs", path});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_EQ(bad.out, "");
  expect_part(bad.err, "hypermile: error: " + path + ":2: schema: 1 is not a text");
}

TEST_F(Jobs, that_there_are_none_of_are_no_error) {
  const std::string path = folder_.path("empty");
  std::ofstream(path).flush();
  expect_part(out_of({"jobs", path}), "all               0 ");
}

} // namespace
} // namespace hypermile
