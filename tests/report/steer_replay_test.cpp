#include "report/steer_replay.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace hypermile::report {
namespace {

using nlohmann::json;
using steer::Objective;
using test::expect_part;

/// 1 and 2 cores at 2 and 1 GHz.
steer::Table table() {
  const steer::NodeShape node{
      .sockets = 1, .cores_per_socket = 2, .gears = model::GearTable({Hertz{2e9}, Hertz{1e9}})};
  return {"program.csv",
          steer::all_configurations(node),
          {{Rate{100}, Watts{30}},
           {Rate{60}, Watts{20}},
           {Rate{180}, Watts{50}},
           {Rate{110}, Watts{28}}}};
}

/// SampleAverager at two of them, and settles in one.
steer::Replay replayed(std::size_t settled, bool keeps_bounds) {
  steer::Replay replay;
  replay.observations = {{.configuration = 3,
                          .seen = {.capacity = Rate{111}, .power = Watts{28.5}},
                          .reason = "first visit"},
                         {.configuration = 2,
                          .seen = {.capacity = Rate{179}, .power = Watts{49}},
                          .reason = "promises more"}};
  replay.visits = 2;
  replay.settled = {steer::Step::What::settle, settled, keeps_bounds, "the best of all"};
  return replay;
}

const steer::Goal at_least_90{.objective = Objective::least_power, .least_throughput = Rate{90}};

TEST(replay_text, shows_what_was_visited_beside_the_best) {
  const steer::Table program = table();
  const ReplaySubject subject{program, "adaptive", at_least_90, {}};
  const std::string text = replay_text(subject, replayed(2, true), false);
  expect_part(text, "program.csv: at least 90 items/s; least power\n"
                    "adaptive, 2 visits, 2 measurements\n\n");
  expect_part(text, "visited  2 cores, 1.00 GHz                    111/s   28.50 W\n");
  expect_part(text, "settled  2 cores, 2.00 GHz                    180/s   50.00 W\n"
                    "         the best of all\n"
                    "best     2 cores, 1.00 GHz                    110/s   28.00 W\n");
  expect_part(text, "loss against the best: 44 %\n");
  EXPECT_EQ(text.find("first visit"), std::string::npos);
  EXPECT_EQ(text.find("misses"), std::string::npos);
}

TEST(replay_text, gives_reasons_where_they_are_wanted) {
  const steer::Table program = table();
  const ReplaySubject subject{program, "adaptive", at_least_90, {}};
  expect_part(replay_text(subject, replayed(2, true), true), "W\n         first visit\n");
}

TEST(replay_text, says_by_how_much_a_bound_is_missed) {
  const steer::Table program = table();
  const steer::Goal much{.objective = Objective::least_power, .least_throughput = Rate{200}};
  const std::string text = replay_text({program, "adaptive", much, {}}, replayed(2, false), false);
  expect_part(text, "180/s   50.00 W  misses by 10 %\n");
  expect_part(text, "loss against the best: 0 %\n");
}

TEST(replay_text, fits_a_terminal) {
  steer::Table program = table();
  for (steer::Performance& one : program.performance)
    one.capacity = one.capacity * 1.23456e7;
  const steer::Goal goal{.objective = Objective::most_throughput, .most_power = Watts{1.2345}};
  steer::Replay replay = replayed(2, false);
  replay.observations.front().reason =
      "too close to a bound for what was measured: 1.7 % better is "
      "expected, 26 % likely to keep the bounds";
  std::istringstream lines(replay_text({program, "nornir-literal", goal, {}}, replay, true));
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80U) << line;
}

TEST(replay_json, has_every_figure) {
  const steer::Table program = table();
  const ReplaySubject subject{program, "adaptive", at_least_90, {.deviation = 0.01, .seed = 7}};
  const json report = json::parse(replay_json(subject, replayed(2, true)));
  EXPECT_EQ(report.at("schema"), "hypermile/steer-replay/1");
  EXPECT_EQ(report.at("table"), "program.csv");
  EXPECT_EQ(report.at("method"), "adaptive");
  EXPECT_EQ(report.at("goal"), "at least 90 items/s; least power");
  EXPECT_EQ(report.at("noise_percent"), 1);
  EXPECT_EQ(report.at("seed"), 7);
  EXPECT_EQ(report.at("visits"), 2);
  EXPECT_EQ(report.at("keeps_bounds"), true);
  EXPECT_NEAR(report.at("loss_percent").get<double>(), 44, 1e-9);
  EXPECT_EQ(report.at("settled").at("cores"), 2);
  EXPECT_EQ(report.at("settled").at("frequency_ghz"), 2);
  EXPECT_EQ(report.at("settled").at("placement"), "linear");
  EXPECT_EQ(report.at("settled").at("throughput_per_s"), 180); // the truth, not what was seen
  EXPECT_EQ(report.at("settled").at("power_w"), 50);
  EXPECT_EQ(report.at("settled").at("excess_percent"), 0);
  EXPECT_EQ(report.at("settled").at("reason"), "the best of all");
  EXPECT_EQ(report.at("best").at("power_w"), 28);
  ASSERT_EQ(report.at("measurements").size(), 2U);
  EXPECT_EQ(report.at("measurements")[0].at("throughput_per_s"), 111);
  EXPECT_EQ(report.at("measurements")[1].at("reason"), "promises more");
  EXPECT_EQ(report.size(), 12U);
}

TEST(replay_json, says_by_how_much_a_bound_is_missed) {
  const steer::Table program = table();
  const steer::Goal little{.objective = Objective::most_throughput, .most_power = Watts{25}};
  const json report =
      json::parse(replay_json({program, "adaptive", little, {}}, replayed(2, false)));
  EXPECT_EQ(report.at("keeps_bounds"), false);
  EXPECT_NEAR(report.at("settled").at("excess_percent").get<double>(), 100, 1e-9);
}

} // namespace
} // namespace hypermile::report
