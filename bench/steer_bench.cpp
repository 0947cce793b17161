// How long `hypermile steer` takes to decide, by its own method, where it goes next: on the machine
// of [N16], and on a large server. (24 cores x 13 gears x 2 placements are 624; one core and all
// cores are the same in both placements, which leaves 598.)

#include "steer/adaptive.hpp"

#include <benchmark/benchmark.h>

#include <cmath>

namespace hypermile::bench {
namespace {

steer::Space space_of(std::size_t cores_per_socket, std::size_t gears) {
  std::vector<Hertz> frequencies;
  for (std::size_t gear = 0; gear < gears; ++gear)
    frequencies.emplace_back(2.4e9 -
                             1.2e9 * static_cast<double>(gear) / static_cast<double>(gears - 1));
  return steer::all_configurations({2, cores_per_socket, model::GearTable(frequencies)});
}

/// A program that waits for its memory, measured with 1 % error.
steer::Measurement measure(const steer::Space& space, std::size_t index) {
  const steer::Configuration& one = space[index];
  const auto n = static_cast<double>(one.cores);
  const double ghz = space.node.gears.frequency(one.gear).value() / 1e9;
  const double wobble = 1 + 0.01 * std::sin(static_cast<double>(index));
  return {.capacity = Rate{100 * wobble / (1 / (n * ghz) + 0.02 / ghz + 0.01)},
          .power = Watts{40 + wobble * n * ghz * ghz},
          .relative_error = 0.01};
}

void decide(benchmark::State& state, std::size_t cores_per_socket, std::size_t gears) {
  const steer::Space space = space_of(cores_per_socket, gears);
  steer::AdaptiveSearch search(
      space, {.objective = steer::Objective::most_throughput, .most_power = Watts{90}});
  const auto visits = static_cast<std::size_t>(state.range(0));
  for (std::size_t visit = 0; visit < visits; ++visit) {
    const std::size_t index = (visit + 1) * space.size() / (visits + 1);
    search.observe(index, measure(space, index));
  }
  for (auto _ : state)
    benchmark::DoNotOptimize(search.next());
  state.counters["configurations"] = static_cast<double>(space.size());
}

constexpr auto visits = {6, 14, 24, 100}; // the last after a day of changing bounds
void numbers_of_visits(benchmark::internal::Benchmark* bench) {
  for (const int count : visits)
    bench->Arg(count);
  bench->ArgName("visits")->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(decide, 2x12_cores_13_gears, 12, 13)->Apply(numbers_of_visits);
BENCHMARK_CAPTURE(decide, 2x96_cores_26_gears, 96, 26)->Apply(numbers_of_visits);

} // namespace
} // namespace hypermile::bench
