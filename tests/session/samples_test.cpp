#include "session/fakes.hpp"

#include <gtest/gtest.h>

namespace hypermile::session {
namespace {

using test::FakeSession;

TEST(sample_of_a_session, is_what_passed_in_it) {
  FakeSession session({.power = Watts{90}});
  session.program.arrivals = 150;
  session.program.busy = 0.5;
  session.program.watts = 40;
  session.run(1);
  const Row& row = session.rows.front(); // all cores, lowest gear
  EXPECT_NEAR(row.throughput.value(), 100, 1e-6);
  EXPECT_NEAR(row.arrivals.value().value(), 150, 1e-6);
  EXPECT_NEAR(row.load, 0.5, 1e-6);
  EXPECT_NEAR(row.capacity.value().value(), 200, 1e-6);
  EXPECT_NEAR(row.power.value(), 40, 1e-6);
  EXPECT_EQ(row.mode, steer::Mode::calibrating);
  EXPECT_TRUE(row.keeps_bounds);
}

/// In gear 1 a program gets half of the time of its cores.
TEST(sample_of_a_session, knows_that_gears_may_take_time) {
  for (const bool take_time : {false, true}) {
    FakeSession session({.power = Watts{90}});
    session.node.gears_take_time = session.program.gears_take_time = take_time;
    session.program.arrivals = 150;
    session.program.busy = 0.8;
    session.run(1);
    EXPECT_NEAR(session.rows.front().load, 0.8, 1e-6) << take_time;
  }
}

/// Others use half of what it would use.
TEST(sample_of_a_session, has_the_capacity_that_there_is_without_other_programs) {
  for (const bool take_time : {false, true}) {
    FakeSession session({.power = Watts{90}});
    session.node.gears_take_time = session.program.gears_take_time = take_time;
    session.program.busy = 0.5;
    session.program.contended = 0.5;
    session.run(1);
    EXPECT_NEAR(session.rows.front().throughput.value(), 100, 1e-6);
    EXPECT_NEAR(session.rows.front().capacity.value().value(), 200, 1e-6) << take_time;
    EXPECT_EQ(session.rows.front().load, 1);
  }
}

TEST(sample_of_a_session, is_never_busier_than_all_the_time) {
  FakeSession session({.power = Watts{90}});
  session.program.arrivals = 150;
  session.program.busy = 1.1;
  session.run(1);
  EXPECT_EQ(session.rows.front().load, 1);
}

TEST(sample_of_a_session, has_no_arrivals_before_the_program_reports_them) {
  FakeSession session({.throughput = Rate{100}});
  session.run(2);
  EXPECT_EQ(session.rows.back().arrivals, std::nullopt);
  session.program.arrivals = 30;
  session.run(3);
  const Row& row = session.rows.back();
  EXPECT_NEAR(row.arrivals.value().value(), 30, 15); // a part may be of the time before the sample
  session.run(4);
  EXPECT_NEAR(session.rows.back().arrivals.value().value(), 30, 1e-6);
}

TEST(sample_of_a_session, has_an_assumed_power_where_nobody_measures) {
  FakeSession session({.throughput = Rate{150}}, "exhaustive");
  session.program.watts.reset();
  session.run(40);
  EXPECT_FALSE(session.steering.measures_power());
  std::vector<double> power(session.node.space.size());
  Joules energy{};
  for (const Row& row : session.rows) {
    power[row.configuration] = row.power.value();
    energy += row.power * row.length;
  }
  EXPECT_NEAR(session.steering.result().energy.value(), energy.value(), 1e-6);
  const auto of = [&](std::size_t cores, model::Gear gear) {
    return power[session.node.space.find({.cores = cores, .gear = gear}).value()];
  };
  EXPECT_GT(of(1, 0), 0);
  EXPECT_GT(of(4, 0), of(2, 0));
  EXPECT_GT(of(2, 0), of(2, 1));
  const double volts = session.node.space.node.volts(0, 1) / session.node.space.node.volts(0, 0);
  EXPECT_NEAR((of(4, 1) - of(1, 1)) / (of(4, 0) - of(1, 0)), volts * volts / 2, 1e-6); // V^2 f
}

TEST(sample_of_a_session, assumes_less_power_for_a_program_with_less_to_do) {
  std::vector<double> power;
  for (const double busy : {1.0, 0.5, 0.1}) {
    FakeSession session({.utilisation = 0.9});
    session.program.watts.reset();
    session.program.arrivals = 200 * busy; // as much as it does
    session.program.busy = busy;
    session.run(1);
    power.push_back(session.rows.front().power.value());
  }
  EXPECT_GT(power[0], power[1]);
  EXPECT_GT(power[1], power[2]);
}

TEST(sample_of_a_session, misses_a_bound_only_by_more_than_noise) {
  for (const auto& [watts, keeps] : {std::pair(50.5, true), {52.0, false}}) {
    FakeSession session({.power = Watts{50}});
    session.program.watts = watts;
    session.run(1);
    EXPECT_EQ(session.rows.front().keeps_bounds, keeps) << watts;
  }
}

} // namespace
} // namespace hypermile::session
