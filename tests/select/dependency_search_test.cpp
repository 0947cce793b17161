#include "select/dependency_search.hpp"

#include "select/score.hpp"
#include "support/cases.hpp"
#include "support/random_nodes.hpp"
#include "support/scripted_timeline.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace hypermile::select {
namespace {

using model::Gear;
using model::dependency::Dependencies;
using model::dependency::Node;
using model::dependency::Predictor;
using test::RandomTimeline;

Watts peak_of(const Predictor& predictor, const std::vector<Gear>& gears) {
  Watts peak;
  for (std::size_t n = 0; n < gears.size(); ++n)
    peak += predictor.peak(n, gears[n]);
  return peak;
}

/// The least score that keeps the bounds, by visiting all gears.
double least_score(const Predictor& predictor, const Score& score) {
  Predictor::Workspace workspace;
  std::vector<Gear> gears(predictor.node_count(), 0);
  double least = unreachable;
  for (std::size_t n = 0; n < gears.size();) {
    const model::Prediction p = predictor.predict(gears, workspace);
    least = std::min(least, score.feasible_score(p.time, p.energy, peak_of(predictor, gears)));
    for (n = 0; n < gears.size() && ++gears[n] == predictor.gear_count(n); ++n)
      gears[n] = 0;
  }
  return least;
}

Request random_request(RandomTimeline& random, const Predictor& predictor) {
  const model::Baseline& base = predictor.baseline();
  Request request{.objective = objectives()[random.integer(0, objectives().size() - 1)].objective};
  Constraints& bounds = request.constraints;
  if (random.integer(0, 3) == 0)
    bounds.max_slowdown = random.uniform(0, 0.3);
  if (random.integer(0, 4) == 0)
    bounds.energy_budget = base.energy * random.uniform(0.6, 1);
  if (random.integer(0, 5) == 0)
    bounds.average_power_cap = base.energy / base.time * random.uniform(0.6, 1);
  if (random.integer(0, 5) == 0)
    bounds.peak_power_cap =
        peak_of(predictor, std::vector<Gear>(predictor.node_count(), 0)) * random.uniform(0.5, 1);
  return request;
}

/// A random program on random nodes, and what is asked for it.
struct Case {
  RandomTimeline& random;
  test::Program program;
  Dependencies dependencies;
  Predictor predictor;
  Request request;
  Score score;

  Case(RandomTimeline& r, std::size_t gears)
      : random(r), program(r.noisy(0.2).make(r.integer(3, 5), r.integer(2, 4))),
        dependencies(run(program, std::vector<double>(ranks(), 1)).timeline, program.protocol),
        predictor(dependencies, test::random_nodes(r, ranks(), gears)),
        request(random_request(r, predictor)), score(predictor.baseline(), request) {}
  [[nodiscard]] std::size_t ranks() const { return program.timeline.ranks.size(); }
  [[nodiscard]] double value(const Plan& plan) const {
    return score(plan.prediction.time, plan.prediction.energy);
  }
  /// Scores nearer than this are equal.
  [[nodiscard]] double tolerance(double value) const {
    return 1e-7 * std::max(std::abs(value), std::abs(score(predictor.baseline().time, Joules{})));
  }
};

TEST(dependency_search, finds_and_proves_the_optimum_of_small_programs) {
  RandomTimeline random(7);
  for (int i = 0; i < test::cases(1500); ++i) {
    SCOPED_TRACE(i);
    const Case c(random, random.integer(2, 4));
    const Plan plan = choose(c.predictor, c.request).plan;
    const double least = least_score(c.predictor, c.score);
    ASSERT_EQ(plan.certificate.kind, Certificate::Kind::exact);
    ASSERT_EQ(plan.feasible(), least < unreachable);
    if (!plan.feasible())
      continue;
    ASSERT_NEAR(c.value(plan), least, c.tolerance(least));
  }
}

TEST(dependency_search, never_proves_too_much_where_it_is_cut_short) {
  RandomTimeline random(8);
  for (int i = 0; i < test::cases(1500); ++i) {
    SCOPED_TRACE(i);
    const Case c(random, 4);
    SearchLimits limits;
    limits.most_evaluations = random.integer(1, 30);
    limits.most_boxes = random.integer(0, 10);
    if (random.integer(0, 1) == 0)
      limits.most_comparing = random.uniform(0, 3000);
    const Plan plan = choose(c.predictor, c.request, limits).plan;
    const double least = least_score(c.predictor, c.score);
    if (!plan.feasible()) {
      ASSERT_TRUE(plan.certificate.kind == Certificate::Kind::bound || !(least < unreachable));
      continue;
    }
    ASSERT_TRUE(plan.certificate.gap.has_value());
    ASSERT_LE(c.value(plan) - *plan.certificate.gap, least + c.tolerance(least));
  }
}

TEST(dependency_search, repeats_itself_without_a_clock) {
  RandomTimeline random(9);
  for (int i = 0; i < 20; ++i) {
    const Case c(random, 6);
    SearchLimits limits;
    limits.most_evaluations = 25;
    const DependencyPlan first = choose(c.predictor, c.request, limits);
    const DependencyPlan second = choose(c.predictor, c.request, limits);
    EXPECT_EQ(first.plan.gears, second.plan.gears);
    EXPECT_EQ(first.evaluations, second.evaluations);
    EXPECT_EQ(first.plan.certificate.gap, second.plan.certificate.gap);
  }
}

TEST(dependency_search, ends_sooner_the_less_it_may_compare) {
  std::size_t before = 0;
  for (const double most : {0.0, 1e3, 1e4, 1e12}) {
    std::size_t evaluations = 0;
    for (int i = 0; i < 20; ++i) {
      RandomTimeline same(static_cast<unsigned>(100 + i));
      const Case c(same, 6);
      SearchLimits limits;
      limits.most_comparing = most;
      evaluations += choose(c.predictor, c.request, limits).evaluations;
    }
    EXPECT_GT(evaluations, before) << most;
    before = evaluations;
  }
}

TEST(dependency_search, ends_when_told_to_with_what_it_has) {
  RandomTimeline random(10);
  const Case c(random, 6);
  SearchLimits limits;
  limits.out_of_time = [] { return true; };
  const DependencyPlan result = choose(c.predictor, {}, limits);
  EXPECT_EQ(result.plan.gears.size(), c.predictor.node_count());
  EXPECT_TRUE(result.plan.certificate.gap.has_value());
}

/// Rank 0 computes least, so it seems to have slack; but the other one waits for its first
/// message, and every second that it loses delays the end.
TEST(dependency_search, sees_slack_that_only_looks_free) {
  test::Script a;
  test::Script b;
  a.computes(1).sends(1, 0).computes(1).sends(1, 0);
  b.receives(0, 1.25).computes(3).receives(0, 0.25).computes(3);
  const Dependencies dependencies(test::timeline_of(a, b));
  model::GearTable gears{{Hertz{2e9}, Hertz{1e9}}};
  const auto power = model::cubic_power(gears, Watts{20}, Watts{4});
  const model::NodeType type{
      .name = "n", .cores = 1, .speed = Speed{1}, .gears = gears, .power = power};
  const Predictor predictor(dependencies, std::vector<Node>{{type, {0}}, {type, {1}}});
  Request request{.objective = Objective::energy};
  request.constraints.max_slowdown = 0;
  const Plan strict = choose(predictor, request).plan;
  EXPECT_EQ(strict.gears, (std::vector<Gear>{0, 0}));
  request.constraints.max_slowdown = 0.15; // 1 of 7.5 s
  const Plan plan = choose(predictor, request).plan;
  EXPECT_EQ(plan.gears, (std::vector<Gear>{1, 0}));
  EXPECT_EQ(plan.certificate.kind, Certificate::Kind::exact);
}

TEST(dependency_search, takes_the_least_energy_among_plans_that_take_as_long) {
  test::Script a;
  test::Script b;
  a.computes(1).joins(model::Shape::all, 2, 2.5);
  b.computes(3).joins(model::Shape::all, 2, 0.5);
  const Dependencies dependencies(test::timeline_of(a, b));
  model::GearTable gears{{Hertz{2e9}, Hertz{1e9}}};
  const auto power = model::cubic_power(gears, Watts{20}, Watts{4});
  const model::NodeType type{
      .name = "n", .cores = 1, .speed = Speed{1}, .gears = gears, .power = power};
  const Predictor predictor(dependencies, std::vector<Node>{{type, {0}}, {type, {1}}});
  const Plan plan = choose(predictor, {.objective = Objective::time}).plan;
  EXPECT_EQ(plan.gears, (std::vector<Gear>{1, 0}));
  EXPECT_NEAR(plan.prediction.p_norm, 1, 1e-9);
}

TEST(dependency_search, says_which_bound_cannot_be_kept) {
  RandomTimeline random(11);
  const Case c(random, 3);
  Request request;
  request.constraints.energy_budget = Joules{1e-6};
  const Plan plan = choose(c.predictor, request).plan;
  ASSERT_EQ(plan.violations.size(), 1U);
  EXPECT_EQ(plan.violations[0].bound, Bound::energy);
  EXPECT_EQ(plan.certificate.kind, Certificate::Kind::exact);
}

/// Time against gear 0 with so many standard deviations; all ranks together are no slower than the
/// slowest gear.
double likely(const Predictor& predictor, const DependencyPlan& plan, double deviations) {
  double slowest = 1;
  for (std::size_t n = 0; n < plan.plan.gears.size(); ++n)
    slowest = std::max(slowest, predictor.scale(n, plan.plan.gears[n]));
  return std::min(plan.spread->mean + deviations * plan.spread->deviation, slowest);
}

/// With noise, a plan that uses up a bound on average breaks it half of the time.
TEST(dependency_search, keeps_a_bound_on_slowdown_in_spite_of_noise) {
  RandomTimeline random(13);
  int tightened = 0;
  for (int i = 0; i < 30; ++i) {
    SCOPED_TRACE(i);
    const test::Program program = random.noisy(0.3).make(4, 30);
    const test::Run recorded = run(program, {1, 1, 1, 1});
    const Dependencies dependencies(recorded.timeline, program.protocol);
    auto iterations = program.iterations;
    for (std::size_t r = 0; r < iterations.size(); ++r)
      iterations[r].push_back(static_cast<std::uint32_t>(program.timeline.ranks[r].events.size()));
    const model::dependency::IterationNoise noise(dependencies, recorded.timeline, iterations);
    const Predictor predictor(dependencies, test::random_nodes(random, 4, 8));
    Request request;
    request.constraints.max_slowdown = 0.1;
    const Plan careless = choose(predictor, request).plan;
    const DependencyPlan careful = choose(predictor, request, {.noise = noise});
    ASSERT_TRUE(careful.spread.has_value());
    ASSERT_TRUE(careful.plan.feasible());
    ASSERT_LE(likely(predictor, careful, 1.6449), 1.1 + 1e-6);
    ASSERT_LE(careful.plan.prediction.time, careless.prediction.time * (1 + 1e-9));
    tightened += careful.plan.gears != careless.gears ? 1 : 0;
  }
  EXPECT_GT(tightened, 0);
}

/// Gears from 3 to 2 GHz.
model::NodeType many_gears() {
  std::vector<Hertz> frequencies;
  for (int step = 0; step <= 20; ++step)
    frequencies.emplace_back(3e9 - 5e7 * step);
  model::GearTable gears{frequencies};
  auto power = model::cubic_power(gears, Watts{40}, Watts{4});
  return {.name = "many",
          .cores = 1,
          .speed = Speed{1},
          .gears = std::move(gears),
          .power = std::move(power)};
}

/// A plan that takes all the slack that was recorded needs no time, and breaks a bound as soon as
/// ranks vary: it is to leave a reserve, and not to give all slack up.
TEST(dependency_search, leaves_of_the_slack_what_noise_needs) {
  std::mt19937 engine(3);
  std::normal_distribution<double> normal;
  std::vector<test::Script> scripts(2);
  std::vector<std::vector<std::uint32_t>> iterations(2, {0});
  for (std::uint32_t i = 0; i < 20; ++i) {
    const double busy = 1 + 0.03 * normal(engine);
    const double light = 0.7 * (1 + 0.03 * normal(engine));
    scripts[0].computes(busy).joins(model::Shape::all, 2, 0.01);
    scripts[1].computes(light).joins(model::Shape::all, 2, busy - light + 0.01);
    for (auto& firsts : iterations)
      firsts.push_back(2 * (i + 1));
  }
  const model::Timeline timeline{.functions = {"Allreduce"},
                                 .ranks = {scripts[0].done(), scripts[1].done()}};
  const Dependencies dependencies(timeline, {});
  const model::dependency::IterationNoise noise(dependencies, timeline, iterations);
  const std::vector<Node> nodes{{many_gears(), {0}}, {many_gears(), {1}}};
  const Predictor predictor(dependencies, nodes);
  Request request;
  request.constraints.max_slowdown = 1e-4;
  const DependencyPlan lucky = choose(predictor, request);
  const DependencyPlan careful = choose(predictor, request, {.noise = noise});
  EXPECT_EQ(careful.plan.gears[0], 0U);
  EXPECT_GT(careful.plan.gears[1], 0U);
  EXPECT_LT(careful.plan.gears[1], lucky.plan.gears[1]);
  EXPECT_LE(careful.spread->mean + 1.6449 * careful.spread->deviation, 1 + 1e-4 + 1e-9);
  EXPECT_EQ(careful.plan.certificate.kind, Certificate::Kind::bound);
}

/// A recording of ranks that vary, and what is known of that.
struct NoisyCase {
  explicit NoisyCase(RandomTimeline& random)
      : program(random.noisy(0.3).make(4, 30)), recorded(run(program, {1, 1, 1, 1})),
        dependencies(recorded.timeline, program.protocol),
        noise(dependencies, recorded.timeline, program.iterations),
        predictor(dependencies, test::random_nodes(random, 4, 8)) {}

  /// Of time and energy that noise like the recorded makes likely.
  [[nodiscard]] double distance(const Plan& plan) const {
    std::vector<double> scales;
    predictor.scales(plan.gears, scales);
    const double mean = noise.spread(scales).mean;
    const auto& base = predictor.baseline();
    return 1 / mean - predictor.energy(plan.gears, base.time * mean) / base.energy;
  }

  test::Program program;
  test::Run recorded;
  Dependencies dependencies;
  model::dependency::IterationNoise noise;
  Predictor predictor;
};

TEST(dependency_search, prefers_what_is_best_for_noise_like_the_recorded) {
  RandomTimeline random(15);
  int better = 0;
  for (int i = 0; i < 30; ++i) {
    SCOPED_TRACE(i);
    const NoisyCase c(random);
    const Plan lucky = choose(c.predictor, {}).plan;
    const Plan robust = choose(c.predictor, {}, {.noise = c.noise}).plan;
    ASSERT_GE(c.distance(robust), c.distance(lucky) - 1e-12);
    ASSERT_LE(robust.prediction.distance, lucky.prediction.distance + 1e-12);
    if (robust.gears != lucky.gears) {
      ++better;
      ASSERT_EQ(robust.certificate.kind, Certificate::Kind::bound);
      ASSERT_GE(*robust.certificate.gap + 1e-9,
                lucky.prediction.distance - robust.prediction.distance);
    }
  }
  EXPECT_GT(better, 0);
}

TEST(dependency_search, trusts_a_plan_by_node_of_many_nodes_once_other_iterations_bear_it_out) {
  RandomTimeline random(17);
  const test::Program program = random.noisy(0.3).make(16, 10);
  const test::Run recorded = run(program, std::vector<double>(16, 1));
  const Dependencies dependencies(recorded.timeline, program.protocol);
  const model::dependency::IterationNoise noise(dependencies, recorded.timeline,
                                                program.iterations);
  std::vector<Node> nodes;
  for (std::uint32_t rank = 0; rank < 16; ++rank)
    nodes.push_back({many_gears(), {rank}});
  const Predictor predictor(dependencies, nodes);
  const SearchLimits limits{.most_evaluations = 2000, .most_boxes = 100};
  const DependencyPlan first = choose(predictor, {}, {.noise = noise}, limits);
  ASSERT_EQ(first.by_node.size(), 16U);
  const DependencyPlan later =
      choose(predictor, {}, {.noise = noise, .by_node_before = first.by_node}, limits);
  EXPECT_EQ(later.plan.gears, later.by_node);
  const std::vector<model::Gear> bad(16, many_gears().gears.size() - 1);
  const DependencyPlan refuted =
      choose(predictor, {}, {.noise = noise, .by_node_before = bad}, limits);
  EXPECT_EQ(refuted.plan.gears, std::vector<model::Gear>(16, refuted.plan.gears[0]));
}

TEST(dependency_search, leaves_more_slack_the_more_forecasts_surprised) {
  RandomTimeline random(16);
  int slower = 0;
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    const NoisyCase c(random);
    Request request{.objective = Objective::energy};
    request.constraints.max_slowdown = 0.1;
    const DependencyPlan trusting = choose(c.predictor, request, {.noise = c.noise});
    const DependencyPlan wary = choose(c.predictor, request, {.noise = c.noise, .surprise = 10});
    ASSERT_LE(likely(c.predictor, wary, 10 * 1.644), 1.1 + 1e-6);
    slower += trusting.spread->mean > wary.spread->mean ? 1 : 0;
    // With room beyond the bound on the mean, the mean is what counts.
    const DependencyPlan even =
        choose(c.predictor, request, {.noise = c.noise, .max_slowdown = 10.0});
    ASSERT_LE(even.spread->mean, 1.1 + 1e-9);
    ASSERT_GE(even.spread->mean, trusting.spread->mean - 0.02);
  }
  EXPECT_GT(slower, 0);
}

TEST(dependency_search, leaves_less_slack_where_noise_evens_out_until_it_counts) {
  RandomTimeline random(20);
  int slower = 0;
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    const NoisyCase c(random);
    Request request{.objective = Objective::energy};
    request.constraints.max_slowdown = 0.1;
    const DependencyPlan now = choose(c.predictor, request, {.noise = c.noise});
    const DependencyPlan later =
        choose(c.predictor, request, {.noise = c.noise, .noise_left = 0.1});
    ASSERT_LE(likely(c.predictor, later, 1.644), 1.1 + 1e-6); // its spread is of then
    std::vector<double> scales;
    c.predictor.scales(later.plan.gears, scales);
    ASSERT_NEAR(later.spread->deviation, 0.1 * c.noise.spread(scales).deviation, 1e-12);
    slower += later.spread->mean > now.spread->mean + 1e-6 ? 1 : 0;
  }
  EXPECT_GT(slower, 2);
}

TEST(dependency_search, is_no_worse_than_the_present_gears_however_soon_it_has_to_end) {
  RandomTimeline random(21);
  SearchLimits at_once;
  at_once.out_of_time = [] { return true; };
  int careful = 0;
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    const NoisyCase c(random);
    Request request{.objective = Objective::energy};
    request.constraints.max_slowdown = 0.1;
    const DependencyPlan unhurried = choose(c.predictor, request, {.noise = c.noise});
    const DependencyPlan hurried =
        choose(c.predictor, request, {.noise = c.noise, .present = unhurried.plan.gears}, at_once);
    ASSERT_LE(hurried.plan.prediction.e_norm, unhurried.plan.prediction.e_norm + 1e-9);
    ASSERT_LE(likely(c.predictor, hurried, 1.644), 1.1 + 1e-6);
    // Where the present ones break the bound, what keeps it is nearer to them than gear 0.
    std::vector<Gear> slowest;
    for (std::size_t n = 0; n < c.predictor.node_count(); ++n)
      slowest.push_back(c.predictor.gear_count(n) - 1);
    const DependencyPlan back =
        choose(c.predictor, request, {.noise = c.noise, .present = slowest}, at_once);
    ASSERT_LE(likely(c.predictor, back, 1.644), 1.1 + 1e-6);
    careful += std::ranges::any_of(back.plan.gears, [](Gear gear) { return gear > 0; }) ? 1 : 0;
  }
  EXPECT_GT(careful, 2);
}

/// A gear that is 4 % slower cannot cost 5 %.
TEST(dependency_search, takes_gears_that_cannot_break_the_bound_however_wrong_forecasts_were) {
  RandomTimeline random(17);
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    const test::Program program = random.noisy(0.3).make(4, 30);
    const test::Run recorded = run(program, {1, 1, 1, 1});
    const Dependencies dependencies(recorded.timeline, program.protocol);
    const model::dependency::IterationNoise noise(dependencies, recorded.timeline,
                                                  program.iterations);
    std::vector<Node> nodes;
    for (std::uint32_t r = 0; r < 4; ++r)
      nodes.push_back({many_gears(), {r}});
    const Predictor predictor(dependencies, nodes);
    Request request{.objective = Objective::energy};
    request.constraints.max_slowdown = 0.05;
    const DependencyPlan plan = choose(predictor, request, {.noise = noise, .surprise = 1e6});
    ASSERT_TRUE(std::ranges::any_of(plan.plan.gears, [](Gear gear) { return gear > 0; }));
    ASSERT_LE(likely(predictor, plan, 1e6), 1.05 + 1e-9);
  }
}

/// Noise is not what a bound on slowdown is about: gear 0 keeps every one.
TEST(dependency_search, finds_gears_for_the_least_bound_however_strong_the_noise) {
  RandomTimeline random(14);
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    const test::Program program = random.noisy(0.3).make(4, 10);
    const test::Run recorded = run(program, {1, 1, 1, 1});
    const Dependencies dependencies(recorded.timeline, program.protocol);
    const model::dependency::IterationNoise noise(dependencies, recorded.timeline,
                                                  program.iterations);
    const Predictor predictor(dependencies, test::random_nodes(random, 4, 4));
    Request request{.objective = Objective::energy};
    request.constraints.max_slowdown = 0;
    const DependencyPlan chosen = choose(predictor, request, {.noise = noise, .probability = 0.99});
    ASSERT_TRUE(chosen.plan.feasible());
    ASSERT_LE(chosen.spread->mean + 2.3 * chosen.spread->deviation, 1 + 1e-9);
    ASSERT_TRUE(chosen.plan.certificate.gap.has_value());
    EXPECT_THROW((void)choose(predictor, request, {.noise = noise, .probability = 1}), Error);
  }
}

TEST(dependency_search, refuses_methods_that_know_no_dependencies) {
  RandomTimeline random(12);
  const Case c(random, 2);
  EXPECT_THROW((void)choose(c.predictor, {.method = Method::alg5}), Error);
}

} // namespace
} // namespace hypermile::select
