#pragma once

#include "report/job_summary.hpp"
#include "support/nodes.hpp"

#include <string>

/// Jobs made by hand: two ranks on each of two nodes with two cores, which draw 4 W, and for each
/// core that computes 8 W in gear 0 and 1 W in gear 1.
namespace hypermile::test {

/// Runs for 10 s, makes 160 MPI calls, 140 of them in a loop from 1 s to 9 s. Its first 2 s have 40
/// calls, the other 6 s have 100: a call takes 0.05 s, then 0.06 s.
inline runtime::RankReport job_rank(int rank, double computing_after_3s) {
  runtime::RankReport report{.node = node(rank < 2 ? "a" : "b", 2)};
  report.rank = rank;
  report.loop = {.found = runtime::LoopReport::Found::pattern,
                 .description = "1 MPI call",
                 .iterations = 140,
                 .first_iteration = Seconds{1},
                 .total = Seconds{8},
                 .computation = Seconds{1 + computing_after_3s - 0.5},
                 .calls = 140,
                 .calls_before = 10,
                 .computation_before = Seconds{0.5}};
  report.time = Seconds{10};
  report.computation = Seconds{1.5 + computing_after_3s};
  report.communication = report.time - report.computation;
  report.overhead = Seconds{0.001 * (rank + 1)};
  report.watching = Seconds{0.0001 * (rank + 1)};
  report.calls = 160;
  if (rank % 2 == 0)
    report.access = runtime::NodeAccess{.backend = "cpufreq", .meter = ""};
  return report;
}

/// A choice that predicts 25 % more time and 20 % less energy.
inline runtime::Decision job_choice(std::vector<std::size_t> gears) {
  runtime::Decision decision;
  decision.nodes = {"a", "b"};
  decision.gears = std::move(gears);
  decision.baseline = {.time = Seconds{0.05}, .energy = Joules{1}};
  decision.prediction = {
      .time = Seconds{0.0625}, .energy = Joules{0.8}, .p_norm = 0.8, .e_norm = 0.8, .distance = 0};
  return decision;
}

inline runtime::GearChange job_change(double time, std::size_t gear, std::size_t calls,
                                      double computation) {
  return {.time = Seconds{time},
          .gear = gear,
          .iteration = calls - 10,
          .calls = calls,
          .computation = Seconds{computation},
          .energy = std::nullopt};
}

/// Nothing is set.
inline runtime::RunReport job_in_gear0() {
  return {.ranks = {job_rank(0, 3.5), job_rank(1, 3.5), job_rank(2, 3.5), job_rank(3, 3.5)},
          .decisions = {},
          .without_loop = {}};
}

/// From 3 s on node b is in gear 1.
inline runtime::RunReport job_in_gears() {
  runtime::RunReport run{.ranks = {job_rank(0, 3), job_rank(1, 3), job_rank(2, 5), job_rank(3, 5)},
                         .decisions = {job_choice({0, 1})},
                         .without_loop = {}};
  for (auto& rank : run.ranks) {
    const std::size_t gear = rank.node.name == "b" ? 1 : 0;
    rank.changes = {job_change(3, gear, 50, 1.5)};
    rank.gear = gear;
  }
  return run;
}

inline report::Job job(runtime::RunReport run) {
  return {.command = "mpirun -n 4 ./app", .exit_code = 0, .settings = {}, .run = std::move(run)};
}

} // namespace hypermile::test
