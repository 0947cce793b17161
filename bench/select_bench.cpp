// Time per selection, the exact optimum beside the papers' algorithms: compare within one run.

#include "platforms.hpp"

#include "select/selector.hpp"

#include <benchmark/benchmark.h>

namespace hypermile::bench {
namespace {

constexpr Load load{0.1, 0.3, 7};

void run(benchmark::State& state, const model::Problem& problem, select::Method method) {
  select::Selector selector;
  const select::Request request{.method = method};
  selector.choose(problem, request);
  for (auto _ : state)
    benchmark::DoNotOptimize(&selector.choose(problem, request));
  state.counters["nodes"] = static_cast<double>(problem.node_count());
}

void cluster(benchmark::State& state, select::Method method) {
  run(state, cluster_problem(nodes_of(table_3_1(), static_cast<std::size_t>(state.range(0)), load)),
      method);
}

void hybrid(benchmark::State& state, select::Method method) {
  run(state,
      hybrid_problem(nodes_of(table_4_1(), static_cast<std::size_t>(state.range(0)), load, true)),
      method);
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t nodes : {4, 8, 32, 144, 1024, 10'000, 100'000, 1'000'000})
    bench->Arg(nodes);
}

BENCHMARK_CAPTURE(cluster, exact, select::Method::exact)->Apply(sizes);
BENCHMARK_CAPTURE(cluster, alg5, select::Method::alg5)->Apply(sizes);
BENCHMARK_CAPTURE(cluster, alg5_literal, select::Method::alg5_literal)->Apply(sizes);
BENCHMARK_CAPTURE(hybrid, exact, select::Method::exact)->Apply(sizes);
BENCHMARK_CAPTURE(hybrid, alg8, select::Method::alg8)->Apply(sizes);

/// What comes before a selection online: a problem from the times just measured.
void build_problem(benchmark::State& state) {
  const auto nodes = nodes_of(table_3_1(), static_cast<std::size_t>(state.range(0)), load);
  for (auto _ : state)
    benchmark::DoNotOptimize(cluster_problem(nodes));
}
BENCHMARK(build_problem)->Arg(4)->Arg(144)->Arg(10'000)->Arg(1'000'000);

} // namespace
} // namespace hypermile::bench
