#include "runtime/decide/iteration_parts.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hypermile::runtime {
namespace {

constexpr std::uint32_t parts = 4;

/// Ranks that compute 1 s in each iteration, in four parts before an operation each.
/// `share(rank, part)`: what they mostly take; each is off by `noise` x the standard deviation.
template <class Share>
model::Timeline recorded(std::size_t ranks, std::size_t iterations, double noise,
                         const Share& share) {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  model::Timeline timeline{.functions = {"Barrier"}, .ranks = {}};
  for (std::size_t r = 0; r < ranks; ++r) {
    auto& rank = timeline.ranks.emplace_back();
    rank.operations.push_back({.action = model::Action::arrive});
    for (std::size_t i = 0; i < iterations; ++i)
      for (std::uint32_t p = 0; p < parts; ++p)
        rank.events.push_back(
            {.ends_call = 1,
             .computation = static_cast<float>(share(r, p) * (1 + noise * normal(engine)))});
  }
  return timeline;
}

IterationParts::Firsts firsts_of(const model::Timeline& timeline) {
  IterationParts::Firsts firsts;
  for (const auto& rank : timeline.ranks) {
    firsts.emplace_back();
    for (std::uint32_t e = 0; e <= rank.events.size(); e += parts)
      firsts.back().push_back(e);
  }
  return firsts;
}

/// Mean squared error of the parts of the first iteration, in shares of it.
template <class Share>
double error_of(const model::Timeline& timeline, std::size_t ranks, const Share& share) {
  double squares = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    const double sum = computed_in_gear0(timeline.ranks[r], 0, parts).value();
    for (std::uint32_t p = 0; p < parts; ++p)
      squares += std::pow(
          static_cast<double>(timeline.ranks[r].events[p].computation) / sum - share(r, p), 2);
  }
  return squares / static_cast<double>(ranks * parts);
}

TEST(iteration_parts, of_ranks_that_are_alike_are_nearer_the_truth_than_what_was_recorded) {
  const auto alike = [](std::size_t, std::uint32_t part) { return 0.1 + 0.1 * part; };
  auto timeline = recorded(32, 3, 0.1, alike);
  const double before = error_of(timeline, 32, alike);
  const auto firsts = firsts_of(timeline);
  IterationParts(timeline, firsts).divide(timeline);
  EXPECT_LT(error_of(timeline, 32, alike), before / 5);
}

TEST(iteration_parts, keep_a_difference_that_comes_back_in_each_iteration) {
  const auto differs = [](std::size_t rank, std::uint32_t part) {
    return rank % 2 == 0 ? 0.1 + 0.1 * part : 0.4 - 0.1 * part;
  };
  auto timeline = recorded(32, 3, 0.05, differs);
  const double before = error_of(timeline, 32, differs);
  const auto firsts = firsts_of(timeline);
  IterationParts(timeline, firsts).divide(timeline);
  EXPECT_LT(error_of(timeline, 32, differs), before);
}

TEST(iteration_parts, draw_the_noise_that_they_took_out) {
  const auto alike = [](std::size_t, std::uint32_t) { return 0.25; };
  const auto timeline = recorded(32, 4, 0.1, alike);
  const auto firsts = firsts_of(timeline);
  const IterationParts all(timeline, firsts);
  EXPECT_EQ(all.blocks()[0].size(), 4 * parts + 1);
  std::mt19937 engine(2);
  double squares = 0;
  for (int i = 0; i < 100; ++i)
    for (const double factor : all.draw(0, {{2}, {2}, {2}, {2}}, engine))
      squares += std::pow(factor / 2 - 1, 2);
  // A part takes three quarters of its variance from the rest of the iteration.
  EXPECT_NEAR(std::sqrt(squares / (100 * 4 * parts)), 0.1 * std::sqrt(0.75), 0.02);
}

TEST(iteration_parts, of_a_rank_that_is_like_no_other_stay_as_they_were_recorded) {
  const auto alike = [](std::size_t, std::uint32_t) { return 0.25; };
  auto timeline = recorded(2, 3, 0.1, alike);
  const auto firsts = firsts_of(timeline);
  const float before = timeline.ranks[0].events[1].computation;
  const IterationParts all(timeline, firsts);
  all.divide(timeline);
  EXPECT_EQ(timeline.ranks[0].events[1].computation, before);
  EXPECT_EQ(all.blocks(), firsts);
  std::mt19937 engine;
  EXPECT_EQ(all.draw(0, {{1}, {.factor = 2, .late = 0.5}, {3}}, engine),
            (std::vector<double>{1, 2.5, 3}));
}

/// What two moments have in common of ranks that differ begins and ends within an iteration.
TEST(iteration_parts, are_alike_also_where_the_first_iteration_and_the_last_are_not_whole) {
  const auto alike = [](std::size_t, std::uint32_t part) { return 0.1 + 0.1 * part; };
  for (const std::uint32_t missing : {1U, 2U, 3U}) {
    auto timeline = recorded(32, 4, 0.1, alike);
    IterationParts::Firsts firsts;
    for (auto& rank : timeline.ranks) {
      rank.operations.push_back({.action = model::Action::other}); // tells parts from each other
      for (std::size_t e = 0; e < rank.events.size(); ++e)
        rank.events[e].operation = e % parts == 1 ? 1 : 0;
      rank.events.erase(rank.events.begin(), rank.events.begin() + missing);
      rank.events.resize(rank.events.size() - (parts - missing));
      const auto end = static_cast<std::uint32_t>(rank.events.size());
      firsts.push_back({0, parts - missing, 2 * parts - missing, 3 * parts - missing, end});
    }
    const auto squares = [&] {
      double sum = 0;
      for (const auto& rank : timeline.ranks)
        for (std::uint32_t e = 0; e < rank.events.size(); ++e)
          sum += std::pow(
              static_cast<double>(rank.events[e].computation) - alike(0, (e + missing) % parts), 2);
      return sum;
    };
    const double before = squares();
    const IterationParts all(timeline, firsts);
    all.divide(timeline);
    EXPECT_LT(squares(), before) << missing << " missing";
    std::mt19937 engine(3);
    EXPECT_EQ(all.draw(0, {{}, {}, {}, {}}, engine).size(), timeline.ranks[0].events.size());
  }
}

TEST(iteration_parts, are_late_one_at_a_time_and_the_longer_ones_more_often) {
  const auto share = [](std::size_t, std::uint32_t part) { return 0.1 + 0.1 * part; };
  const auto timeline = recorded(8, 2, 0, share);
  const auto firsts = firsts_of(timeline);
  const IterationParts all(timeline, firsts);
  std::mt19937 engine(4);
  std::vector<int> late(parts);
  constexpr int draws = 2000;
  for (int i = 0; i < draws; ++i) {
    const auto factors = all.draw(0, {{}, {.factor = 2, .late = 0.5}}, engine);
    double more = 0;
    for (std::uint32_t p = 0; p < parts; ++p) {
      EXPECT_NEAR(factors[p], 1, 1e-5);
      const double late_by = (factors[parts + p] - 2) * share(0, p);
      late[p] += late_by > 0.25 ? 1 : 0;
      more += late_by;
    }
    ASSERT_NEAR(more, 0.5, 1e-5);
  }
  for (std::uint32_t p = 0; p < parts; ++p)
    EXPECT_NEAR(late[p], draws * share(0, p), 100) << "part " << p;
}

} // namespace
} // namespace hypermile::runtime
