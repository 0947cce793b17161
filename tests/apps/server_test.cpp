// The parts of the server that need no clock, and the pool of threads.

#include "server/arrivals.hpp"
#include "server/latencies.hpp"
#include "server/options.hpp"
#include "server/queue.hpp"
#include "server/steps.hpp"
#include "server/work.hpp"
#include "server/workers.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace apps::server {
namespace {

Options options_of(const std::vector<std::string_view>& arguments) {
  return read_options(arguments);
}

TEST(ServerSteps, hold_from_their_time_on) {
  const auto steps = read_steps("0:1,30:2.5,60:0.5");
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps->at(0), 1);
  EXPECT_EQ(steps->at(29.9), 1);
  EXPECT_EQ(steps->at(30), 2.5);
  EXPECT_EQ(steps->at(1e9), 0.5);
  EXPECT_EQ(steps->largest(), 2.5);
}

TEST(ServerSteps, are_1_before_the_first) {
  EXPECT_EQ(Steps().at(5), 1);
  EXPECT_EQ(Steps().largest(), 1);
  EXPECT_EQ(read_steps("10:0.5")->at(5), 1);
  EXPECT_EQ(read_steps("10:0.5")->largest(), 1);
  EXPECT_EQ(read_steps("0:0.5")->largest(), 0.5);
}

TEST(ServerSteps, that_are_none_are_refused) {
  for (const char* text : {"", "1", "0:", ":1", "0:1,", "0:1,,5:1", "0:1;5:2", "5:1,5:2", "5:1,4:2",
                           "-1:1", "0:0", "0:-1", "0:1001", "0:nan", "nan:1", "0:1x", "0:1 ,5:1"})
    EXPECT_FALSE(read_steps(text)) << text;
}

TEST(ServerOptions, stand_behind_an_equals_sign_or_in_the_next_argument) {
  const Options options = options_of({"--rate=250", "--threads", "3", "--phases", "0:1,5:2",
                                      "--duration", "2.5", "--points=1000", "--saturate", "-v"});
  EXPECT_EQ(options.error, "");
  EXPECT_EQ(options.rate, 250);
  EXPECT_EQ(options.threads, 3);
  EXPECT_EQ(options.phases.at(5), 2);
  EXPECT_EQ(options.duration, 2.5);
  EXPECT_EQ(options.points, 1000);
  EXPECT_TRUE(options.saturate);
  EXPECT_TRUE(options.verbose);
}

TEST(ServerOptions, that_are_wrong_are_said_to_be) {
  EXPECT_EQ(options_of({"--rates", "5"}).error, "unknown argument '--rates'; try: --help");
  EXPECT_EQ(options_of({"--rate"}).error,
            "--rate needs a value; try: a number from 0.001 to 1000000");
  EXPECT_EQ(options_of({"--swing", "2"}).error, "--swing cannot be '2'; try: a number from 0 to 1");
  for (const auto& [name, value] :
       std::vector<std::pair<std::string_view, std::string_view>>{{"--rate", "0"},
                                                                  {"--rate", "-1"},
                                                                  {"--rate", "nan"},
                                                                  {"--rate", "5/s"},
                                                                  {"--threads", "0"},
                                                                  {"--threads", "1.5"},
                                                                  {"--duration", "0"},
                                                                  {"--work", ""},
                                                                  {"--points", "1e99"},
                                                                  {"--queue", "0"},
                                                                  {"--phases", "0"},
                                                                  {"--seed", "-1"}})
    EXPECT_NE(options_of({name, value}).error, "") << name << ' ' << value;
}

TEST(ServerArrivals, repeat_with_the_same_seed_only) {
  const Rate rate{.mean = 100, .swing = 0.5, .day = 10, .steps = {}};
  Arrivals one(rate, 1);
  Arrivals same(rate, 1);
  Arrivals other(rate, 2);
  bool differ = false;
  for (int i = 0; i < 100; ++i) {
    const double next = one.next();
    EXPECT_EQ(same.next(), next);
    differ = differ || other.next() != next;
  }
  EXPECT_TRUE(differ);
}

/// How many arrive in each of `seconds` seconds.
std::vector<double> counts_per_second(const Rate& rate, std::size_t seconds) {
  std::vector<double> counts(seconds);
  Arrivals arrivals(rate, 7);
  for (double next = arrivals.next(); next < static_cast<double>(seconds); next = arrivals.next())
    ++counts[static_cast<std::size_t>(next)];
  return counts;
}

TEST(ServerArrivals, are_as_many_as_the_rate_says_and_scatter_as_poisson_says) {
  const auto counts = counts_per_second({.mean = 100, .swing = 0, .day = 60, .steps = {}}, 10'000);
  double mean = 0;
  double squares = 0;
  for (const double count : counts) {
    mean += count / 10'000;
    squares += count * count / 10'000;
  }
  EXPECT_NEAR(mean, 100, 0.5);                 // 5 standard deviations of 0.1
  EXPECT_NEAR(squares - mean * mean, 100, 10); // the variance is the mean; deviation 1.4
}

TEST(ServerArrivals, follow_the_day_and_the_steps) {
  const Rate rate{.mean = 1e5, .swing = 0.5, .day = 4, .steps = *read_steps("4:2,8:0.5")};
  const auto counts = counts_per_second(rate, 12);
  // The mean of the sine over the first half of a day is 2/pi.
  const double day = 1 + 0.5 * 2 / std::acos(-1);
  const double night = 2 - day;
  for (const std::size_t i : {0U, 1U, 4U, 5U, 8U, 9U})
    EXPECT_NEAR(counts[i] / (1e5 * rate.steps.at(static_cast<double>(i))), day, 0.03) << i;
  for (const std::size_t i : {2U, 3U, 6U, 7U, 10U, 11U})
    EXPECT_NEAR(counts[i] / (1e5 * rate.steps.at(static_cast<double>(i))), night, 0.03) << i;
}

TEST(ServerLatencies, are_right_to_1_percent) {
  Latencies latencies;
  for (int i = 1; i <= 1000; ++i)
    latencies.add(i * 1e-3);
  EXPECT_EQ(latencies.count(), 1000);
  EXPECT_NEAR(latencies.mean(), 0.5005, 1e-9);
  EXPECT_NEAR(latencies.quantile(0.95), 0.95, 0.0096);
  EXPECT_NEAR(latencies.quantile(0.99), 0.99, 0.01);
  EXPECT_NEAR(latencies.quantile(1), 1, 0.0101);
}

TEST(ServerLatencies, may_be_none_or_out_of_range) {
  Latencies latencies;
  EXPECT_EQ(latencies.mean(), 0);
  EXPECT_EQ(latencies.quantile(0.99), 0);
  latencies.add(0);
  latencies.add(-1);
  latencies.add(1e12);
  EXPECT_EQ(latencies.count(), 3);
}

TEST(ServerWork, repeats_and_comes_out_right) {
  const Sample one = draw(3, 100'000);
  EXPECT_EQ(one.inside, draw(3, 100'000).inside);
  EXPECT_NE(one.inside, draw(4, 100'000).inside);
  Sample sum;
  for (std::uint64_t item = 0; item < 20; ++item)
    sum += draw(item, 50'000);
  EXPECT_EQ(sum.points, 1'000'000);
  EXPECT_NEAR(sum.pi(), 3.1416, 0.01);
  EXPECT_TRUE(sum.verified());
}

TEST(ServerWork, that_was_not_done_is_noticed) {
  Sample sample = draw(0, 1'000'000);
  sample.inside -= 5000; // 0.5 %
  EXPECT_FALSE(sample.verified());
  EXPECT_FALSE((Sample{.points = 1'000'000, .inside = 0}).verified());
  EXPECT_TRUE(Sample{}.verified());
}

TEST(ServerQueue, takes_no_more_than_it_holds_and_gives_what_came_first) {
  Queue queue(2);
  EXPECT_TRUE(queue.push({.number = 5, .arrived = {}}));
  EXPECT_TRUE(queue.push({.number = 6, .arrived = {}}));
  EXPECT_FALSE(queue.push({.number = 7, .arrived = {}}));
  EXPECT_EQ(queue.pop()->number, 5);
  EXPECT_EQ(queue.size(), 1);
  queue.close();
  EXPECT_FALSE(queue.pop());
  EXPECT_EQ(queue.size(), 1);
}

/// Threads that count how many of them are at work at the same time.
class Counted {
public:
  explicit Counted(std::size_t threads) : workers_([this] { return work(); }) {
    workers_.resize(threads);
  }
  ~Counted() {
    stop_ = true;
    workers_.stop();
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  /// Returns when so many are at work.
  void become(std::size_t threads) {
    while (at_work_ != threads)
      std::this_thread::yield();
  }
  void resize(std::size_t threads) { workers_.resize(threads); }

private:
  /// An item lasts until the number of those that may work has changed, or more than those are at
  /// work: a thread that was to rest may have begun just before.
  bool work() {
    ++at_work_;
    const std::size_t now = workers_.working();
    while (workers_.working() == now && at_work_ <= now && !stop_)
      std::this_thread::yield();
    --at_work_;
    return true;
  }

  std::atomic<std::size_t> at_work_{0};
  std::atomic<bool> stop_{false};
  Workers workers_;
};

TEST(ServerWorkers, become_more_and_fewer) {
  Counted counted(2);
  for (const std::size_t threads : {1U, 4U, 3U, 4U, 1U}) {
    counted.resize(threads);
    counted.become(threads);
  }
}

TEST(ServerWorkers, may_be_resized_by_one_of_them_and_end) {
  std::atomic<int> items{0};
  Workers* self = nullptr;
  std::atomic<bool> ready{false};
  Workers workers([&] {
    while (!ready)
      std::this_thread::yield();
    self->resize(1 + static_cast<std::size_t>(++items % 3));
    return items < 1000;
  });
  self = &workers;
  workers.resize(2);
  ready = true;
  while (items < 1000)
    std::this_thread::yield();
  workers.stop();
  workers.resize(5);
  workers.stop();
}

} // namespace
} // namespace apps::server
