#include "model/beaten.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace hypermile;
using namespace hypermile::model;

namespace {

/// Another one of the list is no worse in both and better in one, or alike and before it.
bool is_beaten(const std::vector<SettingCost>& settings, std::size_t i) {
  for (std::size_t j = 0; j < settings.size(); ++j) {
    const bool no_worse =
        settings[j].time <= settings[i].time && settings[j].power <= settings[i].power;
    const bool alike =
        settings[j].time == settings[i].time && settings[j].power == settings[i].power;
    if (no_worse && (!alike || j < i))
      return true;
  }
  return false;
}

/// Few different figures, so that many settings are alike.
std::vector<SettingCost> random_settings(std::mt19937& random) {
  std::uniform_int_distribution<int> one_of(1, 5);
  std::vector<SettingCost> settings(random() % 12);
  for (SettingCost& setting : settings)
    setting = {Seconds{1.0 * one_of(random)}, Watts{10.0 + one_of(random)}};
  return settings;
}

std::vector<SettingRanges> random_ranges(std::mt19937& random) {
  std::uniform_int_distribution<int> time(1, 4);
  std::uniform_int_distribution<int> width(0, 3);
  std::uniform_int_distribution<int> least(10, 20);
  std::vector<SettingRanges> settings(random() % 10);
  for (SettingRanges& setting : settings) {
    setting.time = Seconds{1.0 * time(random)};
    for (auto* const range : {&setting.computing, &setting.waiting}) {
      range->least = Watts{1.0 * least(random)};
      range->most = range->least + Watts{1.0 * width(random)};
    }
  }
  return settings;
}

} // namespace

TEST(BeatenSettings, are_those_that_every_pair_compared_says) {
  std::mt19937 random(20);
  for (int round = 0; round < 20000; ++round) {
    const auto settings = random_settings(random);
    const auto beaten = beaten_by(settings);
    ASSERT_EQ(beaten.size(), settings.size());
    for (std::size_t i = 0; i < settings.size(); ++i)
      ASSERT_EQ(beaten[i].has_value(), is_beaten(settings, i)) << "round " << round << ", " << i;
  }
}

TEST(BeatenSettings, are_beaten_by_one_that_nothing_beats) {
  std::mt19937 random(21);
  for (int round = 0; round < 20000; ++round) {
    const auto settings = random_settings(random);
    const auto beaten = beaten_by(settings);
    for (std::size_t i = 0; i < settings.size(); ++i)
      if (const auto by = beaten[i]) {
        ASSERT_FALSE(beaten[*by]);
        ASSERT_LE(settings[*by].time, settings[i].time);
        ASSERT_LE(settings[*by].power, settings[i].power);
      }
  }
}

/// Who wants the least of anything that grows with time and power finds it among the others.
TEST(BeatenSettings, are_never_the_best_by_any_score_that_grows_with_both) {
  std::mt19937 random(22);
  for (int round = 0; round < 5000; ++round) {
    const auto settings = random_settings(random);
    const auto beaten = beaten_by(settings);
    const double exponent = std::uniform_real_distribution<double>(0.1, 3)(random);
    const auto score = [&](std::size_t i) {
      return settings[i].power.value() * std::pow(settings[i].time.value(), exponent);
    };
    for (std::size_t i = 0; i < settings.size(); ++i)
      if (beaten[i]) {
        ASSERT_LE(score(*beaten[i]), score(i) * (1 + 1e-12));
      }
  }
}

/// The corners of the ranges are where a setting looks best and another one worst.
TEST(SurelyBeatenSettings, are_those_that_are_beaten_wherever_the_figures_are_in_their_ranges) {
  std::mt19937 random(23);
  for (int round = 0; round < 5000; ++round) {
    const auto settings = random_ranges(random);
    const auto surely = surely_beaten_by(settings);
    for (std::size_t i = 0; i < settings.size(); ++i) {
      bool beaten_at_worst = false;
      for (const SettingRanges& other : settings) {
        bool by_other = &other != &settings[i];
        for (const auto range : {&SettingRanges::computing, &SettingRanges::waiting}) {
          const std::vector<SettingCost> pair{{other.time, (other.*range).most},
                                              {settings[i].time, (settings[i].*range).least}};
          by_other = by_other && is_beaten(pair, 1) && pair[0].power < pair[1].power;
        }
        beaten_at_worst = beaten_at_worst || by_other;
      }
      ASSERT_EQ(surely[i].has_value(), beaten_at_worst) << "round " << round << ", " << i;
      if (surely[i]) {
        ASSERT_FALSE(surely[*surely[i]]);
      }
    }
  }
}
