#include "runtime/decide/rank_shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace hypermile::runtime {
namespace {

/// Ranks on nodes of some types, which have more or less to do than most: `share`, as a logarithm.
struct Noisy {
  std::vector<double> share;
  double noise = 0;
  unsigned seed = 1;
  std::size_t types = 4;

  [[nodiscard]] Stretches make(std::size_t iterations) const {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal;
    Stretches stretches;
    for (std::size_t r = 0; r < share.size(); ++r) {
      stretches.type.push_back(r % types);
      stretches.speed.push_back(1 + static_cast<double>(r % types));
      auto& seconds = stretches.seconds.emplace_back();
      for (std::size_t i = 0; i < iterations; ++i)
        seconds.push_back(std::exp(share[r] + noise * normal(engine)) / stretches.speed[r]);
    }
    return stretches;
  }
};

/// How far estimates are off, relative to each other: root mean square of logarithms.
double error(const Noisy& truth, const std::vector<double>& seconds, const Stretches& stretches) {
  std::vector<double> off;
  for (std::size_t r = 0; r < seconds.size(); ++r)
    off.push_back(std::log(seconds[r] * stretches.speed[r]) - truth.share[r]);
  const double mean =
      std::accumulate(off.begin(), off.end(), 0.0) / static_cast<double>(off.size());
  double squares = 0;
  for (const double o : off)
    squares += (o - mean) * (o - mean);
  return std::sqrt(squares / static_cast<double>(off.size()));
}

std::vector<double> means(const Stretches& stretches) {
  std::vector<double> means;
  for (const auto& seconds : stretches.seconds)
    means.push_back(std::accumulate(seconds.begin(), seconds.end(), 0.0) /
                    static_cast<double>(seconds.size()));
  return means;
}

TEST(rank_shares, are_what_was_measured_where_nothing_varies) {
  const Noisy truth{.share = {0, 0, 0, 0, 0.2, 0, 0, 0}};
  const Stretches stretches = truth.make(10);
  const auto shares = estimate_shares(stretches);
  ASSERT_TRUE(shares);
  for (std::size_t r = 0; r < 8; ++r)
    EXPECT_NEAR(shares->computation[r] / stretches.seconds[r][0], 1, 0.01);
}

TEST(rank_shares, are_nearer_the_truth_than_the_means_of_few_noisy_iterations) {
  for (const std::size_t ranks : {8U, 32U, 128U})
    for (const std::size_t iterations : {2U, 3U, 5U}) // of one it cannot be told what was noise
      for (const double noise : {0.02, 0.1, 0.3}) {
        double ours = 0;
        double plain = 0;
        for (unsigned seed = 1; seed <= 40; ++seed) {
          std::mt19937 engine(1000 + seed);
          std::normal_distribution<double> normal(0, 0.02);
          Noisy truth{.share = std::vector<double>(ranks), .noise = noise, .seed = seed};
          std::ranges::generate(truth.share, [&] { return normal(engine); });
          const Stretches stretches = truth.make(iterations);
          ours += error(truth, estimate_shares(stretches)->computation, stretches);
          plain += error(truth, means(stretches), stretches);
        }
        EXPECT_LT(ours, plain * (noise > 0.05 ? 0.7 : 1.02))
            << ranks << " ranks, " << iterations << " iterations, noise " << noise;
      }
}

TEST(rank_shares, count_what_was_late_once_for_little) {
  Stretches stretches = Noisy{.share = std::vector<double>(8), .noise = 0.01}.make(3);
  stretches.seconds[2][1] *= 1.5;
  const auto shares = estimate_shares(stretches);
  EXPECT_NEAR(shares->computation[2] * stretches.speed[2] /
                  (shares->computation[3] * stretches.speed[3]),
              1, 0.03);
}

/// One iteration in 50 takes half as long again: with many ranks that happens all the time.
TEST(rank_shares, draw_iterations_as_late_and_as_often_as_they_were) {
  constexpr std::size_t ranks = 64;
  constexpr std::size_t iterations = 10;
  Stretches stretches = Noisy{.share = std::vector<double>(ranks), .noise = 0.01}.make(iterations);
  for (std::size_t i = 0; i < ranks * iterations; i += 50)
    stretches.seconds[i % ranks][i / ranks] *= 1.5;
  const auto shares = estimate_shares(stretches);
  std::mt19937 engine(5);
  constexpr int draws = 20'000;
  int late = 0;
  double sum = 0;
  for (int i = 0; i < draws; ++i) {
    const auto drawn = shares->draw(engine);
    late += drawn.late && drawn.off > 0.35 ? 1 : 0;
    sum += drawn.off;
  }
  EXPECT_NEAR(late, draws / 50, draws / 200);
  EXPECT_NEAR(sum / draws, std::log(1.5) / 50, 0.003);
}

TEST(rank_shares, know_how_much_their_draws_vary) {
  for (const std::size_t iterations : std::vector<std::size_t>{2, 40}) {
    Stretches stretches = Noisy{.share = std::vector<double>(8), .noise = 0.05}.make(iterations);
    stretches.seconds[3][1] *= 3;
    const auto shares = estimate_shares(stretches);
    std::mt19937 engine(7);
    constexpr int draws = 200'000;
    double squares = 0;
    for (int i = 0; i < draws; ++i)
      squares += std::pow(shares->draw(engine).off, 2) / draws;
    EXPECT_NEAR(shares->variance() / squares, 1, 0.05) << iterations;
  }
}

/// Of few figures one that is far off says little of how often others will be.
TEST(rank_shares, draw_as_noise_lets_expect_where_few_iterations_were_seen) {
  Stretches stretches = Noisy{.share = std::vector<double>(4), .noise = 0.01}.make(2);
  stretches.seconds[1][1] *= 1.5;
  const auto shares = estimate_shares(stretches);
  std::mt19937 engine(6);
  constexpr int draws = 20'000;
  int late = 0;
  for (int i = 0; i < draws; ++i)
    late += shares->draw(engine).off > 0.3 ? 1 : 0;
  EXPECT_LT(late, draws / 30); // of what was seen it is an eighth
}

TEST(rank_shares, tell_of_a_rank_whose_latest_iteration_was_unlike_the_others) {
  Stretches stretches = Noisy{.share = std::vector<double>(8), .noise = 0.01}.make(4);
  stretches.seconds[2].back() *= 1.5;
  stretches.seconds[4][1] *= 1.5; // long ago
  const auto shares = estimate_shares(stretches);
  EXPECT_NEAR(shares->latest[2], std::log(1.5), 0.05);
  for (const std::size_t r : {0U, 1U, 3U, 4U, 5U, 6U, 7U})
    EXPECT_EQ(shares->latest[r], 0) << r;
}

/// What noise explains says nothing; nor does what no gear would feel.
TEST(rank_shares, seldom_find_the_latest_iteration_unlike_where_there_is_but_noise) {
  std::size_t unlike = 0;
  for (unsigned seed = 1; seed <= 100; ++seed)
    for (const double noise : {0.02, 0.1, 0.3}) {
      const Noisy program{.share = std::vector<double>(8), .noise = noise, .seed = seed};
      const auto shares = estimate_shares(program.make(6));
      unlike += static_cast<std::size_t>(
          std::ranges::count_if(shares->latest, [](double latest) { return latest != 0; }));
    }
  EXPECT_LT(unlike, 2400 / 20);
}

/// Of many ranks some figure is always far off: it has to be so much further, then.
TEST(rank_shares, find_a_rank_unlike_the_others_by_noise_no_more_often_where_there_are_many) {
  constexpr std::size_t programs = 100;
  for (const std::size_t ranks : {16U, 64U, 256U}) {
    std::size_t mistaken = 0;
    for (unsigned seed = 1; seed <= programs; ++seed) {
      const Noisy program{.share = std::vector<double>(ranks), .noise = 0.1, .seed = seed};
      const auto shares = estimate_shares(program.make(8));
      mistaken += std::ranges::any_of(shares->latest, [](double latest) { return latest != 0; });
    }
    EXPECT_LT(mistaken, programs / 2) << ranks << " ranks"; // 0.2 are expected
  }
}

TEST(rank_shares, believe_a_lasting_difference) {
  Noisy truth{.share = std::vector<double>(8), .noise = 0.02};
  truth.share[5] = 0.4;
  const Stretches stretches = truth.make(5);
  const auto shares = estimate_shares(stretches);
  EXPECT_NEAR(std::log(shares->computation[5] * stretches.speed[5] / shares->computation[1] /
                       stretches.speed[1]),
              0.4, 0.05);
  EXPECT_LT(shares->deviation[5], 0.05);
}

TEST(rank_shares, see_that_the_nodes_of_a_type_are_faster_than_was_said) {
  Noisy truth{.share = std::vector<double>(64), .noise = 0.1};
  for (std::size_t r = 1; r < 64; r += 4)
    truth.share[r] = -0.15; // of type 1
  const Stretches stretches = truth.make(2);
  EXPECT_LT(error(truth, estimate_shares(stretches)->computation, stretches), 0.04);
  EXPECT_GT(error(truth, means(stretches), stretches), 0.06);
}

TEST(rank_shares, are_unsure_after_one_iteration_and_less_so_after_more) {
  const Noisy truth{.share = std::vector<double>(8), .noise = 0.05};
  double before = 1;
  for (const std::size_t iterations : {1U, 4U, 16U}) {
    const double deviation = estimate_shares(truth.make(iterations))->deviation[0];
    EXPECT_LT(deviation, before);
    before = deviation;
  }
}

TEST(rank_shares, are_unknown_where_a_rank_computes_nothing_or_nothing_was_measured) {
  Stretches stretches = Noisy{.share = {0, 0, 0}}.make(2);
  stretches.seconds[1][0] = 0;
  EXPECT_FALSE(estimate_shares(stretches));
  EXPECT_FALSE(estimate_shares(Noisy{.share = {0, 0}}.make(0)));
  EXPECT_FALSE(estimate_shares(Stretches{}));
}

} // namespace
} // namespace hypermile::runtime
