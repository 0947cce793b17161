#include "report/selection_details.hpp"

#include "io/plan_json.hpp"
#include "io/problem_files.hpp"
#include "report/front_details.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::report {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using test::contains;

constexpr const char* a_problem = R"({"model": "cluster", "nodes": [
  {"gears_ghz": [2.5, 2.0, 1.5], "tcp_s": 1.2, "tcm_s": 0.3, "pd_w": 20, "ps_w": 4},
  {"gears_ghz": [2.5, 2.0, 1.5], "tcp_s": 0.7, "tcm_s": 0.8, "pd_w": 20, "ps_w": 4}]})";

struct SelectionDetails : testing::Test {
  test::TemporaryFolder folder;
  select::Request request{.objective = select::Objective::edp};

  void SetUp() override { io::write_text_file(folder.path("problem.json"), a_problem); }

  [[nodiscard]] model::Problem problem() const {
    return io::load_problem({.problem = folder.path("problem.json")}, "");
  }
  /// The plan of the request, whose problem is called so.
  [[nodiscard]] ordered_json plan(const std::string& problem_file) const {
    auto json = io::plan_to_json(problem(), select::choose(problem(), request), std::nullopt);
    json["request"] = io::request_to_json({.problem = problem_file}, request);
    return json;
  }
  [[nodiscard]] json details_of(const ordered_json& plans) const {
    const std::string file = folder.path("plan.json");
    io::write_text_file(file, plans.dump());
    return selection_details(file, "");
  }
  [[nodiscard]] std::string missing_of(const ordered_json& plans) const {
    const json details = details_of(plans);
    EXPECT_TRUE(details.at("front").is_null());
    EXPECT_EQ(details.at("missing").size(), 1U);
    return details.at("missing").at(0);
  }
};

TEST_F(SelectionDetails, have_the_front_of_the_problem_that_the_plan_names) {
  const json expected = front_details(problem(), request);
  EXPECT_EQ(details_of(plan(folder.path("problem.json"))).at("front"), expected);
  EXPECT_EQ(details_of(plan("problem.json")).at("front"), expected) << "beside the plan";
  const ordered_json many = ordered_json::array({plan("problem.json"), plan("problem.json")});
  EXPECT_EQ(details_of(many).at("front"), expected);
}

TEST_F(SelectionDetails, say_why_there_is_no_front) {
  EXPECT_TRUE(contains(missing_of(plan("")), "does not name the file of its problem"));
  EXPECT_TRUE(contains(missing_of(plan("elsewhere.json")), "elsewhere.json"));
  ordered_json of_run = plan("problem.json");
  of_run["run"] = {{"program", {"./app"}}, {"ranks", 2}};
  EXPECT_TRUE(contains(missing_of(of_run), "a plan for a run"));
}

TEST_F(SelectionDetails, have_no_front_of_a_problem_that_has_changed) {
  const ordered_json before = plan("problem.json");
  std::string text = a_problem;
  text.replace(text.find("1.2"), 3, "1.3");
  io::write_text_file(folder.path("problem.json"), text);
  EXPECT_TRUE(contains(missing_of(before), "has been changed since"));
}

TEST_F(SelectionDetails, refuse_what_is_no_plan) {
  ordered_json odd = plan("problem.json");
  odd["method"] = "magic";
  try {
    (void)details_of(odd);
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_TRUE(contains(error.what(), "magic")) << error.what();
  }
}

} // namespace
} // namespace hypermile::report
