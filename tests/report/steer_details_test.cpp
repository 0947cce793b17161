#include "report/steer_details.hpp"
#include "report/steer_samples.hpp"

#include "io/text_file.hpp"
#include "session/timeline.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>
#include <vector>

namespace hypermile::report {
namespace {

using nlohmann::json;
using session::Row;
using test::contains;

/// Cores 1 and 2, each in two gears.
steer::Space space_of_four() {
  const steer::NodeShape node{1, 2, model::GearTable({Hertz{2.4e9}, Hertz{1.2e9}})};
  return steer::all_configurations(node);
}

/// Samples of random length, power and throughput, in random configurations.
std::vector<Row> random_rows(std::size_t count, bool with_arrivals) {
  std::mt19937 random(count);
  std::uniform_int_distribution<int> milli(1, 2000);
  const auto draw = [&] { return milli(random) / 1000.0; };
  std::vector<Row> rows(count);
  double time = 0;
  for (Row& row : rows) {
    row.length = Seconds{draw()};
    row.time = Seconds{time += row.length.value()};
    row.mode = static_cast<steer::Mode>(random() % 3);
    row.configuration = random() % 4;
    row.next = random() % 4;
    row.throughput = Rate{draw()};
    if (with_arrivals)
      row.arrivals = Rate{draw()};
    row.power = Watts{draw()};
    row.keeps_bounds = random() % 2 == 0;
    row.decision = random() % 3 == 0 ? "because, \"of that\"" : "";
  }
  return rows;
}

struct SteerDetails : testing::Test {
  test::TemporaryFolder folder;

  void write(const std::vector<Row>& rows) const {
    std::string text = session::csv_header();
    for (const Row& row : rows)
      text += session::csv_line(row, space_of_four());
    io::write_text_file(folder.path(steer_timeline_name), text);
  }
  [[nodiscard]] json details() const { return steer_details(folder.path()); }
  [[nodiscard]] std::string refusal() const {
    try {
      (void)details();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

/// What CSV keeps of a number: three digits after the point.
constexpr double rounding = 2e-3;

double sum_over(const json& rows, const char* value, const char* weight) {
  double sum = 0;
  for (const json& row : rows)
    sum += row.at(value).get<double>() * (weight ? row.at(weight).get<double>() : 1);
  return sum;
}

TEST_F(SteerDetails, of_configurations_come_to_the_time_work_and_energy_of_all_samples) {
  for (const std::size_t count : {1U, 7U, 300U}) {
    const auto rows = random_rows(count, true);
    write(rows);
    double time = 0;
    double steady = 0;
    double kept = 0;
    double work = 0;
    double energy = 0;
    for (const Row& row : rows) {
      const double length = row.length.value();
      time += length;
      steady += row.mode == steer::Mode::steady ? length : 0;
      kept += row.keeps_bounds ? length : 0;
      work += row.throughput.value() * length;
      energy += row.power.value() * length;
    }
    const json all = details().at("configurations");
    EXPECT_LE(all.size(), 4U);
    EXPECT_NEAR(sum_over(all, "time_s", nullptr), time, rounding * time);
    EXPECT_NEAR(sum_over(all, "steady_s", nullptr), steady, rounding * time);
    EXPECT_NEAR(sum_over(all, "kept_s", nullptr), kept, rounding * time);
    EXPECT_NEAR(sum_over(all, "throughput_per_s", "time_s"), work, rounding * (work + time));
    EXPECT_NEAR(sum_over(all, "power_w", "time_s"), energy, rounding * (energy + time));
    EXPECT_EQ(sum_over(all, "samples", nullptr), static_cast<double>(count));
  }
}

TEST_F(SteerDetails, of_long_runs_have_few_steps_with_the_same_work_and_energy) {
  for (const std::size_t count : {599U, 600U, 601U, 5000U}) {
    const auto rows = random_rows(count, true);
    write(rows);
    const json timeline = details().at("timeline");
    const json& steps = timeline.at("steps");
    EXPECT_LE(steps.size(), 600U);
    EXPECT_EQ(timeline.at("samples"), count);
    double work = 0;
    for (const Row& row : rows)
      work += row.throughput.value() * row.length.value();
    double shown = 0;
    for (const json& step : steps) {
      const double length = step.at("end_s").get<double>() - step.at("begin_s").get<double>();
      shown += step.at("throughput_per_s").get<double>() * length;
    }
    EXPECT_NEAR(shown, work, 1e-2 * work) << count;
    EXPECT_NEAR(steps.back().at("end_s"), rows.back().time.value(), rounding);
  }
}

TEST_F(SteerDetails, keep_each_sample_of_a_short_run) {
  const auto rows = random_rows(20, false);
  write(rows);
  const json all = details();
  const json& steps = all.at("timeline").at("steps");
  ASSERT_EQ(steps.size(), rows.size());
  const auto space = space_of_four();
  std::size_t decisions = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& settings = space[rows[i].configuration];
    EXPECT_NEAR(steps[i].at("power_w"), rows[i].power.value(), rounding);
    EXPECT_TRUE(steps[i].at("arrivals_per_s").is_null());
    EXPECT_EQ(steps[i].at("cores"), settings.cores);
    EXPECT_NEAR(steps[i].at("frequency_ghz"),
                space.node.gears.frequency(settings.gear).value() / 1e9, 1e-4);
    EXPECT_EQ(steps[i].at("steady"), rows[i].mode == steer::Mode::steady);
    decisions += rows[i].decision.empty() ? 0 : 1;
  }
  EXPECT_EQ(all.at("decision_count"), decisions);
  EXPECT_EQ(all.at("decisions").size(), decisions);
}

TEST_F(SteerDetails, mark_the_configuration_at_the_end) {
  auto rows = random_rows(30, false);
  rows.back().next = rows.front().configuration;
  write(rows);
  const auto space = space_of_four();
  const auto& last = space[rows.back().next];
  std::size_t marked = 0;
  const json configurations = details().at("configurations");
  for (const json& one : configurations)
    if (one.at("at_end")) {
      ++marked;
      EXPECT_EQ(one.at("cores"), last.cores);
    }
  EXPECT_EQ(marked, 1U);
}

TEST_F(SteerDetails, say_that_there_are_no_samples) {
  EXPECT_TRUE(details().at("timeline").is_null());
  EXPECT_TRUE(
      contains(details().at("missing").at(0).get<std::string>(), "timeline.csv is not there"));
  write({});
  EXPECT_TRUE(details().at("timeline").is_null());
  EXPECT_TRUE(contains(details().at("missing").at(0).get<std::string>(), "has no sample"));
}

TEST_F(SteerDetails, refuse_samples_that_nobody_wrote) {
  const auto written = [&](const std::string& from, const std::string& to) {
    Row row{.time = Seconds{2}, .length = Seconds{1}};
    std::string text = session::csv_header() + session::csv_line(row, space_of_four());
    text.replace(text.find(from), from.size(), to);
    io::write_text_file(folder.path(steer_timeline_name), text);
    return refusal();
  };
  EXPECT_EQ(written("2.000,", "2.000,"), "");
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"2.000,", "nan,"},
                                                        {"2.000,", "-2,"},
                                                        {",steady,", ",asleep,"},
                                                        {",linear,", ",nowhere,"},
                                                        {"power_w,", "power,"},
                                                        {"2.000,", ""}})
    EXPECT_TRUE(contains(written(from, to), "timeline.csv:")) << from << ' ' << to;
}

TEST_F(SteerDetails, refuse_samples_out_of_order) {
  auto rows = random_rows(5, false);
  std::swap(rows[1], rows[3]);
  write(rows);
  EXPECT_TRUE(contains(refusal(), "earlier than the one before")) << refusal();
}

} // namespace
} // namespace hypermile::report
