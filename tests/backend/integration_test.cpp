#include "backend/wattmeter/integration.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace hypermile;
using namespace hypermile::backend::wattmeter;

namespace {

constexpr Seconds no_gap_is_too_long{1e9};

/// 100 W, rising to 300 W from 10 s to 20 s.
std::vector<Sample> ramp() {
  return {{Seconds{0}, Watts{100}},
          {Seconds{10}, Watts{100}},
          {Seconds{20}, Watts{300}},
          {Seconds{30}, Watts{300}}};
}

} // namespace

TEST(Integration, adds_up_trapezoids) {
  const auto all = integrate(ramp(), Seconds{0}, Seconds{30}, no_gap_is_too_long);
  EXPECT_DOUBLE_EQ(all.energy.value(), 1000 + 2000 + 3000);
  EXPECT_DOUBLE_EQ(all.coverage(), 1);
}

TEST(Integration, interpolates_where_the_interval_begins_and_ends) {
  // From 12 s (140 W) to 15 s (200 W).
  const auto part = integrate(ramp(), Seconds{12}, Seconds{15}, no_gap_is_too_long);
  EXPECT_DOUBLE_EQ(part.energy.value(), 170 * 3);
  EXPECT_DOUBLE_EQ(part.coverage(), 1);
}

TEST(Integration, says_how_much_of_the_interval_is_covered) {
  const auto late = integrate(ramp(), Seconds{25}, Seconds{45}, no_gap_is_too_long);
  EXPECT_DOUBLE_EQ(late.energy.value(), 300 * 5);
  EXPECT_DOUBLE_EQ(late.coverage(), 0.25);
  const auto outside = integrate(ramp(), Seconds{31}, Seconds{45}, no_gap_is_too_long);
  EXPECT_EQ(outside.energy, Joules{});
  EXPECT_EQ(outside.coverage(), 0);
}

TEST(Integration, does_not_bridge_a_gap) {
  std::vector<Sample> samples = ramp();
  samples.push_back({Seconds{90}, Watts{300}});
  const auto integral = integrate(samples, Seconds{0}, Seconds{60}, Seconds{20});
  EXPECT_DOUBLE_EQ(integral.energy.value(), 6000);
  EXPECT_DOUBLE_EQ(integral.coverage(), 0.5);
}

TEST(Integration, of_one_sample_covers_nothing) {
  const std::vector<Sample> one{{Seconds{5}, Watts{100}}};
  EXPECT_EQ(integrate(one, Seconds{0}, Seconds{10}, no_gap_is_too_long).coverage(), 0);
}

TEST(Integration, takes_two_samples_at_one_time_as_a_step) {
  const std::vector<Sample> step{{Seconds{0}, Watts{100}},
                                 {Seconds{5}, Watts{100}},
                                 {Seconds{5}, Watts{200}},
                                 {Seconds{10}, Watts{200}}};
  EXPECT_DOUBLE_EQ(integrate(step, Seconds{0}, Seconds{10}, no_gap_is_too_long).energy.value(),
                   1500);
}

TEST(Integration, refuses_what_is_no_interval) {
  EXPECT_THROW(integrate(ramp(), Seconds{2}, Seconds{2}, no_gap_is_too_long), Error);
}

TEST(LongestGap, is_five_times_the_usual_distance_but_at_least_a_second) {
  EXPECT_EQ(longest_gap(ramp()), Seconds{50});
  const std::vector<Sample> fast{
      {Seconds{0}, Watts{1}}, {Seconds{0.02}, Watts{1}}, {Seconds{0.04}, Watts{1}}};
  EXPECT_EQ(longest_gap(fast), Seconds{1});
  EXPECT_EQ(longest_gap({}), Seconds{1});
}

TEST(MeanPower, of_parts_adds_up_to_the_energy_of_all) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int round = 0; round < 200; ++round) {
    std::vector<Sample> samples{{Seconds{0}, Watts{uniform(random)}}};
    while (samples.size() < 30) // some at the same moment
      samples.push_back({samples.back().time + Seconds{std::max(0.0, uniform(random) - 0.1)},
                         Watts{uniform(random)}});
    const Seconds from = samples.back().time * (0.4 * uniform(random));
    const Seconds to = samples.back().time * (0.6 + 0.4 * uniform(random));
    const std::size_t parts = 1 + random() % 50;
    const auto powers = mean_power(samples, from, to, no_gap_is_too_long, parts);
    ASSERT_EQ(powers.size(), parts);
    Joules energy;
    for (const auto& power : powers)
      energy += power.value() * ((to - from) / static_cast<double>(parts));
    EXPECT_NEAR(energy.value(), integrate(samples, from, to, no_gap_is_too_long).energy.value(),
                1e-9);
  }
}

TEST(MeanPower, is_not_known_where_samples_are_missing) {
  std::vector<Sample> samples = ramp();
  samples.push_back({Seconds{90}, Watts{300}});
  const auto powers = mean_power(samples, Seconds{0}, Seconds{60}, Seconds{20}, 4);
  ASSERT_EQ(powers.size(), 4U); // 15 s each
  EXPECT_NEAR(powers[0]->value(), (1000 + 750) / 15.0, 1e-9);
  EXPECT_NEAR(powers[1]->value(), (1250 + 3000) / 15.0, 1e-9);
  EXPECT_FALSE(powers[2]);
  EXPECT_FALSE(powers[3]);
  EXPECT_FALSE(mean_power({}, Seconds{0}, Seconds{1}, Seconds{1}, 1)[0]);
  EXPECT_THROW((void)mean_power(samples, Seconds{0}, Seconds{1}, Seconds{1}, 0), Error);
}
