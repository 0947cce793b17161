// Traces in Chrome's format of random programs in random gears, against what the schedule and the
// powers say.

#include "model/dependency/dependencies.hpp"
#include "support/random_timeline.hpp"
#include "trace/chrome.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace hypermile::trace {
namespace {

using nlohmann::json;

constexpr double nanosecond = 1e-3; // in microseconds, the unit of the trace
constexpr unsigned random_runs = 25;

/// A run, with all that it refers to.
struct Example {
  model::Timeline timeline;
  TracedRun run;
};

/// Two ranks on each node.
std::vector<TracedNode> some_nodes(std::size_t ranks, test::RandomTimeline& random) {
  std::vector<TracedNode> nodes;
  for (std::uint32_t r = 0; r < ranks; r += 2) {
    std::vector<std::uint32_t> of_node{r};
    if (r + 1 < ranks)
      of_node.push_back(r + 1);
    nodes.push_back({.name = "node-" + std::to_string(r / 2),
                     .type = "type",
                     .ranks = of_node,
                     .gear = random.integer(0, 3),
                     .setting = "2 GHz",
                     .waiting = Watts{random.uniform(5, 10)},
                     .per_rank = Watts{random.uniform(1, 30)}});
  }
  return nodes;
}

std::unique_ptr<Example> example(unsigned seed) {
  test::RandomTimeline random(seed);
  const auto program = random.make(random.integer(2, 6), random.integer(1, 6));
  auto made = std::make_unique<Example>();
  made->timeline = run(program, std::vector<double>(6, 1)).timeline;
  const model::dependency::Dependencies dependencies(made->timeline, program.protocol);
  std::vector<double> scales;
  for (std::size_t r = 0; r < dependencies.ranks(); ++r)
    scales.push_back(random.uniform(1, 2.5));
  made->run = {.label = "gears \"some\"",
               .forecast = true,
               .timeline = &made->timeline,
               .schedule = dependencies.schedule(made->timeline, scales),
               .nodes = some_nodes(dependencies.ranks(), random)};
  return made;
}

json written(std::span<const TracedRun> runs, const Window& window = {}) {
  std::string text;
  write_chrome({.program = "./app \"x\"", .platform = "p", .window = window}, runs,
               [&](std::string_view part) { text += part; });
  return json::parse(text);
}

json written(const Example& example, const Window& window = {}) {
  return written(std::span(&example.run, 1), window);
}

std::vector<json> events(const json& trace, const std::string& kind, const std::string& category) {
  std::vector<json> found;
  for (const json& event : trace["traceEvents"])
    if (event["ph"] == kind && (category.empty() || event.value("cat", "") == category))
      found.push_back(event);
  return found;
}

double sum(const std::vector<json>& slices) {
  double total = 0;
  for (const json& slice : slices)
    total += slice["dur"].get<double>();
  return total;
}

/// J: what the counter of this name and process is over its time.
double integral(const json& trace, const std::string& name, int process) {
  double energy = 0;
  double since = 0;
  double power = 0;
  for (const json& event : trace["traceEvents"])
    if (event["ph"] == "C" && event["name"] == name && event["pid"] == process) {
      EXPECT_GE(event["ts"], since);
      energy += power * (event["ts"].get<double>() - since) / 1e6;
      since = event["ts"];
      power = event["args"]["W"];
    }
  EXPECT_EQ(power, 0) << "it ends with the run";
  return energy;
}

TEST(chrome_trace, has_slices_that_nest_and_do_not_overlap) {
  for (unsigned seed = 1; seed <= random_runs; ++seed) {
    const auto some = example(seed);
    std::map<std::pair<int, int>, std::vector<double>> open; // by thread: when what is open ends
    std::map<std::pair<int, int>, double> now;
    for (const json& slice : events(written(*some), "X", "")) {
      const std::pair thread(slice["pid"].get<int>(), slice["tid"].get<int>());
      const double begin = slice["ts"];
      const double end = begin + slice["dur"].get<double>();
      ASSERT_GE(begin, now[thread]) << slice;
      auto& ends = open[thread];
      while (!ends.empty() && ends.back() <= begin + nanosecond / 2)
        ends.pop_back();
      if (!ends.empty()) {
        ASSERT_LE(end, ends.back() + nanosecond / 2) << slice;
      }
      ends.push_back(end);
      ASSERT_LE(ends.size(), 2U);
      now[thread] = begin;
    }
  }
}

TEST(chrome_trace, adds_up_to_the_computation_of_the_run) {
  for (unsigned seed = 1; seed <= random_runs; ++seed) {
    const auto some = example(seed);
    Seconds computing;
    for (std::size_t r = 0; r < some->run.schedule.ranks.size(); ++r)
      computing += some->run.schedule.computing(r);
    const auto slices = events(written(*some), "X", "computing");
    EXPECT_NEAR(sum(slices) / 1e6, computing.value(),
                1e-9 * static_cast<double>(slices.size() + 1));
  }
}

TEST(chrome_trace, has_counters_of_power_whose_integral_is_the_energy) {
  for (unsigned seed = 1; seed <= random_runs; ++seed) {
    const auto some = example(seed);
    const json trace = written(*some);
    const double energy = some->run.energy().value();
    EXPECT_NEAR(integral(trace, "power of all nodes", 1), energy, 1e-5 * energy);
    double nodes = 0;
    for (std::size_t n = 0; n < some->run.nodes.size(); ++n)
      nodes += integral(trace, "power", static_cast<int>(n) + 2);
    EXPECT_NEAR(nodes, energy, 1e-5 * energy);
    EXPECT_NEAR(trace["otherData"]["runs"][0]["energy_j"].get<double>(), energy, 1e-9 * energy);
  }
}

TEST(chrome_trace, has_only_what_is_in_the_window) {
  const auto some = example(3);
  const double end = some->run.time().value();
  const Window window{.from = Seconds{0.25 * end}, .to = Seconds{0.5 * end}};
  const json trace = written(*some, window);
  EXPECT_LT(trace["traceEvents"].size(), written(*some)["traceEvents"].size());
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == "M")
      continue;
    EXPECT_GE(event["ts"].get<double>(), 0.25e6 * end - nanosecond);
    EXPECT_LE(event["ts"].get<double>() + event.value("dur", 0.0), 0.5e6 * end + nanosecond);
  }
  const double part = integral(trace, "power of all nodes", 1);
  EXPECT_GT(part, 0);
  EXPECT_LT(part, 0.6 * some->run.energy().value());
}

TEST(chrome_trace, has_runs_side_by_side_in_processes_of_their_own) {
  const auto a = example(5);
  const auto b = example(5);
  const std::vector<TracedRun> runs{a->run, b->run};
  const json trace = written(runs);
  std::map<int, std::string> names;
  for (const json& event : trace["traceEvents"])
    if (event["name"] == "process_name") {
      EXPECT_TRUE(names.try_emplace(event["pid"], event["args"]["name"]).second);
    }
  EXPECT_EQ(names.size(), 2 * (a->run.nodes.size() + 1));
  EXPECT_EQ(names.begin()->second, "gears \"some\": all nodes");
  EXPECT_EQ(trace["otherData"]["runs"].size(), 2U);
  EXPECT_EQ(trace["otherData"]["runs"][0]["times"], "forecast");
  EXPECT_EQ(trace["otherData"]["program"], "./app \"x\"");
}

TEST(chrome_trace, names_calls_with_their_bytes_and_partners) {
  test::RandomTimeline random(1);
  const auto program = random.make(4, 3, {test::Pattern::wavefront}, {});
  Example some;
  some.timeline = run(program, std::vector<double>(4, 1)).timeline;
  some.run = {.label = "recorded",
              .forecast = false,
              .timeline = &some.timeline,
              .schedule = model::dependency::recorded_schedule(some.timeline),
              .nodes = some_nodes(4, random)};
  std::size_t sends = 0;
  for (const json& call : events(written(some), "X", "mpi"))
    if (call["name"] == "MPI_Send") {
      ++sends;
      EXPECT_GE(call["args"]["with rank"], 0);
      EXPECT_TRUE(call["args"].contains("bytes"));
      EXPECT_TRUE(call["args"].contains("tag"));
    }
  EXPECT_GE(sends, 9U); // 3 ranks send 3 times
}

} // namespace
} // namespace hypermile::trace
