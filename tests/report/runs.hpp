#pragma once

#include "simulate/experiment.hpp"
#include "support/nodes.hpp"

#include <vector>

/// Runs made by hand, of a program on two nodes.
namespace hypermile::test {

inline runtime::RankReport rank_report(int rank, const std::vector<double>& changes = {}) {
  runtime::RankReport report{.node = node(rank == 0 ? "a" : "b")};
  report.rank = rank;
  report.time = Seconds{10};
  report.communication = Seconds{2};
  report.loop = {.found = runtime::LoopReport::Found::pattern,
                 .description = "2 MPI calls",
                 .iterations = 100,
                 .first_iteration = Seconds{0.5},
                 .total = Seconds{9.5}};
  for (const double time : changes)
    report.changes.push_back(
        {.time = Seconds{time}, .gear = 1, .iteration = 20, .energy = Joules{1}});
  return report;
}

/// Sets gear 1 on the second node, or keeps all in gear 0 for the reason that is given.
inline runtime::Decision decision(const std::string& declined = "") {
  runtime::Decision decision;
  decision.nodes = {"a", "b"};
  decision.gears = {0, declined.empty() ? 1U : 0U};
  decision.baseline = {.time = Seconds{0.1}, .energy = Joules{1}};
  decision.declined = declined;
  return decision;
}

/// Unscaled: 10 s, 100 J.
inline simulate::SimulatedRun unscaled_run() {
  simulate::SimulatedRun run;
  run.method = "none";
  run.time = Seconds{10};
  run.energy = Joules{100};
  run.report.ranks = {rank_report(0), rank_report(1)};
  return run;
}

/// With as many choices as there are times of each of the two ranks, which predict `expected_s`.
inline simulate::SimulatedRun scaled_run(const std::vector<double>& first,
                                         const std::vector<double>& second, double expected_s) {
  simulate::SimulatedRun run;
  run.method = "exact";
  run.time = Seconds{10};
  run.energy = Joules{80};
  run.expected = simulate::Expectation{Seconds{expected_s}, Joules{80}};
  run.report.ranks = {rank_report(0, first), rank_report(1, second)};
  run.report.decisions.assign(first.size(), decision());
  return run;
}

} // namespace hypermile::test
