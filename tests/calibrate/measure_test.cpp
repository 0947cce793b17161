#include "calibrate/measure.hpp"

#include "backend/powercap/meter.hpp"
#include "calibrate/fake_bench.hpp"
#include "support/fake_powercap.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

using namespace hypermile;
using namespace hypermile::calibrate;
using test::FakeActuator;
using test::FakeBench;
using test::FakeMeter;
using test::FakeNode;

namespace {

struct Measuring : testing::Test {
  FakeNode node{
      .power =
          [](model::Gear gear, Load load) {
            const double most = load == Load::computing ? 200 : load == Load::waiting ? 120 : 50;
            return Watts{most / static_cast<double>(1 + gear)};
          },
      .speed = [](model::Gear gear) { return 1e6 / static_cast<double>(1 + gear); }};
  FakeBench bench{node};
  FakeActuator actuator{node};
  FakeMeter* meter = nullptr;
  PowerSource source = counter();
  std::vector<std::string> observed;

  PowerSource counter() {
    PowerSource made;
    auto owned = std::make_unique<FakeMeter>(node);
    meter = owned.get();
    made.counter = std::move(owned);
    return made;
  }
  Measurements measured(const Course& course, PowerSource* from) {
    return measure(course, bench, &actuator, from, [&](model::Gear gear, Load load, double) {
      observed.push_back(std::to_string(gear) + " " + name_of(load));
    });
  }
};

} // namespace

TEST_F(Measuring, tells_the_power_of_each_gear_in_each_load) {
  const auto result = measured({Seconds{4}, {0, 3}}, &source);
  ASSERT_EQ(result.gears.size(), 2U);
  EXPECT_EQ(result.gears[1].gear, 3U);
  EXPECT_NEAR(result.gears[0].power->computing.value(), 200, 1e-6);
  EXPECT_NEAR(result.gears[0].power->waiting.value(), 120, 1e-6);
  EXPECT_NEAR(result.gears[0].power->idle.value(), 50, 1e-6);
  EXPECT_NEAR(result.gears[1].power->computing.value(), 50, 1e-6);
  EXPECT_NEAR(result.gears[0].pairs_per_second, 1e6, 1);
  EXPECT_NEAR(result.gears[1].pairs_per_second, 2.5e5, 1);
  EXPECT_TRUE(result.remarks.empty());
  EXPECT_EQ(observed, (std::vector<std::string>{"0 idle", "0 waiting", "0 computing", "3 idle",
                                                "3 waiting", "3 computing"}));
}

TEST_F(Measuring, does_not_count_what_comes_before_things_have_settled) {
  node.power = [&](model::Gear, Load) { return Watts{node.has_just_changed ? 9000.0 : 10.0}; };
  const auto result = measured({Seconds{10}, {0}}, &source);
  EXPECT_NEAR(result.gears[0].power->idle.value(), 10, 1e-6);
}

TEST_F(Measuring, waits_until_a_gear_has_its_effect) {
  actuator.settles = Seconds{28}; // over which a power limit may be an average
  const Seconds begin = node.now;
  node.power = [&](model::Gear, Load) { return Watts{10}; };
  const auto result = measured({Seconds{10}, {0, 1}}, &source);
  EXPECT_NEAR((node.now - begin).value(), 2 * 3 * (28 + 10), 1e-6);
}

TEST_F(Measuring, reads_the_counter_every_few_seconds) {
  measured({Seconds{60}, {0}}, &source);
  EXPECT_GE(meter->reads, 3 * 60 / 4);
}

TEST_F(Measuring, counts_on_when_the_counter_turns_over) {
  const test::TemporaryFolder folder;
  const test::FakePowercap tree(folder.path());
  constexpr std::uint64_t range = 2'000'000'000; // turns over every 10 s at 200 W
  const auto count = [&] {
    tree.count("intel-rapl:0", static_cast<std::uint64_t>(node.energy.value() * 1e6) % range);
  };
  tree.zone("intel-rapl:0", "package-0", 0, range);
  count();
  node.waited = count;
  source.counter = std::make_unique<backend::powercap::PowercapMeter>(folder.path());
  const auto result = measured({Seconds{60}, {0}}, &source);
  EXPECT_NEAR(result.gears[0].power->computing.value(), 200, 0.01);
}

TEST_F(Measuring, leaves_out_a_gear_that_the_node_does_not_take) {
  actuator.refused = 1;
  const auto result = measured({Seconds{1}, {0, 1, 2}}, &source);
  ASSERT_EQ(result.gears.size(), 2U);
  EXPECT_EQ(result.gears[1].gear, 2U);
  ASSERT_EQ(result.remarks.size(), 1U);
  EXPECT_EQ(result.remarks[0], "gear 1 is not measured: no");
}

TEST_F(Measuring, says_what_keeps_the_node_from_a_gear) {
  actuator.problem = "cpu 3 runs at 2 GHz";
  const auto result = measured({Seconds{1}, {1}}, &source);
  ASSERT_EQ(result.remarks.size(), 1U);
  EXPECT_EQ(result.remarks[0], "in gear 1: cpu 3 runs at 2 GHz");
}

TEST_F(Measuring, fails_with_its_counter) {
  node.waited = [&] { meter->fails = node.now > Seconds{1003}; };
  EXPECT_THROW(measured({Seconds{1}, {0, 1}}, &source), Error);
}

TEST_F(Measuring, without_a_meter_tells_speeds_only) {
  const auto result = measured({Seconds{1}, {0, 1}}, nullptr);
  EXPECT_EQ(result.gears[1].power, std::nullopt);
  EXPECT_NEAR(result.gears[1].pairs_per_second, 5e5, 1);
  EXPECT_EQ(observed, (std::vector<std::string>{"0 computing", "1 computing"}));
}

TEST_F(Measuring, without_gears_measures_as_it_is) {
  const auto result =
      measure({Seconds{1}, {2}}, bench, nullptr, &source, [](model::Gear, Load, double) {});
  EXPECT_EQ(result.gears.at(0).gear, 2U);
  EXPECT_NEAR(result.gears.at(0).power->idle.value(), 50, 1e-6);
}

TEST_F(Measuring, takes_power_from_the_log_that_a_meter_writes_meanwhile) {
  const test::TemporaryFolder folder;
  PowerSource log;
  log.log = "wattmeter:" + folder.path("log.csv");
  std::ofstream(folder.path("log.csv")) << "time,power_w\n";
  Seconds before = node.now;
  node.waited = [&] { // a sample at the begin and one at the end of what it draws
    const double power = node.power(node.gear, node.load).value();
    std::ofstream file(folder.path("log.csv"), std::ios::app);
    file << before.value() << ',' << power << '\n' << node.now.value() << ',' << power << '\n';
    before = node.now;
  };
  const auto result = measured({Seconds{1}, {0, 1}}, &log);
  EXPECT_NEAR(result.gears[0].power->computing.value(), 200, 1e-6);
  EXPECT_NEAR(result.gears[0].power->idle.value(), 50, 1e-6);
  EXPECT_NEAR(result.gears[1].power->waiting.value(), 60, 1e-6);
}

TEST_F(Measuring, waits_for_a_meter_that_writes_late) {
  const test::TemporaryFolder folder;
  PowerSource log;
  log.log = "wattmeter:" + folder.path("log.csv");
  std::ofstream(folder.path("log.csv")) << "time,power_w\n1000,50\n";
  node.waited = [&] {
    if (node.now > Seconds{1005})
      std::ofstream(folder.path("log.csv"))
          << "time,power_w\n1000,50\n1001,50\n1002,50\n1003,50\n1004,50\n";
  };
  const auto result = measured({Seconds{1}, {0}}, &log);
  EXPECT_NEAR(result.gears.at(0).power->computing.value(), 50, 1e-6);
}

TEST_F(Measuring, says_how_much_a_log_with_gaps_covers) {
  const test::TemporaryFolder folder;
  PowerSource log;
  log.log = "wattmeter:" + folder.path("log.csv");
  std::ofstream(folder.path("log.csv")) << "time,power_w\n1000,50\n1001,50\n1002,50\n1100,50\n";
  try {
    measured({Seconds{10}, {0}}, &log);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("covers 0 % of the 10 s from "), std::string::npos)
        << error.what();
  }
}
