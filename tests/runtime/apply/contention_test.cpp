// Other programs take the ranks' cores.

#include "runtime/apply/program.hpp"
#include "runtime/apply/stolen_time.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::runtime {
namespace {

using Gears = std::vector<std::size_t>;

TimeModel with_events() { return {.functions = {"Allreduce"}}; }

/// In the middle of a computation that others take a part of.
Span span(double computation, double communication, double scale = 1) {
  return {.begin = Seconds{0},
          .end = Seconds{computation + communication},
          .computation = Seconds{computation},
          .computation_in_gear0 = Seconds{computation / scale},
          .communication = Seconds{communication},
          .calls = 1};
}

TEST(stolen_time, is_no_computation) {
  Seconds others{7}; // of before
  StolenTime stolen([&] { return others; });
  others += Seconds{0.25};
  stolen.computed(Seconds{1});
  others += Seconds{0.125};
  stolen.communicated(Seconds{1.5});
  Span of_call = span(1, 0.5, 2);
  stolen.take_from(of_call, 2);
  EXPECT_DOUBLE_EQ(of_call.computation.value(), 0.75);
  EXPECT_DOUBLE_EQ(of_call.computation_in_gear0.value(), 0.375);
  EXPECT_DOUBLE_EQ(of_call.communication.value(), 0.75); // the length is what it was
  EXPECT_DOUBLE_EQ(of_call.stolen.value(), 0.375);
  Span next = span(1, 0.5);
  stolen.take_from(next, 1);
  EXPECT_EQ(next.computation, Seconds{1});
  EXPECT_EQ(next.stolen, Seconds{});
  EXPECT_DOUBLE_EQ(stolen.total().value(), 0.375);
}

TEST(stolen_time, is_not_asked_for_at_every_call) {
  int asked = 0;
  StolenTime stolen([&] {
    ++asked;
    return Seconds{};
  });
  for (int call = 1; call <= 10'000; ++call) { // 1 microsecond each
    stolen.computed(Seconds{call * 1e-6 - 5e-7});
    stolen.communicated(Seconds{call * 1e-6});
  }
  EXPECT_LE(asked, 6);
}

TEST(stolen_time, counts_for_nothing_while_the_rank_would_have_waited_anyway) {
  Seconds others;
  StolenTime stolen([&] { return others; });
  others += Seconds{0.25};
  stolen.pass_over(Seconds{1});
  Span of_call = span(1, 0.5);
  stolen.take_from(of_call, 1);
  EXPECT_EQ(of_call.stolen, Seconds{});
}

TEST(stolen_time, is_never_more_than_was_computed_nor_falls) {
  Seconds others{1};
  StolenTime stolen([&] { return others; });
  others = Seconds{0.5};
  stolen.computed(Seconds{1});
  Span of_call = span(1, 0);
  stolen.take_from(of_call, 1);
  EXPECT_EQ(of_call.computation, Seconds{1});
  others = Seconds{4};
  stolen.computed(Seconds{2});
  stolen.take_from(of_call, 1);
  EXPECT_EQ(of_call.computation, Seconds{});
  EXPECT_EQ(of_call.communication, Seconds{1});
}

TEST(stolen_time, is_none_where_nobody_knows) {
  StolenTime stolen;
  EXPECT_FALSE(stolen.is_known());
  stolen.computed(Seconds{1});
  stolen.communicated(Seconds{2});
  Span of_call = span(1, 1);
  stolen.take_from(of_call, 1);
  EXPECT_EQ(of_call.computation, Seconds{1});
  EXPECT_EQ(of_call.stolen, Seconds{});
}

TEST(stolen_time, is_expected_to_go_on_once_it_has_lasted) {
  EXPECT_EQ(expected_stretch({}, Seconds{10}), 1);
  EXPECT_NEAR(expected_stretch(Seconds{0.005}, Seconds{0.01}), 1, 0.01);
  EXPECT_NEAR(expected_stretch(Seconds{500}, Seconds{1000}), 2, 0.01);
  EXPECT_LE(expected_stretch(Seconds{1000}, Seconds{1000}), 10.001);
}

TEST(stolen_history, knows_the_sum_since_any_moment) {
  StolenHistory history;
  constexpr int moments = 1000;
  for (int i = 1; i <= moments; ++i) {
    history.add(Seconds{static_cast<double>(i)}, Seconds{1});
    history.add(Seconds{i + 0.5}, Seconds{});
  }
  EXPECT_EQ(history.since(Seconds{0}), Seconds{moments});
  EXPECT_EQ(history.since(Seconds{moments}), Seconds{});
  for (int from = 0; from < moments; ++from)
    EXPECT_NEAR(history.since(Seconds{static_cast<double>(from)}).value(), moments - from,
                0.02 * moments);
}

/// What the ranks do while others take so much of each rank's computation.
void go_on(Program& program, int iterations, const std::vector<double>& stolen) {
  for (std::size_t r = 0; r < stolen.size(); ++r)
    program.ranks[r]->stolen = Seconds{stolen[r]};
  program.iterate(iterations);
  for (auto& rank : program.ranks)
    rank->stolen = {};
}

void watch_others(Program& program) {
  for (auto& rank : program.ranks)
    rank->watch_others();
}

/// Requests and models by which gears are chosen from events, and from means.
struct Way {
  select::Request request;
  TimeModel model;
};
const std::vector<Way> ways{{select::Request{}, {}},
                            {select::Request{}, with_events()},
                            {bounded(), {}},
                            {bounded(), with_events()}};

TEST(contention, that_is_not_there_changes_nothing) {
  for (const Way& way : ways) {
    std::vector<RunReport> runs;
    for (const bool known : {false, true}) {
      Program program(more_uneven, way.request, Program::Messages::to_all, nullptr, way.model);
      if (known)
        watch_others(program);
      program.iterate(60);
      runs.push_back(program.finish());
    }
    EXPECT_EQ(encode_run(runs[0]), encode_run(runs[1]));
  }
}

TEST(contention, in_gear_0_does_not_change_which_gears_are_chosen) {
  for (const Way& way : ways)
    for (const double stolen : {0.5, 1.5, 3.0})
      for (const std::size_t rank : {0U, 1U, 2U}) {
        Program program(more_uneven, way.request, Program::Messages::to_all, nullptr, way.model);
        watch_others(program);
        std::vector<double> of_ranks(3);
        of_ranks[rank] = stolen;
        go_on(program, 4, of_ranks);
        program.iterate(40);
        EXPECT_EQ(program.gears(), (Gears{1, 0, 1})) << stolen << " " << rank;
        for (const Decision& decision : program.finish().decisions)
          EXPECT_EQ(decision.gears[1], 0U) << stolen << " " << rank;
      }
}

/// Node 0 has no slack while others take so much of it.
TEST(contention, that_lasts_is_allowed_for) {
  for (const Way& way : ways)
    for (const std::size_t rank : {0U, 1U, 2U}) {
      Program program(more_uneven, way.request, Program::Messages::to_all, nullptr, way.model);
      watch_others(program);
      std::vector<double> of_ranks(3);
      of_ranks[rank] = 0.5 * (rank == 0 ? 2 : 1);
      go_on(program, 60, of_ranks);
      EXPECT_EQ(program.gears(), (Gears{rank == 0 ? 0U : 1U, 0, 1})) << rank;
      const RunReport run = program.finish();
      for (const Decision& decision : run.decisions)
        EXPECT_FALSE(decision.measured_time_ratio) << rank;
      ASSERT_FALSE(run.ranks[rank].changes.empty());
      EXPECT_GT(run.ranks[rank].changes.back().stolen, Seconds{10});
      ASSERT_TRUE(run.ranks[rank].last);
      EXPECT_NEAR(run.ranks[rank].last->stolen, of_ranks[rank] / (rank == 1 ? 2.75 : 2.25), 0.01);
    }
}

/// Now and then others take a rank's core in up to three iterations. Returns how long all that
/// would have taken in gear 0.
double go_through_bursts(Program& program, int bursts, unsigned between, unsigned seed) {
  constexpr double slowest = 2; // of `more_uneven`
  constexpr double met = 0.25;
  std::mt19937 random(seed);
  double in_gear0 = 0;
  for (int burst = 0; burst < bursts; ++burst) {
    const std::size_t rank = random() % 3;
    std::vector<double> stolen(3);
    stolen[rank] = 0.5 + 0.5 * static_cast<double>(random() % 5);
    const int iterations = 1 + static_cast<int>(random() % 3);
    const int clean = 1 + static_cast<int>(random() % between);
    go_on(program, iterations, stolen);
    program.iterate(clean);
    in_gear0 +=
        iterations * (met + std::max(slowest, more_uneven[rank].computation + stolen[rank])) +
        clean * (met + slowest);
  }
  return in_gear0;
}

Seconds now(const Program& program) { return program.ranks[0]->clock.time; }

/// Under a bound two late iterations in a row are measured again in gear 0; then the same gears are
/// chosen.
TEST(contention, with_gears_is_not_taken_for_what_they_cost) {
  for (const Way& way : ways)
    for (unsigned seed = 1; seed <= 4; ++seed) {
      Program program(more_uneven, way.request, Program::Messages::to_all, nullptr, way.model);
      watch_others(program);
      program.iterate(20);
      ASSERT_EQ(program.gears(), (Gears{1, 0, 1}));
      go_through_bursts(program, 6, 100, seed);
      program.iterate(200);
      EXPECT_EQ(program.gears(), (Gears{1, 0, 1})) << seed;
      for (const Decision& decision : program.finish().decisions) {
        EXPECT_EQ(decision.gears[1], 0U) << seed;
        EXPECT_EQ(decision.stepped_back, "") << seed;
        EXPECT_EQ(decision.declined.find("no room"), std::string::npos) << seed;
        EXPECT_NEAR(decision.measured_time_ratio.value_or(1), 1, 0.04) << seed;
      }
    }
}

/// A tenth of the time others have some core; in gear 0 ranks make up for some of that.
TEST(contention, does_not_break_a_bound) {
  for (const Way& way : ways)
    for (unsigned seed = 1; way.request.constraints.max_slowdown && seed <= 8; ++seed) {
      Program program(more_uneven, way.request, Program::Messages::to_all, nullptr, way.model);
      watch_others(program);
      program.iterate(20);
      const Seconds begin = now(program);
      const double in_gear0 = go_through_bursts(program, 40, 20, seed);
      EXPECT_LE((now(program) - begin).value(), 1.06 * in_gear0) << seed;
      program.finish();
    }
}

} // namespace
} // namespace hypermile::runtime
