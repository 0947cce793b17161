#pragma once

#include "learn/memory.hpp"
#include "support/nodes.hpp"
#include "support/random_timeline.hpp"

#include <string>
#include <vector>

/// Jobs that have run, made from random programs.
namespace hypermile::test {

inline constexpr std::size_t ranks_of_job = 4;

inline learn::Identity identity(const std::vector<std::string>& arguments = {"--class", "S"}) {
  learn::Identity identity{.program = "app", .arguments = arguments, .nodes = {}};
  for (std::size_t r = 0; r < ranks_of_job; ++r)
    identity.nodes.push_back(node("node-" + std::to_string(r)));
  return identity;
}

/// What each rank of this timeline reports of itself.
inline std::vector<runtime::RankReport> reports_of(const model::Timeline& timeline) {
  std::vector<runtime::RankReport> ranks;
  for (std::size_t r = 0; r < timeline.ranks.size(); ++r) {
    runtime::RankReport rank{.node = node("node-" + std::to_string(r))};
    rank.rank = static_cast<int>(r);
    runtime::Outline outline;
    std::size_t calls = 0;
    Seconds computed;
    for (const model::Event& event : timeline.ranks[r].events) {
      computed += Seconds{static_cast<double>(event.computation)} / timeline.ranks[r].scale;
      rank.communication += Seconds{static_cast<double>(event.duration)};
      if (event.ends_call != 0)
        outline.add(++calls, computed);
    }
    outline.total += timeline.ranks[r].computation_after / timeline.ranks[r].scale;
    rank.time = model::end(timeline.ranks[r]) - timeline.ranks[r].begin;
    rank.computation = outline.total * timeline.ranks[r].scale;
    rank.lesson = runtime::Lesson{outline, timeline.ranks[r]};
    ranks.push_back(std::move(rank));
  }
  return ranks;
}

/// A run in gear 0 of a random program with so many iterations.
inline model::Timeline recorded(unsigned seed, std::size_t iterations = 3,
                                std::vector<Pattern> patterns = {Pattern::ring,
                                                                 Pattern::collective}) {
  RandomTimeline random(seed);
  model::dependency::Protocol protocol;
  return run(random.make(ranks_of_job, iterations, patterns, protocol),
             std::vector<double>(ranks_of_job, 1))
      .timeline;
}

inline learn::Memory memory_of(const model::Timeline& timeline,
                               const std::vector<std::string>& arguments = {"--class", "S"}) {
  return learn::first_memory(identity(arguments), timeline.functions, reports_of(timeline));
}

} // namespace hypermile::test
