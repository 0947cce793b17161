#include "model/active_power.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace hypermile::model {
namespace {

NodeType node(std::size_t cores, std::vector<double> active) {
  return {.name = "node",
          .cores = cores,
          .speed = Speed{1},
          .gears = GearTable{{Hertz{2e9}, Hertz{1e9}}},
          .power = {{Watts{100}, Watts{40}, Watts{30}}, {Watts{60}, Watts{35}, Watts{30}}},
          .active = std::move(active)};
}

/// Computes for so long, then waits for so long, and so on.
RankTimeline rank(const std::vector<std::pair<double, double>>& spells, double rest = 0) {
  RankTimeline timeline;
  timeline.operations = {{}};
  for (const auto& [computing, waiting] : spells) {
    Event event;
    event.computation = static_cast<float>(computing);
    event.duration = static_cast<float>(waiting);
    event.ends_call = 1;
    timeline.events.push_back(event);
  }
  timeline.computation_after = Seconds{rest};
  return timeline;
}

using Nodes = std::vector<std::uint32_t>;
using Gears = std::vector<Gear>;

TEST(ActivePower, follows_how_many_cores_compute_at_a_time) {
  const std::vector<NodeType> types{node(2, {0, 0.75, 1})};
  const Timeline timeline{.functions = {}, .ranks = {rank({{2, 4}}), rank({{1, 2}}, 3)}};
  // Both for 1 s, one for 1 s, none for 1 s, one for 3 s.
  EXPECT_NEAR(energy_of(timeline, types, Gears{0}, Nodes{0, 0}).value(),
              40 * 6 + 60 * (1 + 0.75 * 4), 1e-9);
  EXPECT_NEAR(energy_of(timeline, types, Gears{1}, Nodes{0, 0}).value(),
              35 * 6 + 25 * (1 + 0.75 * 4), 1e-9);
}

TEST(ActivePower, is_a_line_where_nothing_else_is_said) {
  EXPECT_EQ(active_share(node(4, {}), 3), 0.75);
  EXPECT_EQ(active_share(node(4, {}), 9), 1);
}

TEST(ActivePower, draws_waiting_power_on_a_node_that_has_done_all) {
  const std::vector<NodeType> types(2, node(1, {0, 1}));
  const Timeline timeline{.functions = {}, .ranks = {rank({}, 10), rank({}, 1)}};
  EXPECT_NEAR(energy_of(timeline, types, Gears{0, 0}, Nodes{0, 1}).value(), 80 * 10 + 60 * 11,
              1e-6);
}

/// Time is cut into small steps, in each of which one looks who computes.
TEST(ActivePower, agrees_with_small_steps_of_time) {
  std::mt19937 random(1);
  const auto number = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  for (int round = 0; round < 50; ++round) {
    const std::vector<NodeType> types{node(3, {0, 0.5, 0.9, 1}), node(2, {})};
    Timeline timeline;
    Nodes node_of_rank;
    std::vector<std::vector<int>> computing(2, std::vector<int>(400, 0)); // at steps of a second
    int end = 0;
    for (const std::uint32_t on : {0U, 0U, 0U, 1U, 1U}) {
      std::vector<std::pair<double, double>> spells;
      int now = 0;
      for (int i = number(10); i > 0; --i) {
        spells.emplace_back(number(9), number(9));
        for (int second = 0; second < static_cast<int>(spells.back().first); ++second)
          ++computing[on][static_cast<std::size_t>(now + second)];
        now += static_cast<int>(spells.back().first + spells.back().second);
      }
      end = std::max(end, now);
      timeline.ranks.push_back(rank(spells));
      node_of_rank.push_back(on);
    }
    double energy = 0;
    for (std::size_t n = 0; n < 2; ++n)
      for (std::size_t second = 0; second < static_cast<std::size_t>(end); ++second)
        energy += 40 + 60 * active_share(types[n], static_cast<std::size_t>(computing[n][second]));
    EXPECT_NEAR(energy_of(timeline, types, Gears{0, 0}, node_of_rank).value(), energy, 1e-6);
  }
}

} // namespace
} // namespace hypermile::model
