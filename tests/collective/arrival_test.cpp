#include "collective/arrival.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace hypermile::collective {
namespace {

std::vector<double> drawn(const std::string& text, std::uint64_t seed = 1) {
  const Arrival arrival = parse_arrival(text);
  std::vector<double> all;
  for (std::uint64_t operation = 0; operation < 1000; ++operation)
    for (std::uint64_t process = 0; process < 20; ++process)
      all.push_back(lateness_s(arrival, seed, operation, process));
  return all;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return sum / static_cast<double>(values.size());
}

double deviation(const std::vector<double>& values) {
  const double middle = mean(values);
  double sum = 0;
  for (const double value : values)
    sum += (value - middle) * (value - middle);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

// Of 20000 draws; the tolerances are some 5 standard errors.
TEST(Arrival, draws_from_the_distribution_that_was_asked_for) {
  const auto uniform = drawn("uniform:5ms");
  EXPECT_NEAR(mean(uniform), 2.5e-3, 6e-5);
  EXPECT_NEAR(deviation(uniform), 5e-3 / std::sqrt(12.0), 4e-5);
  const auto normal = drawn("normal:1ms");
  EXPECT_NEAR(mean(normal), 3e-3, 4e-5);
  EXPECT_NEAR(deviation(normal), 1e-3, 3e-5);
  const auto exponential = drawn("exponential:200us");
  EXPECT_NEAR(mean(exponential), 2e-4, 8e-6);
  EXPECT_NEAR(deviation(exponential), 2e-4, 1.5e-5);
  const auto together = drawn("together");
  EXPECT_TRUE(std::ranges::all_of(together, [](double late_s) { return late_s == 0; }));
}

TEST(Arrival, stays_in_its_range) {
  const auto within = [](const std::vector<double>& values, double most) {
    const auto [least, largest] = std::ranges::minmax_element(values);
    return *least >= 0 && *largest <= most;
  };
  EXPECT_TRUE(within(drawn("uniform:5ms"), 5e-3));
  EXPECT_TRUE(within(drawn("normal:1ms"), 6e-3));
  EXPECT_TRUE(within(drawn("exponential:1ms"), 10e-3));
}

/// Of 8 processes: within a factor of 2 of the mean of the latest.
TEST(Arrival, tells_about_how_late_the_last_process_is) {
  for (const char* const text : {"uniform:5ms", "normal:1ms", "exponential:200us"}) {
    const Arrival arrival = parse_arrival(text);
    double sum_s = 0;
    for (std::uint64_t operation = 0; operation < 1000; ++operation) {
      double last_s = 0;
      for (std::uint64_t process = 0; process < 8; ++process)
        last_s = std::max(last_s, lateness_s(arrival, 1, operation, process));
      sum_s += last_s;
    }
    EXPECT_GT(usual_last_s(arrival), sum_s / 1000 / 2) << text;
    EXPECT_LT(usual_last_s(arrival), sum_s / 1000 * 2) << text;
  }
  EXPECT_EQ(usual_last_s({}), 0);
}

TEST(Arrival, is_the_same_for_the_same_seed_and_differs_between_processes_and_operations) {
  const auto one = drawn("uniform:5ms", 7);
  EXPECT_EQ(one, drawn("uniform:5ms", 7));
  EXPECT_NE(one, drawn("uniform:5ms", 8));
  auto sorted = one;
  std::ranges::sort(sorted);
  EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end());
}

TEST(Arrival, is_read_as_it_is_written) {
  for (const char* const text :
       {"together", "uniform:5ms", "normal:1us", "exponential:1s", "uniform:0.0123456789s"}) {
    const Arrival arrival = parse_arrival(text);
    EXPECT_EQ(parse_arrival(arrival_text(arrival)), arrival) << text;
  }
  EXPECT_EQ(arrival_text(parse_arrival("uniform:5ms")), "uniform:0.005s");
}

TEST(Arrival, anything_else_is_refused) {
  for (const char* const text :
       {"", "uniform", "uniform:", "uniform:5", "uniform:5m", "uniform:5 ms", "uniform:-5ms",
        "uniform:nan", "uniform:infs", "uniform:0ms", "uniform:2s", "uniform:0.1us",
        "together:", "together:1ms", "Uniform:5ms", "gamma:5ms", "uniform:5ms:", "uniform:5mss"})
    EXPECT_THROW((void)parse_arrival(text), std::invalid_argument) << text;
}

} // namespace
} // namespace hypermile::collective
