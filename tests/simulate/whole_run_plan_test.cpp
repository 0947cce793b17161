// Plans from a whole run against all gear vectors of small programs.

#include "simulate/whole_run_plan.hpp"

#include "select/score.hpp"
#include "support/nodes.hpp"
#include "support/random_timeline.hpp"
#include "support/scripted_timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace hypermile::simulate {
namespace {

using model::Gear;
using test::Pattern;

constexpr std::size_t ranks = 4;

/// A run of `program` in gear 0, each rank on a node of two gears, S = 1 and 2.
runtime::RunReport report_of(const model::Timeline& timeline) {
  runtime::RunReport run;
  for (std::size_t r = 0; r < timeline.ranks.size(); ++r) {
    runtime::RankReport rank{.node = test::node(std::string(1, static_cast<char>('a' + r)))};
    rank.rank = static_cast<int>(r);
    for (const model::Event& event : timeline.ranks[r].events) {
      rank.computation += Seconds{static_cast<double>(event.computation)};
      rank.communication += Seconds{static_cast<double>(event.duration)};
    }
    rank.computation += timeline.ranks[r].computation_after;
    run.ranks.push_back(rank);
  }
  return run;
}

model::dependency::Protocol protocol() {
  model::dependency::Protocol known;
  known.known = true;
  return known;
}

double score(const Forecast& forecast, const select::Score& score, const std::vector<Gear>& gears) {
  const auto [time, energy] = forecast.of(gears);
  return score.feasible_score(time, energy);
}

double best_of_all(const Forecast& forecast, const select::Score& by) {
  double best = select::unreachable;
  for (std::size_t vector = 0; vector < (1U << ranks); ++vector) {
    std::vector<Gear> gears;
    for (std::size_t n = 0; n < ranks; ++n)
      gears.push_back((vector >> n) & 1U);
    best = std::min(best, score(forecast, by, gears));
  }
  return best;
}

struct Recorded {
  explicit Recorded(unsigned seed, std::size_t iterations, Pattern pattern)
      : program(test::RandomTimeline(seed).make(ranks, iterations, {pattern}, protocol())),
        timeline(test::run(program, std::vector<double>(ranks, 1)).timeline),
        report(report_of(timeline)), forecast(report, timeline) {}
  test::Program program;
  model::Timeline timeline;
  runtime::RunReport report;
  Forecast forecast;
};

/// One long computation and then a reduction.
model::Timeline one_longest_rank(std::size_t longest) {
  test::Script scripts[ranks];
  for (std::size_t r = 0; r < ranks; ++r)
    scripts[r]
        .computes(r == longest ? 4 : 1)
        .joins(model::Shape::all, ranks, r == longest ? 0.125 : 3.125);
  return test::timeline_of(scripts[0], scripts[1], scripts[2], scripts[3]);
}

/// Repeats a program whose messages take as long as they did, but every gear that is not 0 costs
/// this share of the time, which no forecast from the unscaled run knows.
class Repetitions {
public:
  Repetitions(const Recorded& run, double surprise) : run_(run), surprise_(surprise) {}

  std::vector<RunInGears> operator()(std::span<const std::vector<Gear>> gears) {
    std::vector<RunInGears> runs;
    for (const auto& choice : gears) {
      made.push_back(choice);
      runs.push_back({.took = took(choice),
                      .forecast = [this] { return Forecast(run_.report, run_.timeline); }});
    }
    return runs;
  }
  [[nodiscard]] Expectation took(const std::vector<Gear>& gears) const {
    const auto [time, energy] = run_.forecast.of(gears);
    const auto slower =
        static_cast<double>(ranks - static_cast<std::size_t>(std::ranges::count(gears, Gear{0})));
    return {time * (1 + surprise_ * slower), energy * (1 + surprise_ * slower)};
  }

  std::vector<std::vector<Gear>> made;

private:
  const Recorded& run_;
  double surprise_;
};

WholeRunPlan plan_with(const Recorded& run, const select::Request& request, Repetitions& repeat) {
  return plan_by_repetition(run.forecast, run.forecast.predictor().baseline(), request, Seconds{1},
                            std::ref(repeat));
}

constexpr std::array patterns{Pattern::ring, Pattern::halo, Pattern::wavefront, Pattern::collective,
                              Pattern::rooted};

TEST(plan_of_a_whole_run, is_the_best_of_all_gear_vectors) {
  for (unsigned seed = 1; seed <= 25; ++seed) {
    const Recorded run(seed, 1 + seed % 3, patterns[seed % patterns.size()]);
    const auto plan = plan_whole_run(run.forecast, {}, Seconds{1});
    const select::Score by(plan.baseline, {});
    EXPECT_NEAR(score(run.forecast, by, plan.gears), best_of_all(run.forecast, by), 1e-9) << seed;
  }
}

TEST(plan_of_a_whole_run, keeps_a_bound_and_is_the_best_that_does) {
  for (unsigned seed = 1; seed <= 25; ++seed) {
    const Recorded run(seed, 2, patterns[seed % patterns.size()]);
    select::Request request;
    request.objective = select::Objective::energy;
    request.constraints.max_slowdown = 0.05 * (seed % 4);
    const auto plan = plan_whole_run(run.forecast, request, Seconds{1});
    const select::Score by(plan.baseline, request);
    const double reached = score(run.forecast, by, plan.gears);
    EXPECT_LT(reached, select::unreachable) << seed;
    EXPECT_NEAR(reached / best_of_all(run.forecast, by), 1, 1e-9) << seed;
  }
}

TEST(plan_of_a_whole_run, uses_the_slack_of_a_program_without_a_loop) {
  const auto timeline = one_longest_rank(0);
  const Forecast forecast(report_of(timeline), timeline);
  const auto plan = plan_whole_run(forecast, {}, Seconds{1});
  EXPECT_EQ(plan.gears, (std::vector<Gear>{0, 1, 1, 1}));
  EXPECT_NEAR(plan.expected.time / plan.baseline.time, 1, 1e-6);
}

TEST(plan_by_repetition, is_that_of_the_model_where_the_model_is_right) {
  for (unsigned seed = 1; seed <= 25; ++seed) {
    const Recorded run(seed, 1 + seed % 3, patterns[seed % patterns.size()]);
    Repetitions repeat(run, 0);
    const auto plan = plan_with(run, {}, repeat);
    const select::Score by(plan.baseline, {});
    EXPECT_NEAR(score(run.forecast, by, plan.gears), best_of_all(run.forecast, by), 1e-9) << seed;
    EXPECT_LE(repeat.made.size(), most_repetitions / 3) << seed; // a round showed it
    EXPECT_EQ(plan.repetitions, repeat.made.size()) << seed;
  }
}

TEST(plan_by_repetition, is_the_best_of_the_runs_that_were_made_and_of_gear_0) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const Recorded run(seed, 2, patterns[seed % patterns.size()]);
    Repetitions repeat(run, 0.02 * (seed % 5));
    select::Request request;
    if (seed % 2 == 0)
      request.constraints.max_slowdown = 0.03 * (seed % 4);
    const auto plan = plan_with(run, request, repeat);
    const select::Score by(run.forecast.predictor().baseline(), request);
    const auto score_of = [&](const std::vector<Gear>& gears) {
      const auto [time, energy] = repeat.took(gears);
      return by.feasible_score(time, energy);
    };
    double best = score_of(std::vector<Gear>(ranks, 0));
    for (const auto& gears : repeat.made)
      best = std::min(best, score_of(gears));
    EXPECT_EQ(score_of(plan.gears), best) << seed;
    EXPECT_LT(best, select::unreachable) << seed; // gear 0 keeps every bound on slowdown
    EXPECT_EQ(plan.expected.time, repeat.took(plan.gears).time) << seed;
    EXPECT_LE(repeat.made.size(), most_repetitions) << seed;
  }
}

TEST(plan_by_repetition, repeats_no_gears_twice_and_never_gear_0) {
  std::size_t made = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Recorded run(seed, 2, patterns[seed % patterns.size()]);
    Repetitions repeat(run, 0.02);
    (void)plan_with(run, {}, repeat);
    made += repeat.made.size();
    std::ranges::sort(repeat.made);
    EXPECT_EQ(std::ranges::adjacent_find(repeat.made), repeat.made.end()) << seed;
    EXPECT_FALSE(std::ranges::binary_search(repeat.made, std::vector<Gear>(ranks, 0))) << seed;
  }
  EXPECT_GT(made, 0u);
}

TEST(plan_by_repetition, searches_again_with_the_timeline_of_a_run_that_was_not_as_forecast) {
  const auto recorded = one_longest_rank(0);
  const auto other = one_longest_rank(3);
  const Forecast forecast(report_of(recorded), recorded);
  std::vector<std::vector<Gear>> made;
  const Repeat repeat = [&](std::span<const std::vector<Gear>> gears) {
    std::vector<RunInGears> runs;
    for (const auto& choice : gears) {
      made.push_back(choice);
      const auto [time, energy] = forecast.of(choice);
      runs.push_back({.took = {time * 1.5, energy * 1.5},
                      .forecast = [&] { return Forecast(report_of(other), other); }});
    }
    return runs;
  };
  (void)plan_by_repetition(forecast, forecast.predictor().baseline(), {}, Seconds{1}, repeat);
  ASSERT_FALSE(made.empty());
  EXPECT_EQ(made.front(), (std::vector<Gear>{0, 1, 1, 1}));
  EXPECT_NE(std::ranges::find(made, std::vector<Gear>{1, 1, 1, 0}), made.end());
}

TEST(plan_by_totals, gives_the_least_loaded_node_the_slower_gear) {
  const Recorded run(3, 2, Pattern::collective);
  auto report = run.report;
  for (auto& rank : report.ranks) {
    rank.computation = Seconds{rank.rank == 2 ? 1.0 : 9.0};
    rank.communication = Seconds{rank.rank == 2 ? 9.0 : 1.0};
  }
  const auto plan = plan_by_totals(report, {});
  EXPECT_EQ(plan.gears, (std::vector<Gear>{0, 0, 1, 0}));
  EXPECT_EQ(plan.time_model, runtime::TimeModelKind::cluster);
}

} // namespace
} // namespace hypermile::simulate
