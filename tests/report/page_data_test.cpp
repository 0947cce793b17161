#include "report/page_data.hpp"

#include "io/text_file.hpp"
#include "report/job_folder.hpp"
#include "report/jobs.hpp"
#include "support/scripted_timeline.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hypermile::report {
namespace {

using nlohmann::json;
using test::contains;

struct PageData : testing::Test {
  test::TemporaryFolder folder;

  json data(const PageFactors& factors = {}) const {
    return json::parse(page_data(folder.path(), factors, {"1.2.3"})).at("data");
  }
  std::string refusal() const {
    try {
      (void)page_data(folder.path(), {}, {"1.2.3"});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config);
      return error.what();
    }
    return "";
  }
  json run() const { return json::parse(io::read_text_file(folder.path("run.json"))); }
  void write(const std::string& name, const json& document) const {
    io::write_text_file(folder.path(name), document.dump());
  }
};

TEST_F(PageData, has_the_report_of_a_run_as_it_is) {
  write_job(test::job(test::job_in_gears()), folder.path());
  const json page = data();
  EXPECT_EQ(page.at("kind"), "run");
  EXPECT_EQ(page.at("version"), "1.2.3");
  json report = run();
  report.erase("ranks_detail");
  report.erase("power_over_time");
  for (json& decision : report.at("decisions"))
    decision.erase("set");
  json shown = page.at("report");
  for (json& decision : shown.at("decisions"))
    decision.erase("set");
  EXPECT_EQ(shown, report);
}

TEST_F(PageData, has_the_times_of_ranks_and_says_what_a_run_does_not_keep) {
  write_job(test::job(test::job_in_gears()), folder.path());
  const json details = data().at("details");
  const json ranks = run().at("ranks_detail");
  const json& times = details.at("runs").at(0).at("rank_times");
  ASSERT_EQ(times.at("computation_s").size(), ranks.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    EXPECT_EQ(times.at("computation_s").at(rank), ranks.at(rank).at("computation_s"));
    EXPECT_EQ(times.at("communication_s").at(rank), ranks.at(rank).at("communication_s"));
  }
  EXPECT_TRUE(details.at("runs").at(0).at("timeline").is_null());
  EXPECT_EQ(details.at("missing").size(), 2U); // and no meter
}

TEST_F(PageData, has_the_timeline_of_the_loop_before_and_after) {
  auto job = test::job(test::job_in_gears());
  runtime::LoopExample example{.timeline = {.functions = {"Barrier"}, .ranks = {}}};
  const std::size_t ranks = job.run.ranks.size();
  for (std::size_t r = 0; r < ranks; ++r) {
    example.timeline.ranks.push_back(
        test::Script()
            .computes(2)
            .joins(model::Shape::all, static_cast<std::uint32_t>(ranks), 0.5)
            .done());
    example.scales.push_back(r == 0 ? 1.5 : 1); // so that all wait for it
  }
  job.run.example = example;
  write_job(job, folder.path());
  const json details = data().at("details");
  const json& after = details.at("runs").at(0).at("timeline");
  const json& before = details.at("runs").at(1).at("timeline");
  EXPECT_NEAR(before.at("end_s"), 2.5, 1e-9);
  EXPECT_NEAR(after.at("end_s"), 3.5, 1e-9);
  EXPECT_EQ(after.at("path").at("ranks").at(0).at("rank"), 0);
  EXPECT_NEAR(after.at("path").at("computing_s"), 3, 1e-9);
  json loop = json::parse(io::read_text_file(folder.path("loop.json")));
  EXPECT_EQ(loop.at("after").at("end_s"), after.at("end_s"));

  loop.at("before").erase("path");
  write("loop.json", loop);
  EXPECT_TRUE(contains(refusal(), "loop.json: before: has no 'path'")) << refusal();
  loop["schema"] = "hypermile/loop/9";
  write("loop.json", loop);
  EXPECT_TRUE(contains(refusal(), "is not 'hypermile/loop/1'")) << refusal();

  job.run.example.reset();
  write_job(job, folder.path()); // takes the place of the former
  EXPECT_TRUE(data().at("details").at("runs").at(0).at("timeline").is_null());
}

TEST_F(PageData, has_the_power_of_a_run_and_of_its_baseline) {
  auto job = test::job(test::job_in_gears());
  const auto metered = [](runtime::RunReport& run, double watts) {
    for (auto& rank : run.ranks) {
      rank.energy = Watts{watts} * rank.time;
      for (auto& change : rank.changes)
        change.energy = Watts{watts} * change.time;
      rank.readings = {{rank.time / 2, Watts{watts} * (rank.time / 2)}};
    }
  };
  metered(job.run, 5);
  job.baseline = job.run;
  metered(*job.baseline, 7);
  write_job(job, folder.path());
  const json details = data().at("details");
  ASSERT_EQ(details.at("runs").size(), 2U);
  EXPECT_EQ(details.at("missing").size(), 1U);
  for (const auto& [index, watts] : {std::pair(0U, 5.0), std::pair(1U, 7.0)}) {
    const json power = details.at("runs").at(index).at("power");
    EXPECT_GE(power.size(), 2U);
    const std::size_t nodes = run().at("nodes").size();
    for (const json& step : power)
      EXPECT_NEAR(step.at("power_w"), watts * static_cast<double>(nodes), 1e-6);
  }
}

TEST_F(PageData, has_the_factors_or_none) {
  write_job(test::job(test::job_in_gears()), folder.path());
  const json with = data({.price_per_kwh = 0.25, .currency = "EUR", .co2_g_per_kwh = 400});
  EXPECT_EQ(with.at("price_per_kwh"), 0.25);
  EXPECT_EQ(with.at("currency"), "EUR");
  EXPECT_EQ(with.at("co2_g_per_kwh"), 400);
  EXPECT_TRUE(data().at("price_per_kwh").is_null());
  EXPECT_TRUE(data().at("co2_g_per_kwh").is_null());
}

TEST_F(PageData, is_made_of_folders_with_one_report_only) {
  const std::string nothing = refusal();
  EXPECT_TRUE(
      contains(nothing, "has neither run.json nor simulation.json nor steer.json nor cells"))
      << nothing;
  EXPECT_TRUE(contains(nothing, "hypermile run --report FOLDER")) << nothing;
  write("run.json", json::object());
  write("simulation.json", json::object());
  EXPECT_TRUE(contains(refusal(), "run.json and simulation.json")) << refusal();
}

TEST_F(PageData, names_the_file_and_the_key_that_is_not_as_it_should_be) {
  io::write_text_file(folder.path("run.json"), "{");
  EXPECT_TRUE(contains(refusal(), folder.path("run.json"))) << refusal();
  write("run.json", {{"schema", "hypermile/run/2"}});
  EXPECT_TRUE(contains(refusal(), "is not 'hypermile/run/1'")) << refusal();
  write_job(test::job(test::job_in_gears()), folder.path());
  const json whole = run();
  for (const char* const key : {"verdict", "energy", "trade_offs", "decisions", "ranks_detail"}) {
    json part = whole;
    part.erase(key);
    write("run.json", part);
    EXPECT_TRUE(contains(refusal(), std::string("has no '") + key + "'")) << refusal();
  }
  json odd = whole;
  odd["ranks_detail"][0].erase("computation_s");
  write("run.json", odd);
  EXPECT_TRUE(contains(refusal(), "ranks_detail[0]")) << refusal();
  EXPECT_TRUE(contains(refusal(), "has no 'computation_s'")) << refusal();
  odd = whole;
  odd["decisions"] = "none";
  write("run.json", odd);
  EXPECT_TRUE(contains(refusal(), "is not an array")) << refusal();
  odd = whole;
  odd["ranks_detail"][0]["computation_s"] = "long";
  write("run.json", odd);
  EXPECT_TRUE(contains(refusal(), "run.json is not understood")) << refusal();
}

struct PageOfFile : PageData {
  [[nodiscard]] std::string refusal_of(const json& document) const {
    write("x.json", document);
    try {
      (void)page_data(folder.path("x.json"), {}, {"1.2.3"});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config);
      return error.what();
    }
    return "";
  }
};

TEST_F(PageOfFile, is_refused_where_there_is_no_page_of_its_kind) {
  for (const auto& [document, said] : std::vector<std::pair<json, std::string>>{
           {{{"schema", "hypermile/doctor/2"}}, "there is no page of hypermile/doctor/2"},
           {{{"key", 1}}, "has no schema"},
           {{{"schema", "hypermile/run/1"}}, "needs the other files of its folder"},
           {{{"schema", "hypermile/front/1"}}, "has no 'model'"},
           {json::array(), "x.json"}}) {
    EXPECT_TRUE(contains(refusal_of(document), said)) << refusal_of(document);
    EXPECT_TRUE(contains(refusal_of(document), folder.path("x.json"))) << refusal_of(document);
  }
  EXPECT_TRUE(contains(refusal_of({{"schema", "hypermile/doctor/2"}}), "hypermile select --json"));
}

TEST_F(PageOfFile, with_a_front_keeps_the_index_of_each_point_that_it_shows) {
  json front{{"schema", "hypermile/front/1"},
             {"model", "table"},
             {"gears_listed", false},
             {"certificate", {{"kind", "exact"}, {"gap", 0}, {"theorem", nullptr}}},
             {"points", json::array()}};
  constexpr std::size_t count = 5000;
  for (std::size_t i = 0; i < count; ++i) {
    const double time = 2 + 0.001 * static_cast<double>(i);
    front["points"].push_back({{"time_s", time},
                               {"energy_j", 100 / time},
                               {"p_norm", 2 / time},
                               {"e_norm", 2 / time},
                               {"distance", 0}});
  }
  write("front.json", front);
  const std::string text = page_data(folder.path("front.json"), {}, {"1.2.3"});
  const json details = json::parse(text).at("data").at("details");
  const json shown = details.at("front");
  EXPECT_LT(text.size(), 100'000U);
  EXPECT_EQ(shown.at("count"), count);
  EXPECT_NEAR(shown.at("time_s"), 2, 1e-9);
  EXPECT_NEAR(shown.at("energy_j"), 50, 1e-9);
  const json columns = shown.at("points").at("@table");
  const json& index = columns.at("index");
  EXPECT_EQ(index.front(), 0);
  EXPECT_EQ(index.back(), count - 1);
  for (std::size_t row = 0; row < index.size(); ++row)
    EXPECT_EQ(columns.at("time_s").at(row),
              front["points"][index.at(row).get<std::size_t>()]["time_s"]);
}

} // namespace
} // namespace hypermile::report
