#include "runtime/decide/bootstrap_blocks.hpp"

#include "support/nodes.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace hypermile::runtime {
namespace {

using Firsts = std::vector<std::vector<std::uint32_t>>;

/// Calls that compute for 1 s and take no time.
model::RankTimeline calls(std::size_t count, std::uint64_t cut_off = 0) {
  model::RankTimeline rank;
  rank.operations = {{}};
  rank.before = {cut_off};
  for (std::size_t i = 0; i < count; ++i) {
    rank.events.push_back({.operation = 0, .computation = 1});
    rank.events.back().ends_call = 1;
  }
  return rank;
}

Measurement with_iterations(std::vector<std::uint64_t> begins) {
  Measurement m{.node = test::node("n")};
  m.iterations = std::move(begins);
  return m;
}

TEST(blocks, are_the_iterations_that_the_timeline_has) {
  const model::Timeline timeline{.functions = {}, .ranks = {calls(10, 100), calls(10)}};
  const auto blocks = bootstrap_blocks_of(
      {with_iterations({98, 100, 102, 104, 106, 108, 110}), with_iterations({0, 2, 4, 6, 8})},
      timeline);
  EXPECT_EQ(blocks, (Firsts{{0, 2, 4, 6, 8, 10}, {0, 2, 4, 6, 8}}));
}

/// Ranks begin and end iterations at different moments, so that what is known of all may lack a
/// call or two.
TEST(iterations, are_those_of_which_hardly_anything_is_missing) {
  const model::Timeline timeline{.functions = {}, .ranks = {calls(98, 101)}};
  Measurement m = with_iterations({100, 150, 200});
  m.computations = {Seconds{50}, Seconds{50}};
  EXPECT_EQ(iterations_in({m}, timeline), (Firsts{{0, 49, 98}}));
  m.iterations = {95, 150, 205}; // more than a twentieth
  m.computations = {Seconds{55}, Seconds{55}};
  EXPECT_TRUE(iterations_in({m}, timeline).empty());
  m.iterations = {100, 150, 200};
  m.computations.clear(); // nobody knows
  EXPECT_TRUE(iterations_in({m}, timeline).empty());
}

TEST(blocks, are_parts_of_the_time_where_a_rank_has_few_iterations) {
  const model::Timeline timeline{.functions = {}, .ranks = {calls(8), calls(8)}};
  const auto blocks =
      bootstrap_blocks_of({with_iterations({0, 4}), with_iterations({0, 1, 2, 3, 4})}, timeline);
  const std::vector<std::uint32_t> eighths{0, 1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(blocks, (Firsts{eighths, eighths}));
}

TEST(blocks, are_unknown_where_a_rank_hardly_computes) {
  model::RankTimeline idle = calls(8);
  for (auto& event : idle.events)
    std::swap(event.computation, event.duration);
  const model::Timeline timeline{.functions = {}, .ranks = {calls(8), idle}};
  EXPECT_TRUE(bootstrap_blocks_of({with_iterations({}), with_iterations({})}, timeline).empty());
  const model::Timeline nothing{.functions = {}, .ranks = {calls(0), calls(0)}};
  EXPECT_TRUE(bootstrap_blocks_of({with_iterations({}), with_iterations({})}, nothing).empty());
}

} // namespace
} // namespace hypermile::runtime
