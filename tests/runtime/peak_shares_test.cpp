#include "runtime/peak_shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace hypermile::runtime {
namespace {

using Gears = std::vector<model::Gear>;

/// Gears from `fastest_ghz` down, and what the node draws in each while it computes.
model::NodeType type(double speed, std::vector<double> ghz, std::vector<double> watts) {
  std::vector<Hertz> frequencies;
  for (const double f : ghz)
    frequencies.emplace_back(f * 1e9);
  std::vector<model::GearPower> power;
  for (const double w : watts)
    power.push_back({Watts{w}, Watts{1}, Watts{1}});
  return {.name = "drawn",
          .cores = 1,
          .speed = Speed{speed},
          .gears = model::GearTable(frequencies),
          .power = power};
}

model::NodeType random_type(std::mt19937& random) {
  std::uniform_int_distribution<std::size_t> counts(1, 4);
  std::uniform_real_distribution<double> part(0, 1);
  std::vector<double> ghz;
  std::vector<double> watts;
  const std::size_t count = counts(random);
  for (std::size_t g = 0; g < count; ++g) {
    ghz.push_back(g == 0 ? 3 : ghz.back() * (0.7 + 0.25 * part(random)));
    // Sometimes a slower gear draws more, as measurements may say.
    watts.push_back(g == 0 ? 20 + 20 * part(random) : watts.back() * (0.6 + 0.5 * part(random)));
  }
  return type(part(random) < 0.5 ? 1 : 2, ghz, watts);
}

/// All that the nodes may draw, whatever gears that are no faster they are in.
double most_watts(const std::vector<model::NodeType>& nodes, const Gears& fastest) {
  double sum = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    double most = 0;
    for (model::Gear g = fastest[n]; g < nodes[n].gears.size(); ++g)
      most = std::max(most, nodes[n].power[g].computing.value());
    sum += most;
  }
  return sum;
}

/// Of the slowest node, for the same work on each.
double latest(const std::vector<model::NodeType>& nodes, const Gears& gears) {
  double latest = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n)
    latest = std::max(latest, nodes[n].gears.scale(gears[n]) / nodes[n].speed.value());
  return latest;
}

/// Every gear vector there is.
void each(const std::vector<model::NodeType>& nodes, const std::function<void(const Gears&)>& visit,
          Gears gears = {}) {
  if (gears.size() == nodes.size())
    return visit(gears);
  for (model::Gear g = 0; g < nodes[gears.size()].gears.size(); ++g) {
    gears.push_back(g);
    each(nodes, visit, gears);
    gears.pop_back();
  }
}

TEST(peak_shares, are_the_fastest_that_keep_the_cap_by_brute_force) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> part(0.2, 1.1);
  int kept = 0;
  for (unsigned i = 0; i < 400; ++i) {
    std::vector<model::NodeType> nodes;
    for (std::size_t n = 0; n < 1 + i % 4; ++n)
      nodes.push_back(random_type(random));
    const double cap = part(random) * most_watts(nodes, Gears(nodes.size(), 0));
    double best = 0; // 0: nothing keeps the cap
    each(nodes, [&](const Gears& gears) {
      if (most_watts(nodes, gears) <= cap && (best == 0 || latest(nodes, gears) < best))
        best = latest(nodes, gears);
    });
    const PeakShares shares = peak_shares(nodes, Watts{cap});
    ASSERT_EQ(shares.kept, best > 0) << i;
    EXPECT_DOUBLE_EQ(shares.power.value(), most_watts(nodes, shares.fastest)) << i;
    if (!shares.kept)
      continue;
    ++kept;
    EXPECT_LE(shares.power.value(), cap * (1 + 1e-9)) << i;
    EXPECT_DOUBLE_EQ(latest(nodes, shares.fastest), best) << i;
    // No node could be one gear faster besides.
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (Gears faster = shares.fastest; faster[n] > 0) {
        --faster[n];
        EXPECT_GT(most_watts(nodes, faster), cap) << i;
      }
  }
  EXPECT_GT(kept, 100);
}

TEST(peak_shares, are_the_slowest_gears_where_no_gears_keep_the_cap) {
  const std::vector<model::NodeType> nodes(3, type(1, {2, 1}, {20, 6}));
  const PeakShares shares = peak_shares(nodes, Watts{17});
  EXPECT_FALSE(shares.kept);
  EXPECT_EQ(shares.fastest, (Gears{1, 1, 1}));
  EXPECT_DOUBLE_EQ(shares.power.value(), 18);
  const auto problems = unkept_caps(nodes, {.peak = Watts{17}});
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0],
            "no gears keep the cap of 17 W on the peak power: the 3 nodes draw 18 W in "
            "their slowest gears while all compute, and stay in these");
  EXPECT_TRUE(unkept_caps(nodes, {.peak = Watts{18}}).empty());
}

TEST(unkept_caps, know_what_nodes_draw_that_only_wait) {
  const std::vector<model::NodeType> nodes(2, type(1, {2, 1}, {20, 6}));
  EXPECT_TRUE(unkept_caps(nodes, {.average = Watts{2}}).empty());
  ASSERT_EQ(unkept_caps(nodes, {.average = Watts{1.9}}).size(), 1U);
}

TEST(limited_node, computes_as_the_whole_one_does_in_its_slower_gears) {
  const model::NodeType whole = type(6, {3, 2, 1.5}, {30, 20, 12});
  const model::NodeType limited = limited_to(whole, 1);
  ASSERT_EQ(limited.gears.size(), 2U);
  for (model::Gear g = 0; g < 2; ++g) {
    EXPECT_EQ(limited.gears.frequency(g), whole.gears.frequency(g + 1));
    EXPECT_EQ(limited.power[g].computing, whole.power[g + 1].computing);
    EXPECT_DOUBLE_EQ(limited.speed.value() / limited.gears.scale(g),
                     whole.speed.value() / whole.gears.scale(g + 1));
  }
  EXPECT_EQ(only_gear0(whole).gears.size(), 1U);
  EXPECT_EQ(only_gear0(whole).power.size(), 1U);
}

} // namespace
} // namespace hypermile::runtime
