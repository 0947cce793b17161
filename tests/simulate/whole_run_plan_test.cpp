// Plans from a whole run against all gear vectors of small programs.

#include "simulate/whole_run_plan.hpp"

#include "select/score.hpp"
#include "support/nodes.hpp"
#include "support/random_timeline.hpp"
#include "support/scripted_timeline.hpp"

#include <gtest/gtest.h>

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

/// Every node has a wire to every other one; `bandwidth` of the one that all share.
io::NetworkDescription network(Bandwidth bandwidth) {
  io::NetworkDescription description;
  description.protocol.known = true;
  description.interconnect.links = {{"wire", bandwidth, true}};
  for (std::uint32_t from = 0; from < ranks; ++from) {
    description.interconnect.node_of_rank.push_back(from);
    for (std::uint32_t to = 0; to < ranks; ++to)
      if (from != to)
        description.interconnect.routes.push_back(
            {.from = from, .to = to, .links = {0}, .latency = Seconds{1e-4}});
  }
  return description;
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
      : timeline(test::run(test::RandomTimeline(seed).make(ranks, iterations, {pattern},
                                                           network(Bandwidth{1e9}).protocol),
                           std::vector<double>(ranks, 1))
                     .timeline),
        report(report_of(timeline)), forecast(report, timeline, network(Bandwidth{1e9})) {}
  model::Timeline timeline;
  runtime::RunReport report;
  Forecast forecast;
};

constexpr std::array patterns{Pattern::ring, Pattern::halo, Pattern::wavefront, Pattern::collective,
                              Pattern::rooted};

TEST(plan_of_a_whole_run, is_the_best_of_all_gear_vectors) {
  for (unsigned seed = 1; seed <= 25; ++seed) {
    const Recorded run(seed, 1 + seed % 3, patterns[seed % patterns.size()]);
    const auto plan = plan_whole_run(run.forecast, {}, {});
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
    const auto plan = plan_whole_run(run.forecast, request, {});
    const double misfit = run.forecast.network().contention.misfit;
    request.constraints.max_slowdown = std::max(0.0, *request.constraints.max_slowdown - misfit);
    const select::Score by(plan.baseline, request);
    const double reached = score(run.forecast, by, plan.gears);
    EXPECT_LT(reached, select::unreachable) << seed;
    EXPECT_NEAR(reached / best_of_all(run.forecast, by), 1, 1e-9) << seed;
  }
}

/// One long computation and then a reduction.
TEST(plan_of_a_whole_run, uses_the_slack_of_a_program_without_a_loop) {
  test::Script longest;
  test::Script others[3];
  longest.computes(4).joins(model::Shape::all, ranks, 0.125);
  for (test::Script& other : others)
    other.computes(1).joins(model::Shape::all, ranks, 3.125);
  const auto timeline = test::timeline_of(longest, others[0], others[1], others[2]);
  const auto report = report_of(timeline);
  const Forecast forecast(report, timeline, network(Bandwidth{1e9}));
  const auto plan = plan_whole_run(forecast, {}, {});
  EXPECT_EQ(plan.gears, (std::vector<Gear>{0, 1, 1, 1}));
  EXPECT_NEAR(plan.expected.time / plan.baseline.time, 1, 1e-6);
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
