// Streams of MPI calls as programs make them: which loop is found, and when.
#include "runtime/loop/loop_watch.hpp"
#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace hypermile::runtime {
namespace {

/// Calls of one rank with the truth about its iterations.
class Stream {
public:
  /// A call from a place of its own, unless the place is told.
  void call(std::uint64_t detail, double seconds = 1e-3) { call_from(detail, detail, seconds); }
  void call_from(std::uint64_t place, std::uint64_t detail, double seconds = 1e-3) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15ULL;
    calls_.push_back(
        {{.place = (place + 1) * factor, .detail = (detail + 1) * factor ^ place}, seconds});
  }
  void calls(std::uint64_t first, std::uint64_t end, double seconds = 1e-3) {
    for (std::uint64_t i = first; i < end; ++i)
      call(i, seconds);
  }
  void iteration() { begins_.push_back(calls_.size()); }

  struct Outcome {
    double ratio = 0; ///< length of what was found to that of an iteration; 0: nothing found
    std::size_t iterations = 0; ///< of what was found
    std::size_t found_in = 0;   ///< iteration, from 1 on, in which the last loop took over
    std::size_t phases = 0;
    std::string description;
  };
  [[nodiscard]] Outcome outcome() const {
    LoopWatch watch(Seconds{});
    Outcome outcome;
    double now = 0;
    double begin_of_loop = 0;
    std::size_t takeovers = 0;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (i == begins_.front())
        begin_of_loop = now;
      const double begin = std::exchange(now, now + calls_[i].seconds);
      watch.add_call(calls_[i].call, span(begin, now, i));
      if (std::exchange(takeovers, watch.takeovers()) != watch.takeovers())
        outcome.found_in =
            static_cast<std::size_t>(std::ranges::upper_bound(begins_, i) - begins_.begin());
    }
    const LoopReport report = watch.report();
    if (report.found == LoopReport::Found::nothing)
      return outcome;
    const double truth = (now - begin_of_loop) / static_cast<double>(begins_.size());
    outcome.ratio = report.total.value() / static_cast<double>(report.iterations) / truth;
    outcome.iterations = report.iterations;
    outcome.phases = watch.phase();
    outcome.description = report.description;
    return outcome;
  }

private:
  struct Call {
    LoopWatch::Call call;
    double seconds;
  };
  static Span span(double begin, double end, std::size_t call) {
    return {.begin = Seconds{begin},
            .end = Seconds{end},
            .computation = Seconds{end - begin},
            .computation_in_gear0 = Seconds{end - begin},
            .communication = {},
            .calls = 1,
            .event = call};
  }
  std::vector<Call> calls_;
  std::vector<std::size_t> begins_;
};

struct StreamCase {
  std::string name;
  std::size_t found_in;   ///< iteration, at the latest
  std::size_t iterations; ///< at least
  std::function<void(Stream&, std::mt19937&)> make;
};

std::size_t between(std::mt19937& random, std::size_t least, std::size_t most) {
  return least + random() % (most - least + 1);
}

void v_cycle(Stream& s, int level) {
  const double seconds = 1e-4 * (1 << level);
  s.calls(0, 4, seconds);
  s.calls(0, 4, seconds);
  if (level > 0)
    v_cycle(s, level - 1);
  s.calls(4, 8, seconds);
}

/// Recorded from rank 0 of 8 of an unmodified multigrid program, class B of the NAS benchmarks:
/// each number is a call. From call 585 on 20 V-cycles of 414 calls, the first one unlike the
/// others.
void multigrid(Stream& s) {
  std::ifstream file(HYPERMILE_SOURCE_DIR "/tests/runtime/loop/data/multigrid-20-v-cycles.txt");
  ASSERT_TRUE(file);
  std::size_t count = 0;
  for (std::uint64_t call = 0; file >> call; ++count) {
    if (count >= 585 && (count - 585) % 414 == 0 && (count - 585) / 414 < 20)
      s.iteration();
    s.call(call);
  }
}

const std::vector<StreamCase> cases{
    {"multigrid", 3, 18, [](Stream& s, std::mt19937&) { multigrid(s); }},
    {"a V-cycle that calls from the same sites on each level", 2, 28,
     [](Stream& s, std::mt19937&) {
       for (int i = 0; i < 30; ++i) {
         s.iteration();
         v_cycle(s, 7);
       }
     }},
    {"conjugate gradient: 25 inner iterations, and a norm", 2, 13,
     [](Stream& s, std::mt19937&) {
       for (int i = 0; i < 15; ++i) {
         s.iteration();
         for (int inner = 0; inner < 25; ++inner)
           s.calls(0, 21);
         s.calls(0, 18);
         s.calls(30, 39);
       }
     }},
    {"a middle rank of a wavefront", 2, 298,
     [](Stream& s, std::mt19937&) {
       for (int i = 0; i < 300; ++i) {
         s.iteration();
         for (int plane = 0; plane < 30; ++plane)
           s.calls(0, 2);
         for (int plane = 0; plane < 30; ++plane)
           s.calls(2, 4);
         s.calls(10, 18);
       }
     }},
    {"inner iterations until convergence", 3, 57,
     [](Stream& s, std::mt19937& random) {
       for (int i = 0; i < 60; ++i) {
         s.iteration();
         s.calls(0, 12);
         for (std::size_t inner = between(random, 20, 30); inner > 0; --inner)
           s.calls(20, 26);
       }
     }},
    {"restarts of inner iterations", 3, 57,
     [](Stream& s, std::mt19937& random) {
       s.calls(900, 930);
       for (int i = 0; i < 60; ++i) {
         s.iteration();
         s.calls(0, 3);
         for (std::size_t restart = between(random, 1, 8); restart > 0; --restart) {
           s.call(10);
           for (std::size_t inner = between(random, 1, 30); inner > 0; --inner)
             s.calls(20, 24);
           s.call(11);
         }
       }
     }},
    {"two solvers and nothing else", 5, 50,
     [](Stream& s, std::mt19937& random) {
       for (int i = 0; i < 60; ++i) {
         s.iteration();
         for (std::size_t inner = between(random, 5, 40); inner > 0; --inner)
           s.calls(0, 4);
         for (std::size_t inner = between(random, 5, 40); inner > 0; --inner)
           s.calls(10, 13);
       }
     }},
    {"more and more inner iterations", 3, 57,
     [](Stream& s, std::mt19937&) {
       for (int i = 0; i < 60; ++i) {
         s.iteration();
         s.calls(0, 4);
         for (int inner = 0; inner < 10 + i; ++inner)
           s.calls(10, 13);
         s.call(5);
       }
     }},
    {"messages that arrive in any order", 3, 97,
     [](Stream& s, std::mt19937& random) {
       for (int i = 0; i < 100; ++i) {
         s.iteration();
         s.calls(0, 16);
         std::vector<std::uint64_t> messages(8);
         std::iota(messages.begin(), messages.end(), 30U);
         for (std::size_t m = messages.size(); m > 1; --m)
           std::swap(messages[m - 1], messages[random() % m]);
         for (const std::uint64_t message : messages)
           s.call(message);
         s.call(60);
       }
     }},
    {"polls", 3, 97,
     [](Stream& s, std::mt19937& random) {
       for (int i = 0; i < 100; ++i) {
         s.iteration();
         s.calls(0, 6);
         for (std::size_t poll = between(random, 0, 20); poll > 0; --poll)
           s.call(40, 1e-6);
         s.calls(6, 12);
         for (std::size_t poll = between(random, 0, 20); poll > 0; --poll)
           s.call(41, 1e-6);
       }
     }},
    {"tags that are never the same", 3, 97,
     [](Stream& s, std::mt19937&) {
       std::uint64_t tag = 1000;
       for (int i = 0; i < 100; ++i) {
         s.iteration();
         s.calls(0, 3);
         for (std::uint64_t place = 3; place < 7; ++place)
           s.call_from(place, tag++);
         s.calls(7, 10);
       }
     }},
    {"twenty thousand different calls", 2, 5,
     [](Stream& s, std::mt19937&) {
       for (int i = 0; i < 6; ++i) {
         s.iteration();
         s.calls(0, 20'000, 1e-4);
       }
     }},
    {"a set-up loop before the steps", 3, 47,
     [](Stream& s, std::mt19937&) {
       for (int i = 0; i < 200; ++i)
         s.calls(700, 702, 2.5e-4);
       for (int i = 0; i < 50; ++i) {
         s.iteration();
         for (int inner = 0; inner < 10; ++inner)
           s.calls(0, 3);
         s.calls(10, 20);
       }
     }},
    {"two phases", 2, 38,
     [](Stream& s, std::mt19937&) {
       for (int i = 0; i < 40; ++i)
         s.calls(0, 30);
       for (int i = 0; i < 40; ++i) {
         s.iteration();
         s.calls(100, 145);
       }
     }},
    {"two phases in turn", 2, 8,
     [](Stream& s, std::mt19937&) {
       for (int turn = 0; turn < 10; ++turn) {
         s.iteration();
         for (int i = 0; i < 12; ++i)
           s.calls(0, 30);
         for (int i = 0; i < 12; ++i)
           s.calls(100, 145);
       }
     }},
    {"a warm-up of half an iteration", 3, 18,
     [](Stream& s, std::mt19937&) {
       s.calls(100, 104, 0.01);
       s.calls(0, 3, 0.02);
       s.calls(105, 107, 0.01);
       for (int i = 0; i < 20; ++i) {
         s.iteration();
         s.calls(0, 6, 0.02);
       }
     }},
};

// GoogleTest prints it.
void PrintTo(const StreamCase& each, std::ostream* out) { *out << each.name; }

class LoopStreams : public testing::TestWithParam<StreamCase> {};

TEST_P(LoopStreams, are_understood_in_time) {
  Stream stream;
  std::mt19937 random(5);
  GetParam().make(stream, random);
  const auto outcome = stream.outcome();
  EXPECT_GT(outcome.ratio, 0.7) << outcome.description;
  EXPECT_LT(outcome.ratio, 1.45) << outcome.description;
  EXPECT_LE(outcome.found_in, GetParam().found_in);
  EXPECT_GE(outcome.iterations, GetParam().iterations);
}

INSTANTIATE_TEST_SUITE_P(loop_watch, LoopStreams, testing::ValuesIn(cases), [](const auto& each) {
  std::string name = each.param.name;
  std::erase_if(name, [](char c) { return c == ',' || c == ':'; });
  std::ranges::replace_if(
      name, [](char c) { return c == ' ' || c == '-'; }, '_');
  return name;
});

TEST(loop_streams, tell_how_many_calls_a_v_cycle_has) {
  Stream stream;
  multigrid(stream);
  EXPECT_EQ(stream.outcome().description, "414 MPI calls");
}

/// Whether it is a step, or as many as come between extras.
void expect_step_or_group(const Stream& stream, double group) {
  const auto outcome = stream.outcome();
  EXPECT_TRUE(std::abs(outcome.ratio - 1) < 0.1 || std::abs(outcome.ratio / group - 1) < 0.1)
      << outcome.ratio;
}

TEST(loop_streams, with_extras_now_and_then_are_steps_or_groups_of_them) {
  Stream norm;
  Stream output;
  Stream partner;
  std::mt19937 random(5);
  for (std::uint64_t i = 0; i < 100; ++i) {
    for (Stream* s : {&norm, &output, &partner})
      s->iteration();
    norm.calls(0, 20);
    if (i % 5 == 4)
      norm.call(50, 1e-5);
    output.calls(0, 12);
    for (std::size_t inner = between(random, 20, 30); inner > 0; --inner)
      output.calls(20, 26);
    if (i % 10 == 9)
      output.calls(100, 150, 1e-5);
    partner.calls(0, 3);
    partner.call_from(3, 100 + i % 7);
    partner.calls(3, 6);
  }
  expect_step_or_group(norm, 5);
  expect_step_or_group(output, 10);
  expect_step_or_group(partner, 7);
}

/// Molecular dynamics: every so many steps the neighbour lists are rebuilt, and all messages have
/// another size after that.
TEST(loop_streams, that_rebuild_now_and_then_are_one_loop_of_steps) {
  for (const bool regularly : {true, false}) {
    Stream stream;
    std::mt19937 random(3);
    std::size_t rebuild = 10;
    std::uint64_t sizes = 1;
    for (std::size_t step = 0; step < 400; ++step) {
      stream.iteration();
      if (step == rebuild) {
        rebuild += regularly ? 20 : between(random, 10, 20);
        sizes += 1000;
        for (std::uint64_t place = 50; place < 62; ++place)
          stream.call_from(place, sizes + place, 2e-4);
        stream.call(70, 2e-4);
      }
      for (std::uint64_t place = 0; place < 12; ++place)
        stream.call_from(place, sizes + place);
    }
    const auto outcome = stream.outcome();
    EXPECT_NEAR(outcome.ratio, 1, 0.1) << regularly;
    EXPECT_GE(outcome.iterations, 395U);
    EXPECT_EQ(outcome.phases, 0U);
    EXPECT_LE(outcome.found_in, 3U);
  }
}

/// Molecular dynamics as well, of few atoms: sizes of messages are small numbers, which come back
/// by chance. Now and then something is printed.
TEST(loop_streams, with_sizes_that_come_back_by_chance_are_steps_or_groups_of_them) {
  std::mt19937 random(11);
  std::size_t longer = 0;
  constexpr auto programs = static_cast<std::size_t>(test::cases(200));
  for (std::size_t program = 0; program < programs; ++program) {
    const std::size_t messages = between(random, 3, 12);
    const std::size_t sizes = between(random, 3, 40);
    const std::size_t steps_between = between(random, 5, 50); // rebuildings, on average
    const std::size_t printed_every = between(random, 10, 100);
    Stream stream;
    std::vector<std::uint64_t> size(messages);
    std::size_t rebuild = 0;
    for (std::size_t step = 0; step < 4000; ++step) {
      stream.iteration();
      if (step == rebuild) {
        rebuild += between(random, steps_between / 2 + 1, steps_between + steps_between / 2);
        stream.call(900);
        for (std::uint64_t place = 0; place < messages; ++place) {
          size[place] = random() % sizes;
          stream.call_from(100 + place, 10'000 * (100 + place) + size[place]);
        }
      }
      for (std::uint64_t place = 0; place < messages; ++place)
        stream.call_from(place, 10'000 * place + size[place]);
      if (step % printed_every == 0)
        stream.calls(800, 803);
    }
    const auto outcome = stream.outcome();
    const double group = 1.5 * static_cast<double>(std::max(steps_between, printed_every));
    longer += outcome.ratio == 0 || outcome.ratio > group ? 1 : 0;
  }
  EXPECT_LE(longer, programs / 50 + 1);
}

TEST(loop_streams, that_end_as_they_began_keep_the_loop_between) {
  Stream stream;
  for (int i = 0; i < 20; ++i)
    stream.calls(900, 902, 1e-5);
  for (int step = 0; step < 100; ++step) {
    stream.iteration();
    stream.calls(0, 12);
  }
  for (int i = 0; i < 5; ++i)
    stream.calls(900, 902, 1e-5);
  const auto outcome = stream.outcome();
  EXPECT_NEAR(outcome.ratio, 1, 0.1);
  EXPECT_GE(outcome.iterations, 98U);
}

/// Something is done at the end of longer stretches of steps, three or four times, and then no
/// more.
TEST(loop_streams, of_steps_that_others_seem_to_be_around_for_a_while_are_steps) {
  std::mt19937 random(7);
  for (int program = 0; program < 50; ++program) {
    Stream stream;
    const std::size_t times = between(random, 3, 4);
    std::size_t done = 0;
    std::size_t next = between(random, 30, 50);
    for (std::size_t step = 0; step < 3000; ++step) {
      stream.iteration();
      stream.calls(0, 8);
      if (step == next && done++ < times) {
        stream.calls(700, 704);
        next += between(random, 30, 50);
      }
    }
    const auto outcome = stream.outcome();
    EXPECT_NEAR(outcome.ratio, 1, 0.1) << program;
    EXPECT_GE(outcome.iterations, 2700U) << program;
  }
}

/// Adaptive refinement: now and then there are more blocks, and other partners.
TEST(loop_streams, that_refine_now_and_then_are_one_loop_of_steps) {
  Stream stream;
  std::mt19937 random(3);
  std::uint64_t mesh = 1;
  std::size_t blocks = 8;
  for (std::size_t step = 0; step < 300; ++step) {
    stream.iteration();
    if (step % 25 == 24) {
      mesh += 1000;
      blocks = between(random, 6, 12);
      for (std::size_t i = between(random, 3, 30); i > 0; --i)
        stream.call_from(80, mesh + 100 + i, 1e-4);
    }
    stream.call(1, 5e-3);
    for (std::uint64_t block = 0; block < blocks; ++block) {
      stream.call_from(2, mesh + block);
      stream.call_from(3, mesh + block);
    }
    stream.call(4, 5e-3);
  }
  const auto outcome = stream.outcome();
  EXPECT_NEAR(outcome.ratio, 1, 0.1);
  EXPECT_GE(outcome.iterations, 295U);
  EXPECT_EQ(outcome.phases, 0U);
}

TEST(loop_streams, in_random_order_are_no_loop) {
  Stream stream;
  std::mt19937 random(5);
  stream.iteration();
  for (int i = 0; i < 5000; ++i)
    stream.call(random() % 40);
  EXPECT_EQ(stream.outcome().ratio, 0);
}

TEST(loop_streams, of_one_long_computation_are_no_loop) {
  Stream stream;
  stream.iteration();
  stream.calls(0, 4, 1e-3);
  stream.call(10, 30);
  for (int i = 0; i < 3; ++i)
    stream.call(20, 1e-3);
  stream.call(30, 1e-3);
  EXPECT_EQ(stream.outcome().ratio, 0);
}

TEST(loop_streams, of_calls_that_are_always_new_are_no_loop) {
  Stream stream;
  stream.iteration();
  for (std::uint64_t i = 0; i < 300'000; ++i)
    stream.call(i, 1e-5);
  EXPECT_EQ(stream.outcome().ratio, 0);
}

} // namespace
} // namespace hypermile::runtime
