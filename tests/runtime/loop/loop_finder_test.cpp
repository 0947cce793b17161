#include "runtime/loop/loop_finder.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace hypermile::runtime {
namespace {

/// Feeds a stream in which every letter is an MPI call that takes 1 s after 2 s of computation.
class Stream {
public:
  std::optional<LoopId> call(char name) {
    Span span{.begin = Seconds{now_},
              .end = Seconds{now_ + 3},
              .computation = Seconds{2},
              .computation_in_gear0 = Seconds{2},
              .communication = Seconds{1},
              .calls = 1};
    now_ += 3;
    const auto completed = finder.add(static_cast<CallSignature>(name), span);
    if (completed)
      outermost = completed;
    return completed;
  }
  Stream& calls(std::string_view names, int times = 1) {
    for (int i = 0; i < times; ++i)
      for (const char name : names)
        call(name);
    return *this;
  }
  [[nodiscard]] const Loop& loop() const { return finder.loop(outermost.value()); }
  [[nodiscard]] std::string body() const { return finder.describe(outermost.value()); }

  LoopFinder finder;
  std::optional<LoopId> outermost; ///< of the last completed iteration

private:
  double now_ = 0;
};

TEST(loop_finder, finds_a_simple_loop_at_its_second_iteration) {
  Stream s;
  s.calls("abc").calls("ab");
  EXPECT_FALSE(s.outermost);
  s.call('c');
  ASSERT_TRUE(s.outermost);
  EXPECT_EQ(s.loop().iterations, 2u);
  s.calls("abc", 8);
  EXPECT_EQ(s.loop().iterations, 10u);
  EXPECT_EQ(s.body(), "3 MPI calls");
}

TEST(loop_finder, sums_the_time_of_complete_iterations_only) {
  Stream s;
  s.calls("abc", 4).calls("ab");
  EXPECT_EQ(s.loop().total.calls, 12u);
  EXPECT_DOUBLE_EQ(s.loop().total.computation.value(), 24);
  EXPECT_DOUBLE_EQ(s.loop().total.communication.value(), 12);
  EXPECT_DOUBLE_EQ(s.loop().total.begin.value(), 0);
  EXPECT_DOUBLE_EQ(s.loop().total.end.value(), 36);
}

TEST(loop_finder, is_not_misled_by_a_set_up_phase) {
  Stream s;
  s.calls("b", 20).calls("xyz").calls("pqr", 10);
  EXPECT_EQ(s.loop().iterations, 10u);
  EXPECT_DOUBLE_EQ(s.loop().total.begin.value(), 23 * 3);
}

TEST(loop_finder, finds_the_outer_loop_around_inner_loops_of_varying_length) {
  Stream s;
  for (const int inner : {3, 5, 1, 7, 4, 2, 6, 1, 3, 5})
    s.calls("a").calls("bc", inner).calls("d");
  EXPECT_EQ(s.body(), "1 MPI call + loop of (2 MPI calls) + 1 MPI call");
  EXPECT_GE(s.loop().iterations, 8u); // it takes two iterations of more than one inner one
  const LoopId outer = s.outermost.value();
  bool encloses_one = false;
  for (LoopId id = 0; id < s.finder.loop_count(); ++id)
    encloses_one = encloses_one || s.finder.encloses(outer, id);
  EXPECT_TRUE(encloses_one);
  EXPECT_FALSE(s.finder.encloses(outer, outer));
}

TEST(loop_finder, finds_three_nested_loops) {
  Stream s;
  for (int i = 0; i < 6; ++i) {
    for (int j = 2; j < 5; ++j)
      s.calls("ab", j + i).calls("c");
    s.calls("d");
  }
  EXPECT_EQ(s.body(), "loop of (loop of (2 MPI calls) + 1 MPI call) + 1 MPI call");
}

TEST(loop_finder, keeps_counting_when_another_call_comes_every_tenth_iteration) {
  Stream s;
  for (int i = 1; i <= 40; ++i) {
    s.calls("ab");
    if (i % 10 == 0)
      s.calls("x");
  }
  const LoopId outer = s.outermost.value();
  EXPECT_EQ(s.body(), "loop of (2 MPI calls) + 1 MPI call");
  EXPECT_EQ(s.loop().iterations, 4u);
  LoopId inner = outer;
  for (LoopId id = 0; id < s.finder.loop_count(); ++id)
    if (s.finder.encloses(outer, id))
      inner = id;
  ASSERT_NE(inner, outer);
  EXPECT_EQ(s.finder.loop(inner).iterations, 40u);
}

TEST(loop_finder, recognises_the_loop_again_after_an_irregular_interruption) {
  Stream s;
  s.calls("abc", 10).calls("ab").calls("w").calls("abc", 5);
  EXPECT_EQ(s.loop().iterations, 15u);
  s.calls("vwu").calls("abc", 5);
  EXPECT_EQ(s.loop().iterations, 20u);
}

TEST(loop_finder, finds_a_loop_of_one_call) {
  Stream s;
  s.calls("a", 50);
  EXPECT_EQ(s.loop().iterations, 50u);
  EXPECT_EQ(s.body(), "1 MPI call");
}

TEST(loop_finder, tells_two_phases_apart) {
  Stream s;
  s.calls("ab", 20);
  const LoopId first = s.outermost.value();
  s.calls("cde", 20);
  const LoopId second = s.outermost.value();
  EXPECT_NE(first, second);
  EXPECT_FALSE(s.finder.encloses(first, second));
  EXPECT_FALSE(s.finder.encloses(second, first));
  EXPECT_EQ(s.finder.loop(first).iterations, 20u);
  EXPECT_EQ(s.finder.loop(second).iterations, 20u);
}

TEST(loop_finder, finds_nothing_in_a_program_that_never_repeats) {
  Stream s;
  for (char name = 1; name < 120; ++name)
    s.call(name);
  EXPECT_FALSE(s.outermost);
}

TEST(loop_finder, measures_afresh_from_the_next_complete_iteration) {
  Stream s;
  s.calls("abc", 5).calls("a");
  s.finder.measure_afresh();
  s.calls("bc");
  EXPECT_EQ(s.loop().measured_iterations, 0u); // the one under way began before
  s.calls("abc", 3);
  EXPECT_EQ(s.loop().measured_iterations, 3u);
  EXPECT_EQ(s.loop().iterations, 9u);
  EXPECT_DOUBLE_EQ(s.loop().measured.begin.value(), 18 * 3);
}

TEST(loop_finder, does_not_measure_a_new_loop_with_what_came_before) {
  Stream s;
  s.calls("xabc");
  s.finder.measure_afresh();
  s.calls("abc");
  EXPECT_EQ(s.loop().iterations, 2u);
  EXPECT_EQ(s.loop().measured_iterations, 1u);
}

TEST(loop_finder, measures_iterations_that_it_has_to_recognise_again) {
  // "ab" repeated, then "ac": the next call does not tell whether the inner loop goes on, so
  // that following the outer loop fails in every iteration.
  Stream s;
  s.calls("ababacd", 5);
  s.finder.measure_afresh();
  s.calls("ababacd", 5);
  EXPECT_EQ(s.loop().total.calls, 7 * s.loop().iterations);
  EXPECT_GE(s.loop().measured_iterations, 4u);
  EXPECT_EQ(s.loop().measured.begin.value(), 35 * 3);
}

TEST(loop_finder, survives_random_streams_with_consistent_sums) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Stream s;
    const int letters = 1 + static_cast<int>(random() % 6);
    for (int i = 0; i < 3000; ++i)
      s.call(static_cast<char>('a' + static_cast<int>(random() % 1000) % letters));
    for (LoopId id = 0; id < s.finder.loop_count(); ++id) {
      const Loop& loop = s.finder.loop(id);
      EXPECT_GE(loop.iterations, 2u);
      EXPECT_LE(loop.measured_iterations, loop.iterations);
      EXPECT_NEAR(loop.total.computation.value(), 2.0 * static_cast<double>(loop.total.calls),
                  1e-6);
    }
  }
}

TEST(loop_finder, stays_bounded_on_a_long_stream_without_loops) {
  std::mt19937_64 random(1);
  LoopFinder finder;
  for (int i = 0; i < 100'000; ++i)
    finder.add(random() % 50'000, Span{.begin = {},
                                       .end = {},
                                       .computation = {},
                                       .computation_in_gear0 = {},
                                       .communication = {},
                                       .calls = 1});
  EXPECT_LE(finder.loop_count(), 1024u);
}

} // namespace
} // namespace hypermile::runtime
