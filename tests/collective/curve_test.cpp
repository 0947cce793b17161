#include "collective/curve.hpp"

#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace hypermile::collective {
namespace {

double cost(const Line& line, const std::vector<Sample>& samples) {
  double sum = 0;
  for (const Sample& sample : samples)
    sum += std::pow((fitted(line, sample.terms) / sample.time_s - 1) / sample.relative, 2);
  return sum;
}

std::vector<Sample> random_samples(std::mt19937& random, std::size_t count) {
  std::uniform_real_distribution<double> any(0.2, 2);
  std::vector<Sample> samples;
  double size_b = 1000;
  for (std::size_t i = 0; i < count; ++i, size_b *= 2)
    samples.push_back({.terms = terms_of(Form::line, size_b, 0, 4),
                       .size_b = size_b,
                       .time_s = 1e-5 * any(random) + 1e-9 * size_b * any(random),
                       .relative = 0.02 * any(random)});
  return samples;
}

/// The cost is convex, so that a line to which no small step is better is the best.
TEST(Curve, no_line_near_the_fitted_one_is_better) {
  std::mt19937 random(1);
  for (int i = 0; i < test::cases(300); ++i) {
    const auto samples = random_samples(random, 2 + static_cast<std::size_t>(i) % 9);
    const Line line = fit_line(samples);
    EXPECT_GE(line.start_s, 0);
    EXPECT_GE(line.per_byte_s, 0);
    for (const double start_step : {-1e-8, 0.0, 1e-8})
      for (const double byte_step : {-1e-12, 0.0, 1e-12}) {
        const Line near{line.start_s + start_step, line.per_byte_s + byte_step};
        if (near.start_s < 0 || near.per_byte_s < 0)
          continue;
        EXPECT_LE(cost(line, samples), cost(near, samples) * (1 + 1e-9));
      }
  }
}

TEST(Curve, a_start_up_time_that_would_be_negative_is_0) {
  std::vector<Sample> samples;
  for (const double size_b : {1000.0, 2000.0, 4000.0}) // steeper than a line through 0
    samples.push_back({terms_of(Form::line, size_b, 0, 2), size_b, 1e-12 * size_b * size_b, 0.01});
  EXPECT_EQ(fit_line(samples).start_s, 0);
}

// By hand: 4 processes send their parts of 25 bytes in 3 steps.
TEST(Curve, a_ring_has_a_step_for_each_other_process) {
  const Terms terms = terms_of(Form::ring, 100, 0, 4);
  EXPECT_EQ(terms.start, 3);
  EXPECT_EQ(terms.transfer_b, 75);
  EXPECT_EQ(alike_size_b(Form::ring, 100, 4, 8), 200);
  EXPECT_EQ(alike_size_b(Form::line, 100, 4, 8), 100);
}

// By hand, 5 processes: the first of 3 segments takes 4 steps of 100 bytes, the second follows one
// step later, and the last, of 50 bytes, after that.
TEST(Curve, the_last_segment_of_a_pipeline_is_what_is_left) {
  const Terms terms = terms_of(Form::pipeline, 250, 100, 5);
  EXPECT_EQ(terms.start, 6);
  EXPECT_EQ(terms.transfer_b, 4 * 100 + 100 + 50);
  const Terms whole = terms_of(Form::pipeline, 60, 100, 5); // fits in one
  EXPECT_EQ(whole.start, 4);
  EXPECT_EQ(whole.transfer_b, 4 * 60);
}

/// All 2^(n - 1) ways to cut.
double least_cost_by_brute_force(const std::vector<Sample>& samples) {
  const std::size_t n = samples.size();
  double least = 1e300;
  for (unsigned cuts = 0; cuts < 1U << (n - 1); ++cuts) {
    double total = -3 * std::log(static_cast<double>(n));
    std::vector<Sample> part;
    bool allowed = true;
    for (std::size_t i = 0; i < n; ++i) {
      part.push_back(samples[i]);
      if (i + 1 == n || (cuts >> i & 1U) != 0) {
        allowed = allowed && part.size() >= 2;
        total += cost(fit_line(part), part) + 3 * std::log(static_cast<double>(n));
        part.clear();
      }
    }
    if (allowed)
      least = std::min(least, total);
  }
  return least;
}

TEST(Curve, cuts_as_brute_force_does) {
  std::mt19937 random(2);
  for (int i = 0; i < test::cases(60); ++i) {
    const auto samples = random_samples(random, 4 + static_cast<std::size_t>(i) % 7);
    double total = -3 * std::log(static_cast<double>(samples.size()));
    std::size_t next = 0;
    for (const Piece& piece : cut_into_pieces(samples)) {
      EXPECT_EQ(piece.first, next);
      next = piece.last + 1;
      const std::vector<Sample> part(samples.begin() + static_cast<std::ptrdiff_t>(piece.first),
                                     samples.begin() + static_cast<std::ptrdiff_t>(next));
      total += cost(piece.line, part) + 3 * std::log(static_cast<double>(samples.size()));
    }
    EXPECT_EQ(next, samples.size());
    EXPECT_NEAR(total, least_cost_by_brute_force(samples), 1e-6 * std::abs(total) + 1e-9);
  }
}

TEST(Curve, finds_where_the_library_changes_its_protocol) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 0.02);
  std::vector<Sample> samples;
  for (double size_b = 65536; size_b <= 268435456.0; size_b *= 2) {
    const double truth = size_b < 4e6 ? 2e-5 + size_b * 1e-10 : 3e-4 + size_b * 2.5e-10;
    samples.push_back(
        {terms_of(Form::line, size_b, 0, 4), size_b, truth * std::exp(noise(random)), 0.02});
  }
  const auto pieces = cut_into_pieces(samples);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_LT(samples[pieces[0].last].size_b, 4e6);
  EXPECT_GE(samples[pieces[1].first].size_b, 4e6);
  EXPECT_NEAR(pieces[0].line.per_byte_s, 1e-10, 0.1e-10);
  EXPECT_NEAR(pieces[1].line.per_byte_s, 2.5e-10, 0.1e-10);
}

/// [D13] 3.2.2 by hand: V = 1 MB, C = ceil(1e6 / 131072) = 8, P = 112.
TEST(Curve, has_the_formulas_of_the_paper) {
  const Line line{.start_s = 1e-4, .per_byte_s = 1e-9};
  EXPECT_NEAR(fitted(line, terms_of(Form::paper_sag, 1e6, 0, 112)), 2 * 1.1e-3 * 111 / 112, 1e-12);
  EXPECT_NEAR(fitted(line, terms_of(Form::paper_pipeline, 1e6, 131072, 112)),
              1.1e-3 * (8 + 112 - 2) / 8, 1e-12);
  EXPECT_NEAR(fitted(line, terms_of(Form::pipeline, 1e6, 131072, 112)),
              (8 + 112 - 2) * 1e-4 + ((8 + 112 - 3) * 131072 + (1e6 - 7 * 131072)) * 1e-9, 1e-12);
  // Less than a segment is one segment.
  EXPECT_NEAR(fitted(line, terms_of(Form::paper_pipeline, 1000, 131072, 4)), 1.01e-4 * 3, 1e-12);
}

/// What pipelining is: segment i leaves rank r when segment i has come there and segment i - 1 has
/// left.
TEST(Curve, a_pipeline_takes_as_long_as_its_segments_played_through) {
  const Line line{.start_s = 3e-5, .per_byte_s = 2e-10};
  for (const std::size_t processes : {2U, 3U, 8U, 17U})
    for (const std::size_t segments : {1U, 2U, 5U, 40U}) {
      const double size_b = 1e5 * static_cast<double>(segments);
      const double step_s = line.start_s + 1e5 * line.per_byte_s;
      std::vector<double> arrived(segments, 0); // of each segment, at the present rank
      for (std::size_t rank = 1; rank < processes; ++rank) {
        double link_free = 0;
        for (double& time : arrived)
          time = link_free = std::max(time, link_free) + step_s;
      }
      EXPECT_NEAR(fitted(line, terms_of(Form::pipeline, size_b, 100000, processes)), arrived.back(),
                  1e-9 * arrived.back());
    }
}

TEST(Curve, one_piece_fades_into_the_next_between_their_samples) {
  const std::vector<Sample> samples{
      {{1, 1}, 1, 1, 1}, {{1, 2}, 2, 1, 1}, {{1, 4}, 4, 1, 1}, {{1, 8}, 8, 1, 1}};
  const std::vector<Piece> pieces{{0, 1, {}}, {2, 3, {}}};
  EXPECT_EQ(place_of(pieces, samples, 0.5).index, 0U);
  EXPECT_DOUBLE_EQ(place_of(pieces, samples, 2).next, 0);
  EXPECT_DOUBLE_EQ(place_of(pieces, samples, 3).next, 0.5);
  EXPECT_EQ(place_of(pieces, samples, 4).index, 1U);
  EXPECT_EQ(place_of(pieces, samples, 99).index, 1U);
}

} // namespace
} // namespace hypermile::collective
