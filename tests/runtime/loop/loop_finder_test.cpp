#include "runtime/loop/loop_finder.hpp"

#include "runtime/loop/description.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::runtime {
namespace {

/// Feeds a stream in which every letter is an MPI call of a second.
class LetterStream {
public:
  LoopFinder::Step call(CallSignature name) {
    const Span span{.begin = Seconds{now_},
                    .end = Seconds{now_ + 1},
                    .computation = Seconds{1},
                    .computation_in_gear0 = Seconds{1},
                    .communication = {},
                    .calls = 1};
    now_ += 1;
    return finder.add(name, name, span);
  }
  LetterStream& calls(std::string_view names, int times = 1) {
    for (int i = 0; i < times; ++i)
      for (const char name : names)
        call(static_cast<CallSignature>(name));
    return *this;
  }
  [[nodiscard]] const FoundLoop& loop() const { return finder.main().value(); }

  LoopFinder finder;

private:
  double now_ = 0;
};

TEST(loop_finder, finds_a_loop_when_it_has_been_repeated_exactly) {
  LetterStream s;
  s.calls("xabcab");
  EXPECT_FALSE(s.finder.main());
  s.calls("c");
  ASSERT_TRUE(s.finder.main());
  EXPECT_EQ(s.loop().iterations, 2U);
  EXPECT_EQ(s.loop().calls(), 3U);
  EXPECT_EQ(s.loop().length(), 3);
  EXPECT_EQ(s.loop().begin, 1);
}

TEST(loop_finder, tells_of_every_iteration) {
  LetterStream s;
  s.calls("abc", 2);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(s.call('a'), LoopFinder::Step::none);
    EXPECT_EQ(s.call('b'), LoopFinder::Step::none);
    EXPECT_EQ(s.call('c'), LoopFinder::Step::iteration);
  }
  EXPECT_EQ(s.loop().iterations, 12U);
}

TEST(loop_finder, finds_the_outer_loop_of_two_when_it_has_been_repeated) {
  LetterStream s;
  s.calls("ab", 20).calls("cd").calls("ab", 20).calls("c");
  EXPECT_EQ(s.loop().calls(), 2U);
  EXPECT_EQ(s.call('d'), LoopFinder::Step::other_loop);
  EXPECT_EQ(s.loop().calls(), 42U);
  EXPECT_FALSE(s.finder.is_new_phase());
}

TEST(loop_finder, finds_an_outer_loop_of_varying_length_in_its_third_iteration) {
  LetterStream s;
  for (const int inner : {13, 25, 18})
    s.calls("ab", inner).calls("cde");
  EXPECT_NEAR(static_cast<double>(s.loop().calls()), 45, 9);
  s.calls("ab", 30).calls("cde");
  EXPECT_EQ(s.loop().iterations, 3U);
}

TEST(loop_finder, knows_a_loop_again_after_an_interruption) {
  LetterStream s;
  s.calls("abc", 10).calls("ab").calls("w").calls("abc", 5);
  EXPECT_EQ(s.loop().iterations, 15U);
  s.calls("vwu").calls("abc", 5);
  EXPECT_EQ(s.loop().iterations, 20U);
}

TEST(loop_finder, calls_a_loop_of_other_calls_a_new_phase) {
  LetterStream s;
  s.calls("abc", 20).calls("defg", 20);
  EXPECT_EQ(s.loop().calls(), 4U);
  EXPECT_TRUE(s.finder.is_new_phase());
}

TEST(loop_finder, knows_a_phase_again_after_one_iteration_however_long_the_other_took) {
  LetterStream s;
  s.calls("abc", 20).calls("defg", 200);
  EXPECT_EQ(s.finder.phase(), 1U);
  s.calls("abc").calls("abc");
  EXPECT_EQ(s.finder.phase(), 0U);
  EXPECT_EQ(s.loop().calls(), 3U);
  s.calls("defg").calls("defg").calls("defg");
  EXPECT_EQ(s.finder.phase(), 1U);
  s.calls("hijkl", 30);
  EXPECT_EQ(s.finder.phase(), 2U);
}

TEST(loop_finder, knows_no_phase_again_by_one_call_of_it) {
  LetterStream s;
  s.calls("abc", 20).calls("defg", 40);
  for (int i = 0; i < 20; ++i)
    s.calls("xyzc").calls("xywc");
  EXPECT_NE(s.finder.phase(), 0U);
}

/// Loops of other calls each, in any order, for any number of iterations.
TEST(loop_finder, knows_phases_again_in_random_programs) {
  std::mt19937 random(11);
  int returns = 0;
  int known = 0;
  for (int round = 0; round < 200; ++round) {
    LetterStream s;
    const std::size_t count = 2 + random() % 3;
    std::vector<std::string> bodies;
    for (std::size_t body = 0; body < count; ++body)
      for (std::size_t call = 0; call <= random() % 9 + 1; ++call) {
        bodies.resize(body + 1);
        bodies[body] += static_cast<char>('!' + 20 * body + call);
      }
    std::vector<std::optional<std::size_t>> phase(count);
    for (int visit = 0; visit < 12; ++visit) {
      const std::size_t body = random() % count;
      s.calls(bodies[body], 3);
      if (s.loop().calls() > 2 * bodies[body].size()) // all of it is one loop
        break;
      if (phase[body]) {
        ++returns;
        known += s.finder.phase() == *phase[body] ? 1 : 0;
      }
      s.calls(bodies[body], static_cast<int>(20 + random() % 60));
      if (s.loop().calls() == bodies[body].size())
        phase[body] = s.finder.phase();
    }
  }
  EXPECT_GT(returns, 100);
  EXPECT_GE(known, returns * 95 / 100) << returns;
}

TEST(loop_finder, describes_an_iteration) {
  LetterStream s;
  s.calls("aaabcbcbcd", 3);
  EXPECT_EQ(s.finder.describe(), "loop of (1 MPI call) + loop of (2 MPI calls) + 1 MPI call");
}

TEST(loop_finder, describes_nested_loops_and_long_iterations) {
  const std::vector<Symbol> nested{1, 2, 2, 2, 3, 2, 2, 3, 4};
  EXPECT_EQ(describe_iteration(nested),
            "1 MPI call + loop of (loop of (1 MPI call) + 1 MPI call) + 1 MPI call");
  std::vector<Symbol> irregular;
  for (Symbol i = 0; i < 2000; ++i)
    for (Symbol k = 0; k < 2 + i % 3; ++k)
      irregular.push_back(i * i % 97);
  EXPECT_EQ(describe_iteration(irregular), std::to_string(irregular.size()) + " MPI calls");
}

TEST(loop_finder, survives_random_streams_with_consistent_boundaries) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    LetterStream s;
    const std::size_t letters = 1 + random() % 6;
    for (int i = 0; i < 2000; ++i)
      if (s.call('a' + random() % 1000 % letters) != LoopFinder::Step::none) {
        const FoundLoop& loop = s.loop();
        ASSERT_TRUE(std::ranges::is_sorted(loop.boundaries));
        ASSERT_LT(loop.last_call(), s.finder.window().next());
        ASSERT_GT(loop.length(), 0);
      }
  }
}

TEST(loop_finder, goes_on_when_it_has_forgotten_the_begin) {
  LetterStream s;
  std::uint64_t tag = 1000;
  for (std::size_t i = 0; i < CallWindow::most_calls; ++i) { // three times as many calls
    s.call('a');
    s.call('b');
    s.call(tag++);
  }
  EXPECT_GE(s.loop().iterations, CallWindow::most_calls - 4);
  EXPECT_EQ(s.loop().calls(), 3U);
  EXPECT_LE(s.finder.window().symbols().size(), CallWindow::most_calls);
}

} // namespace
} // namespace hypermile::runtime
