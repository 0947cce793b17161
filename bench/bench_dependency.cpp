// The dependency model of recorded programs: passes over a timeline, and searches for gears.

#include "platforms.hpp"

#include "select/dependency_search.hpp"
#include "support/random_timeline.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <string>

namespace hypermile::bench {
namespace {

using test::Pattern;

constexpr std::size_t events_wanted = 50'000;

const std::vector<std::vector<Pattern>>& programs() {
  static const std::vector<std::vector<Pattern>> all{
      {Pattern::halo, Pattern::collective},
      {Pattern::wavefront, Pattern::halo, Pattern::collective},
      {Pattern::ring, Pattern::overlap, Pattern::rooted}};
  return all;
}

std::size_t events_of(const model::Timeline& timeline) {
  std::size_t events = 0;
  for (const model::RankTimeline& rank : timeline.ranks)
    events += rank.events.size();
  return events;
}

/// A recording of about `events_wanted` events on as many nodes of [F16] Table 3.1.
struct Recording {
  test::Program program;
  test::Run run;

  Recording(std::size_t ranks, std::size_t kind) {
    const std::size_t before = events_of(make(ranks, kind, 0).timeline);
    const std::size_t per_iteration = events_of(make(ranks, kind, 1).timeline) - before;
    program = make(ranks, kind, (events_wanted - before) / per_iteration);
    run = test::run(program, std::vector<double>(ranks, 1));
  }
  static test::Program make(std::size_t ranks, std::size_t kind, std::size_t iterations) {
    model::dependency::Protocol protocol;
    protocol.starts_at_receive = true; // as SimGrid's
    return test::RandomTimeline(7).noisy(0.1).make(ranks, iterations, programs()[kind], protocol);
  }
  [[nodiscard]] model::dependency::Dependencies dependencies() const {
    return model::dependency::Dependencies(run.timeline, program.protocol);
  }
};

std::vector<model::dependency::Node> nodes(std::size_t count) {
  std::vector<model::dependency::Node> result;
  const auto& kinds = table_3_1();
  for (std::uint32_t n = 0; n < count; ++n) {
    const NodeKind& kind = kinds[n * kinds.size() / count];
    auto gears = model::gear_grid(Hertz{kind.max_ghz * 1e9}, Hertz{kind.min_ghz * 1e9},
                                  Hertz{kind.step_ghz * 1e9});
    auto power = model::cubic_power(gears, Watts{kind.dynamic_w}, Watts{kind.static_w});
    model::NodeType type{.name = kind.name,
                         .cores = 1,
                         .speed = Speed{1},
                         .gears = std::move(gears),
                         .power = std::move(power)};
    result.push_back({std::move(type), {n}});
  }
  return result;
}

void build(benchmark::State& state) {
  const Recording recording(static_cast<std::size_t>(state.range(0)), 0);
  for (auto _ : state)
    benchmark::DoNotOptimize(recording.dependencies());
  state.counters["events"] = static_cast<double>(events_of(recording.run.timeline));
}
BENCHMARK(build)->Arg(8)->Unit(benchmark::kMillisecond);

/// Of computation that reacts to gears in full, or by a half.
void evaluate(benchmark::State& state, double sensitivity) {
  const auto ranks = static_cast<std::size_t>(state.range(0));
  Recording recording(ranks, static_cast<std::size_t>(state.range(1)));
  for (model::RankTimeline& rank : recording.run.timeline.ranks)
    rank.sensitivity_otherwise = sensitivity;
  const auto dependencies = recording.dependencies();
  const model::dependency::Predictor predictor(dependencies, nodes(ranks));
  model::dependency::Predictor::Workspace workspace;
  const std::vector<model::Gear> gears(ranks, 2);
  for (auto _ : state)
    benchmark::DoNotOptimize(predictor.predict(gears, workspace));
  state.SetItemsProcessed(static_cast<std::int64_t>(events_of(recording.run.timeline)) *
                          static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK_CAPTURE(evaluate, in_full, 1.0)
    ->ArgsProduct({{8, 32}, {0, 1, 2}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(evaluate, by_half, 0.5)
    ->ArgsProduct({{8, 32}, {0, 1, 2}})
    ->Unit(benchmark::kMicrosecond);

/// What a plan of a whole run needs: to rank 10,000 gear vectors of it, whose best are then
/// repeated.
void rank(benchmark::State& state) {
  constexpr std::size_t vectors = 10'000;
  const auto ranks = static_cast<std::size_t>(state.range(0));
  const Recording recording(ranks, static_cast<std::size_t>(state.range(1)));
  const auto dependencies = recording.dependencies();
  const model::dependency::Predictor predictor(dependencies, nodes(ranks));
  model::dependency::Predictor::Workspace workspace;
  std::mt19937 random(1);
  for (auto _ : state) {
    double best = 0;
    for (std::size_t v = 0; v < vectors; ++v) {
      std::vector<model::Gear> gears;
      for (std::size_t n = 0; n < ranks; ++n)
        gears.push_back(random() % predictor.gear_count(n));
      best = std::max(best, predictor.predict(gears, workspace).distance);
    }
    benchmark::DoNotOptimize(best);
  }
  state.counters["events"] = static_cast<double>(events_of(recording.run.timeline));
}
BENCHMARK(rank)->ArgsProduct({{8, 32}, {0, 1, 2}})->Unit(benchmark::kSecond)->Iterations(1);

/// Thinks for 50 ms of the processor at the most. `slowdown`: in per cent; negative: no bound. The
/// gap is in points of distance.
void search(benchmark::State& state) {
  const auto ranks = static_cast<std::size_t>(state.range(0));
  const Recording recording(ranks, static_cast<std::size_t>(state.range(1)));
  const auto dependencies = recording.dependencies();
  const model::dependency::Predictor predictor(dependencies, nodes(ranks));
  select::Request request;
  if (state.range(2) >= 0)
    request.constraints.max_slowdown = 0.01 * static_cast<double>(state.range(2));
  select::DependencyPlan result;
  for (auto _ : state) {
    const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 20;
    const select::SearchLimits limits{.out_of_time = [&] { return std::clock() > end; }};
    result = select::choose(predictor, request, limits);
  }
  state.counters["distance"] = 100 * result.plan.prediction.distance;
  state.counters["gap"] = 100 * result.plan.certificate.gap.value_or(1);
  state.counters["passes"] = static_cast<double>(result.evaluations);
}
BENCHMARK(search)
    ->ArgNames({"ranks", "program", "slowdown"})
    ->ArgsProduct({{8, 16, 32, 64}, {0, 1, 2}, {-1, 3}})
    ->Unit(benchmark::kMillisecond);

} // namespace
} // namespace hypermile::bench
