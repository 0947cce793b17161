#include "steer/replay.hpp"

#include <algorithm>
#include <random>
#include <set>

namespace hypermile::steer {
namespace {

Measurement measure(const Performance& truth, const Noise& noise, std::mt19937_64& random) {
  // Nothing is measured to be zero or less, however noisy.
  constexpr double least = 0.01;
  std::normal_distribution<double> standard;
  const auto factor = [&] { return std::max(1 + noise.deviation * standard(random), least); };
  const double capacity = factor();
  const double power = factor();
  return {.capacity = truth.capacity * capacity,
          .power = truth.power * power,
          .relative_error = noise.deviation};
}

void account(Replay& replay, const Table& table, const Goal& goal) {
  std::set<std::size_t> visited{replay.settled.configuration};
  for (const Observation& one : replay.observations) {
    visited.insert(one.configuration);
    if (one.configuration != replay.settled.configuration)
      replay.worst_excess =
          std::max(replay.worst_excess, excess(goal, table.performance[one.configuration]));
  }
  replay.visits = visited.size();
}

} // namespace

Optimum optimum(const Table& table, const Goal& goal) {
  const auto rank = [&](const Performance& performance) {
    return std::pair(-std::max(excess(goal, performance), 0.0), worth(goal, performance));
  };
  const auto best = std::ranges::max_element(table.performance, {}, rank);
  return {static_cast<std::size_t>(best - table.performance.begin()), excess(goal, *best) <= 0};
}

Replay replay(const Table& table, const std::string& method, const Goal& goal, const Noise& noise) {
  return replay(table, *make_search(method, table.space, goal), goal, noise);
}

Replay replay(const Table& table, Search& search, const Goal& goal, const Noise& noise) {
  std::mt19937_64 random(noise.seed);
  Replay replay{};
  replay.settled = search.next();
  while (replay.settled.what == Step::What::visit) {
    const std::size_t configuration = replay.settled.configuration;
    const Measurement seen = measure(table.performance[configuration], noise, random);
    search.observe(configuration, seen);
    replay.observations.push_back({configuration, seen, replay.settled.reason});
    replay.settled = search.next();
  }
  account(replay, table, goal);
  return replay;
}

} // namespace hypermile::steer
