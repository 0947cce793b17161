// Intervals of differences, against draws from known distributions, an integral of Student's
// density, and a published example.

#include "estimate/difference.hpp"
#include "estimate/student_t.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

namespace hypermile::estimate {
namespace {

using Values = std::vector<double>;

constexpr double confidence = 0.95;

/// The probability of being within t of 0: Student's density, by Simpson's rule.
double integral_within(double t, double freedom) {
  const double scale = std::exp(std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2)) /
                       std::sqrt(freedom * std::numbers::pi);
  const auto density = [&](double x) {
    return scale * std::pow(1 + x * x / freedom, -(freedom + 1) / 2);
  };
  constexpr int steps = 20'000;
  const double step = t / steps;
  double sum = density(0) + density(t);
  for (int i = 1; i < steps; ++i)
    sum += (i % 2 == 1 ? 4 : 2) * density(i * step);
  return 2 * sum * step / 3;
}

Values draw(std::mt19937_64& random, std::size_t count, double mean, double deviation) {
  std::normal_distribution<double> normal(mean, deviation);
  Values values(count);
  for (double& value : values)
    value = normal(random);
  return values;
}

struct Pair {
  Sample a;
  Sample b;
};

/// Of 2 to 7 values each around 100, with deviations of 0.1 to 10.
Pair random_pair(std::mt19937_64& random) {
  std::uniform_int_distribution<std::size_t> count(2, 7);
  std::uniform_real_distribution<double> exponent(-1, 1);
  std::uniform_real_distribution<double> mean(90, 110);
  const auto sample = [&] {
    return sample_of(draw(random, count(random), mean(random), std::pow(10, exponent(random))));
  };
  const Sample a = sample();
  return {a, sample()};
}

bool holds(const std::optional<Interval>& interval, double value) {
  return interval && interval->low <= value && value <= interval->high;
}

TEST(student_t, within_its_quantile_has_the_probability_that_its_density_integrates_to) {
  for (const double freedom : {1.0, 1.3, 2.0, 3.7, 8.25, 40.0})
    for (const double within : {0.5, 0.9, 0.95, 0.99})
      EXPECT_NEAR(integral_within(student_t_within(within, freedom), freedom), within, 1e-6)
          << freedom << " " << within;
}

/// The series for whole degrees of freedom is another way to the same figure.
TEST(student_t, of_whole_degrees_of_freedom_agrees_with_the_series) {
  for (std::size_t freedom = 1; freedom <= 30; ++freedom)
    EXPECT_NEAR(student_t_within(0.95, static_cast<double>(freedom)), student_t_95(freedom), 1e-6)
        << freedom;
}

/// A. R. Cushny and A. R. Peebles (1905), as Student (1908) has it: hours of sleep gained with two
/// drugs. R's t.test(extra ~ group, data = sleep) gives this interval.
TEST(difference, of_the_hours_of_sleep_is_what_r_says) {
  const auto a = sample_of(Values{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0});
  const auto b = sample_of(Values{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4});
  EXPECT_NEAR(a.mean, 0.75, 1e-12);
  EXPECT_NEAR(b.mean, 2.33, 1e-12);
  const auto interval = difference_interval(a, b, confidence);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, -0.2054832, 1e-6);
  EXPECT_NEAR(interval->high, 3.3654832, 1e-6);
}

/// How many of these draws have intervals that hold the true value.
double coverage(const std::function<bool(const Sample&, const Sample&)>& is_held,
                std::size_t a_count, double a_deviation, std::size_t b_count, double b_deviation) {
  std::mt19937_64 random(7);
  constexpr int draws = 6000;
  int held = 0;
  for (int i = 0; i < draws; ++i) {
    const auto a = sample_of(draw(random, a_count, 50, a_deviation));
    const auto b = sample_of(draw(random, b_count, 60, b_deviation));
    held += is_held(a, b) ? 1 : 0;
  }
  return static_cast<double>(held) / draws;
}

/// Three standard deviations of a share of 6000 draws are 0.9 %; Welch's intervals are approximate.
TEST(intervals, hold_the_truth_as_often_as_they_say) {
  struct Case {
    std::size_t a_count;
    double a_deviation;
    std::size_t b_count;
    double b_deviation;
  };
  for (const auto& [a_count, a_deviation, b_count, b_deviation] :
       {Case{5, 1, 5, 1}, Case{4, 1, 9, 4}, Case{10, 3, 4, 1}}) {
    const auto difference = [](const Sample& a, const Sample& b) {
      return holds(difference_interval(a, b, confidence), 10);
    };
    const auto ratio = [](const Sample& a, const Sample& b) {
      return holds(ratio_interval(a, b, confidence), 1.2);
    };
    const auto mean = [](const Sample& a, const Sample&) {
      return holds(mean_interval(a, confidence), 50);
    };
    EXPECT_NEAR(coverage(difference, a_count, a_deviation, b_count, b_deviation), 0.95, 0.015);
    EXPECT_NEAR(coverage(ratio, a_count, a_deviation, b_count, b_deviation), 0.95, 0.015);
    EXPECT_NEAR(coverage(mean, a_count, a_deviation, b_count, b_deviation), 0.95, 0.012);
  }
}

TEST(intervals, of_ratio_and_difference_agree_on_whether_there_is_a_difference) {
  std::mt19937_64 random(1);
  int shown = 0;
  constexpr int pairs = 2000;
  for (int i = 0; i < pairs; ++i) {
    const auto [a, b] = random_pair(random);
    const auto ratio = ratio_interval(a, b, confidence);
    if (!ratio)
      continue;
    const bool differ = !holds(difference_interval(a, b, confidence), 0);
    EXPECT_EQ(!holds(ratio, 1), differ);
    shown += differ ? 1 : 0;
  }
  EXPECT_GT(shown, pairs / 10); // both kinds have been seen
  EXPECT_LT(shown, pairs - pairs / 10);
}

TEST(intervals, of_swapped_samples_are_swapped) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 500; ++i) {
    const auto [a, b] = random_pair(random);
    const auto there = difference_interval(a, b, confidence);
    const auto back = difference_interval(b, a, confidence);
    EXPECT_NEAR(there->low, -back->high, 1e-9 * a.mean);
    const auto ratio = ratio_interval(a, b, confidence);
    const auto inverse = ratio_interval(b, a, confidence);
    if (!ratio || !inverse || ratio->low <= 0)
      continue;
    EXPECT_NEAR(ratio->low * inverse->high, 1, 1e-9);
    EXPECT_NEAR(ratio->high * inverse->low, 1, 1e-9);
  }
}

TEST(intervals, widen_with_confidence_and_hold_what_was_measured) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 500; ++i) {
    const auto [a, b] = random_pair(random);
    const auto narrow = difference_interval(a, b, 0.9);
    const auto wide = difference_interval(a, b, 0.99);
    EXPECT_LT(wide->low, narrow->low);
    EXPECT_GT(wide->high, narrow->high);
    EXPECT_TRUE(holds(narrow, b.mean - a.mean));
    if (const auto ratio = ratio_interval(a, b, confidence)) {
      EXPECT_TRUE(holds(ratio, b.mean / a.mean));
    }
  }
}

TEST(intervals, need_two_values_of_each) {
  const auto one = sample_of(Values{5});
  const auto two = sample_of(Values{4, 6});
  EXPECT_EQ(one.deviation, 0);
  EXPECT_FALSE(difference_interval(one, two, confidence));
  EXPECT_FALSE(difference_interval(two, one, confidence));
  EXPECT_FALSE(ratio_interval(one, two, confidence));
  EXPECT_FALSE(ratio_interval(two, one, confidence));
  EXPECT_FALSE(mean_interval(one, confidence));
}

/// A simulation that is repeated to the digit.
TEST(intervals, of_values_that_do_not_vary_are_points) {
  const auto a = sample_of(Values(7, 0.1));
  const auto b = sample_of(Values(3, 0.3));
  EXPECT_EQ(a.deviation, 0);
  EXPECT_EQ(a.mean, 0.1);
  const auto difference = difference_interval(a, b, confidence);
  EXPECT_EQ(difference->low, difference->high);
  EXPECT_DOUBLE_EQ(difference->low, 0.3 - 0.1);
  const auto ratio = ratio_interval(a, b, confidence);
  EXPECT_DOUBLE_EQ(ratio->low, 3);
  EXPECT_DOUBLE_EQ(ratio->high, 3);
}

/// With two values, t is up to 12.7: no multiple of a is excluded.
TEST(a_ratio, to_what_varies_too_much_has_no_interval) {
  EXPECT_FALSE(ratio_interval(sample_of(Values{1, 9}), sample_of(Values{5, 5.1}), confidence));
}

} // namespace
} // namespace hypermile::estimate
