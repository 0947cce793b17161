#pragma once

#include "runtime/exchange/messages.hpp"
#include "support/nodes.hpp"
#include "support/scripted_timeline.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace hypermile::test {

/// A rank of a program that is measured with its events, each rank on a node of its own.
struct RecordedRank {
  double computation = 0.001; ///< s per iteration, in gear 0
  std::size_t gear = 0;
};

/// Iterations in which the ranks wait for each other and 0.1 ms more. `elapsed`: since MPI_Init.
inline std::vector<runtime::Measurement> recorded(const std::vector<RecordedRank>& ranks,
                                                  std::size_t iterations, double elapsed = 1) {
  const double scales[] = {1, 2}; // of test::node()
  double longest = 0;
  for (const RecordedRank& rank : ranks)
    longest = std::max(longest, rank.computation * scales[rank.gear]);
  std::vector<runtime::Measurement> all;
  for (const RecordedRank& rank : ranks) {
    const double computation = rank.computation * scales[rank.gear];
    const double communication = longest + 0.0001 - computation;
    Script script;
    runtime::Measurement m{.node = node("node-" + std::to_string(all.size()))};
    for (std::size_t i = 0; i < iterations; ++i) {
      m.iterations.push_back(2 * i);
      script.computes(computation)
          .joins(model::Shape::all, static_cast<std::uint32_t>(ranks.size()), communication);
    }
    m.iterations.push_back(2 * iterations);
    m.rank = static_cast<int>(all.size());
    m.gear = rank.gear;
    m.computation = Seconds{computation};
    m.computation_in_gear0 = Seconds{rank.computation};
    m.communication = Seconds{communication};
    m.elapsed = Seconds{elapsed};
    m.timeline = script.done();
    m.timeline->scale = scales[rank.gear];
    all.push_back(std::move(m));
  }
  return all;
}

} // namespace hypermile::test
