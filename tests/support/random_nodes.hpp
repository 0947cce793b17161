#pragma once

#include "model/dependency/prediction.hpp"
#include "support/random_timeline.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hypermile::test {

/// Nodes of up to `types` random types for ranks 0 to `ranks` - 1, one or two ranks on each.
inline std::vector<model::dependency::Node> random_nodes(RandomTimeline& random, std::size_t ranks,
                                                         std::size_t gears, std::size_t types = 2,
                                                         std::size_t most_on_one = 2) {
  std::vector<model::NodeType> kinds;
  for (std::size_t t = 0; t < types; ++t) {
    std::vector<Hertz> frequencies;
    double frequency = random.uniform(2e9, 3.5e9);
    const double step = random.uniform(0.7, 0.95);
    for (std::size_t g = 0; g < gears; ++g, frequency *= step)
      frequencies.emplace_back(frequency);
    model::GearTable table{frequencies};
    auto power =
        model::cubic_power(table, Watts{random.uniform(10, 40)}, Watts{random.uniform(0, 12)});
    // Ranks that spin draw less in a lower gear.
    const bool spin = random.integer(0, 1) == 0;
    for (std::size_t g = 0; spin && g < gears; ++g)
      power[g].waiting = power[g].waiting + 0.5 * (power[g].computing - power[g].waiting);
    kinds.push_back({.name = "type" + std::to_string(t),
                     .cores = most_on_one,
                     .speed = Speed{1},
                     .gears = std::move(table),
                     .power = std::move(power)});
  }
  std::vector<model::dependency::Node> nodes;
  for (std::uint32_t rank = 0; rank < ranks;) {
    nodes.push_back({kinds[random.integer(0, types - 1)], {}});
    for (std::size_t left = random.integer(1, most_on_one); left > 0 && rank < ranks; --left)
      nodes.back().ranks.push_back(rank++);
  }
  return nodes;
}

} // namespace hypermile::test
