#include "runtime/decide/common_iterations.hpp"

#include "support/nodes.hpp"
#include "support/scripted_timeline.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace hypermile::runtime {
namespace {

using test::Script;

const std::vector<Iterations> none;

/// What a rank has recorded: some events before its first iteration, and iterations of as many.
Measurement recorded(int rank, Script& script, std::size_t before, std::size_t in_iteration,
                     std::size_t count) {
  Measurement m{.rank = rank, .node = test::node("node-" + std::to_string(rank))};
  for (std::size_t i = 0; i <= count; ++i)
    m.iterations.push_back(before + i * in_iteration);
  m.timeline = script.done();
  return m;
}

/// The rank has done `done` iterations of a pipeline, which are no longer recorded, and then some
/// that are.
Measurement in_pipeline(int rank, int ranks, std::uint64_t done, std::size_t count) {
  Script script;
  std::size_t in_iteration = 0;
  for (std::size_t i = 0; i < count; ++i) {
    in_iteration = 0;
    script.computes(0.1);
    if (rank > 0) {
      script.receives(rank - 1, 0.01);
      in_iteration += 2;
    }
    if (rank + 1 < ranks) {
      script.sends(rank + 1, 0.01);
      in_iteration += 2;
    }
  }
  Measurement m = recorded(rank, script, 0, in_iteration, count);
  m.timeline->before.assign(m.timeline->operations.size(), 0);
  for (std::size_t e = 0; e < in_iteration; ++e)
    m.timeline->before[e] = done;
  for (std::uint64_t& first : m.iterations)
    first += model::events_before(*m.timeline);
  return m;
}

TEST(common_iterations, are_the_same_ones_however_far_a_rank_is_ahead) {
  // Recorded are iterations 10 to 15, 8 to 14, and 5 to 12.
  const auto common = common_iterations(
      {in_pipeline(0, 3, 10, 6), in_pipeline(1, 3, 8, 7), in_pipeline(2, 3, 5, 8)});
  EXPECT_EQ(common, (std::vector<Iterations>{{0, 3}, {2, 3}, {5, 3}})); // 10 to 12
}

TEST(common_iterations, are_none_where_a_rank_has_left_all_that_others_have_recorded) {
  EXPECT_EQ(common_iterations({in_pipeline(0, 2, 10, 4), in_pipeline(1, 2, 5, 5)}), none);
  EXPECT_NE(common_iterations({in_pipeline(0, 2, 9, 4), in_pipeline(1, 2, 5, 5)}), none);
}

TEST(common_iterations, are_none_of_ranks_that_have_nothing_to_do_with_each_other) {
  Script a;
  Script b;
  a.computes(1).calls(0.1).computes(1).calls(0.1);
  b.computes(1).calls(0.1).computes(1).calls(0.1);
  EXPECT_EQ(common_iterations({recorded(0, a, 0, 1, 2), recorded(1, b, 0, 1, 2)}), none);
}

TEST(common_iterations, are_none_of_different_loops) {
  auto a = in_pipeline(0, 2, 3, 4);
  const auto b = in_pipeline(1, 2, 3, 4);
  a.of_one_loop = false;
  EXPECT_EQ(common_iterations({a, b}), none);
}

TEST(common_iterations, are_aligned_by_collective_operations) {
  Script a;
  Script b;
  const auto iteration = [](Script& script) {
    script.computes(1)
        .joins(model::Shape::all, 2, 0.5)
        .computes(1)
        .joins(model::Shape::all, 2, 0.5);
  };
  for (int i = 0; i < 4; ++i)
    iteration(a);
  b.computes(1).joins(model::Shape::all, 2, 0.5).computes(1).joins(model::Shape::all, 2, 0.5);
  for (int i = 0; i < 3; ++i)
    iteration(b);
  // The second rank's first iteration is what the first one calls its second.
  const auto common = common_iterations({recorded(0, a, 0, 4, 4), recorded(1, b, 4, 4, 3)});
  EXPECT_EQ(common, (std::vector<Iterations>{{1, 3}, {0, 3}}));
}

TEST(common_iterations, are_cut_out_with_the_time_at_which_the_rank_began_them) {
  Script a;
  for (int i = 0; i < 5; ++i)
    a.computes(1).sends(1, 0.5);
  const Measurement m = recorded(0, a, 0, 2, 5);
  const model::RankTimeline part = extract(m, {.first = 2, .count = 2});
  EXPECT_EQ(part.events.size(), 4u);
  EXPECT_DOUBLE_EQ(part.begin.value(), 3);
  EXPECT_EQ(model::events_before(part), 4u);
  EXPECT_DOUBLE_EQ(model::end(part).value(), 6);
}

} // namespace
} // namespace hypermile::runtime
