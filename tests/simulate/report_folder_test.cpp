#include "simulate/report_folder.hpp"

#include "io/text_file.hpp"
#include "support/nodes.hpp"
#include "support/temporary_folder.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace hypermile::simulate {
namespace {

class ReportFolders : public testing::Test {
protected:
  void write(const std::string& name, const std::string& text) const {
    io::write_text_file(folder.path(name), text);
  }

  void write_simulation(const std::string& first = R"("schema": "hypermile/simulation/1")") const {
    write(simulation_name,
          "{" + first + R"(, "platform": "p", "ranks": 1, "program": ["./app", "-x"],
      "objective": "energy", "max_slowdown": 0.05, "runs": [
        {"method": "none", "time_s": 2, "energy_j": 3}, {"method": "exact", "time_s": 4, "energy_j": 1},
        {"method": "gears:1", "time_s": 5, "energy_j": 1}, {"method": "gears:2", "time_s": 5,
         "energy_j": 1}]})");
  }

  std::string refusal(const std::function<void()>& read) const {
    try {
      read();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config);
      std::string text = error.what();
      const auto at = text.find(folder.path());
      return at == std::string::npos ? text : text.erase(at, folder.path().size() + 1);
    }
    return "accepted";
  }

  std::string refusal_of_folder() const {
    return refusal([this] { (void)ReportFolder(folder.path()); });
  }

  test::TemporaryFolder folder;
};

TEST_F(ReportFolders, tell_what_was_simulated_and_the_names_of_the_runs) {
  write_simulation();
  const ReportFolder report(folder.path());
  EXPECT_EQ(report.platform(), "p");
  EXPECT_EQ(report.program(), (std::vector<std::string>{"./app", "-x"}));
  EXPECT_EQ(report.objective(), "energy");
  EXPECT_EQ(report.max_slowdown(), 0.05);
  std::vector<std::string> names;
  for (const auto& run : report.runs())
    names.push_back(run.name);
  EXPECT_EQ(names, (std::vector<std::string>{"unscaled", "exact", "gears-1", "gears-2"}));
  EXPECT_EQ(report.runs()[1].time, Seconds{4});
}

TEST_F(ReportFolders, have_the_reports_of_the_runs) {
  write_simulation();
  const ReportFolder report(folder.path());
  runtime::RunReport run;
  runtime::RankReport rank{.node = test::node("a")};
  rank.gear = 1;
  run.ranks.push_back(rank);
  write("none.run", runtime::encode_run({}));
  write("gears-2.run", runtime::encode_run(run));
  EXPECT_TRUE(report.report(report.runs()[0]).ranks.empty());
  EXPECT_EQ(report.report(report.runs()[3]).ranks.at(0).gear, 1u);
}

TEST_F(ReportFolders, without_a_file_name_it_and_what_to_do) {
  EXPECT_EQ(refusal_of_folder(), "cannot read simulation.json: No such file or directory; try: "
                                 "simulate again: hypermile simulate --report FOLDER ... -- "
                                 "PROGRAM");
  write_simulation();
  const ReportFolder report(folder.path());
  EXPECT_TRUE(refusal([&] {
                (void)report.timeline();
              }).starts_with("cannot read unscaled.timeline.txt: No such file"));
  EXPECT_TRUE(refusal([&] {
                (void)report.report(report.runs()[1]);
              }).starts_with("cannot read exact.run: No such file"));
}

TEST_F(ReportFolders, that_are_damaged_are_refused_with_the_place) {
  write(simulation_name, "{");
  EXPECT_TRUE(refusal_of_folder().starts_with("simulation.json: line 1")) << refusal_of_folder();
  write_simulation(R"("schema": "hypermile/plan/1")");
  EXPECT_TRUE(refusal_of_folder().starts_with("simulation.json: schema: is not"));
  write(simulation_name, R"({"schema": "hypermile/simulation/1", "runs": []})");
  EXPECT_TRUE(refusal_of_folder().starts_with("simulation.json: an older hypermile left"));
  write_simulation();
  const ReportFolder report(folder.path());
  write("exact.run", "{\"ranks\": 7}");
  write(timeline_name, "hypermile/timeline/1\nranks none\n");
  EXPECT_TRUE(refusal([&] {
                (void)report.report(report.runs()[1]);
              }).starts_with("exact.run: the report of the run cannot be read: "));
  EXPECT_TRUE(refusal([&] { (void)report.timeline(); }).starts_with("unscaled.timeline.txt:2: "));
}

} // namespace
} // namespace hypermile::simulate
