#include "estimate/gear_power.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace hypermile::estimate {
namespace {

using Random = std::mt19937_64;

double between(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// A type of node whose power is known.
struct Truth {
  std::vector<double> scales;
  std::vector<double> computing; ///< W
  std::vector<double> waiting;

  [[nodiscard]] double power(std::size_t gear, double share) const {
    return share * computing[gear] + (1 - share) * waiting[gear];
  }
};

/// Static power, what falls with the voltage and the frequency, and what follows no formula.
Truth drawn_truth(Random& random, std::size_t gears) {
  Truth truth;
  const double idle = between(random, 40, 150);
  const double dynamic = between(random, 40, 200);
  const double power_law = between(random, 2, 3.2);
  const double spinning = between(random, 0.15, 0.9);
  const double slowest = between(random, 1.6, 2.6);
  for (std::size_t g = 0; g < gears; ++g) {
    const double part = gears == 1 ? 0 : static_cast<double>(g) / static_cast<double>(gears - 1);
    const double s = 1 + part * (slowest - 1);
    const double of_gear = dynamic * std::pow(s, -power_law);
    truth.scales.push_back(s);
    truth.computing.push_back(idle + of_gear * between(random, 0.99, 1));
    truth.waiting.push_back(idle + spinning * of_gear * between(random, 0.99, 1));
  }
  for (auto* const all : {&truth.computing, &truth.waiting})
    for (std::size_t g = 1; g < gears; ++g)
      (*all)[g] = std::min((*all)[g], (*all)[g - 1]);
  return truth;
}

/// A table that is as far off as a data sheet.
PowerPrior table_of(const Truth& truth, Random& random) {
  PowerPrior prior;
  prior.scales = truth.scales;
  const double all = between(random, 0.85, 1.15);
  const double waiting = between(random, 0.9, 1.1);
  for (std::size_t g = 0; g < truth.scales.size(); ++g) {
    prior.computing.emplace_back(truth.computing[g] * all);
    prior.waiting.emplace_back(
        std::min(truth.waiting[g] * all * waiting, truth.computing[g] * all));
  }
  return prior;
}

/// What hypermile assumes of a node of which nothing is known.
PowerPrior assumption(const Truth& truth) {
  PowerPrior prior{.scales = truth.scales, .computing = {}, .waiting = {}, .assumed = true};
  for (const double s : truth.scales) {
    prior.computing.emplace_back(20 + 80 / (s * s * s));
    prior.waiting.emplace_back(20);
  }
  return prior;
}

/// A meter that says every second what was drawn, with so much noise; one gear after the other.
NodeSums metered(const Truth& truth, Random& random, int seconds,
                 const std::vector<std::size_t>& gears, double noise, double factor = 1,
                 double least_share = 0.2) {
  std::normal_distribution<double> error(0, noise);
  NodeSums sums;
  for (int t = 0; t < seconds; ++t) {
    const std::size_t gear = gears[static_cast<std::size_t>(t) % gears.size()];
    const double share = between(random, least_share, 1);
    const double power = truth.power(gear, share) * factor * (1 + error(random));
    sums[gear].add(Seconds{1}, Seconds{share}, Joules{power});
  }
  return sums;
}

std::vector<std::size_t> first(std::size_t count) {
  std::vector<std::size_t> gears;
  for (std::size_t g = 0; g < count; ++g)
    gears.push_back(g);
  return gears;
}

double error_of(const Estimate& estimate, double truth) {
  return std::abs(estimate.value / truth - 1);
}

bool contains(const Estimate& estimate, double truth) {
  return estimate.low <= truth && truth <= estimate.high;
}

TEST(gear_power, is_within_3_percent_after_60_s_of_4_meters_with_2_percent_of_noise) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const Truth truth = drawn_truth(random, 8);
    for (const PowerPrior& prior : {assumption(truth), table_of(truth, random)}) {
      std::vector<NodeSums> nodes;
      for (int node = 0; node < 4; ++node)
        nodes.push_back(metered(truth, random, 60, first(8), 0.02, 1, 0));
      const PowerFit fit = fit_power(prior, nodes);
      for (std::size_t g = 0; g < 8; ++g) {
        EXPECT_LT(error_of(fit.computing[g], truth.computing[g]), 0.03) << round << ' ' << g;
        EXPECT_LT(error_of(fit.waiting[g], truth.waiting[g]), 0.03) << round << ' ' << g;
      }
      EXPECT_NEAR(fit.noise, 0.02, 0.005);
    }
  }
}

/// How often the truth is in the interval, of gears that some node was in and of others.
struct Coverage {
  double hits = 0;
  double all = 0;
  void add(bool hit) {
    hits += hit ? 1 : 0;
    all += 1;
  }
  [[nodiscard]] double share() const { return hits / all; }
};

TEST(gear_power, is_in_its_interval_about_95_times_in_100) {
  Random random(2);
  Coverage visited;
  Coverage others;
  for (int round = 0; round < 300; ++round) {
    const Truth truth = drawn_truth(random, 10);
    const PowerPrior prior = round % 2 == 0 ? assumption(truth) : table_of(truth, random);
    const double noise = between(random, 0.005, 0.06);
    std::vector<std::size_t> gears{0};
    for (std::size_t g = 1; g < 10; ++g)
      if (between(random, 0, 1) < 0.4)
        gears.push_back(g);
    std::vector<NodeSums> nodes;
    const auto count = static_cast<std::size_t>(1 + round % 5);
    for (std::size_t node = 0; node < count; ++node)
      nodes.push_back(metered(truth, random, 10 + round % 60, gears, noise));
    const PowerFit fit = fit_power(prior, nodes);
    for (std::size_t g = 0; g < 10; ++g) {
      Coverage& coverage = std::ranges::count(gears, g) > 0 ? visited : others;
      coverage.add(contains(fit.computing[g], truth.computing[g]));
      coverage.add(contains(fit.waiting[g], truth.waiting[g]));
    }
  }
  EXPECT_GT(visited.share(), 0.90);
  EXPECT_LT(visited.share(), 0.98);
  EXPECT_GT(others.share(), 0.90);
}

/// What least squares make of one gear alone: two equations.
std::pair<double, double> least_squares(const GearSums& s) {
  const double determinant = s.cc * s.ww - s.cw * s.cw;
  return {(s.cp * s.ww - s.wp * s.cw) / determinant, (s.wp * s.cc - s.cp * s.cw) / determinant};
}

TEST(gear_power, is_what_least_squares_make_of_very_much_data) {
  Random random(3);
  for (int round = 0; round < 10; ++round) {
    const Truth truth = drawn_truth(random, 4);
    const std::vector<NodeSums> nodes{metered(truth, random, 400'000, first(4), 0.02)};
    const PowerFit fit = fit_power(table_of(truth, random), nodes);
    for (std::size_t g = 0; g < 4; ++g) {
      const auto [computing, waiting] = least_squares(nodes[0].at(g));
      EXPECT_NEAR(fit.computing[g].value, computing, 2e-3 * computing);
      EXPECT_NEAR(fit.waiting[g].value, waiting, 2e-3 * waiting);
    }
  }
}

TEST(gear_power, never_rises_in_slower_gears_nor_while_waiting_whatever_the_meters_say) {
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    const auto gears = static_cast<std::size_t>(1 + round % 12);
    const Truth truth = drawn_truth(random, gears);
    const PowerPrior prior = round % 2 == 0 ? assumption(truth) : table_of(truth, random);
    std::vector<NodeSums> nodes(static_cast<std::size_t>(1 + round % 3));
    for (NodeSums& node : nodes)
      for (int i = 0; i < 1 + round % 7; ++i) {
        const double seconds = std::pow(10, between(random, -3, 3));
        const double share = round % 5 == 0 ? 1 : between(random, -0.1, 1.1);
        const double power = std::pow(10, between(random, -6, 6));
        node[static_cast<std::size_t>(between(random, 0, 0.999 * static_cast<double>(gears)))].add(
            Seconds{seconds}, Seconds{seconds * share}, Joules{seconds * power});
      }
    const PowerFit fit = fit_power(prior, nodes);
    ASSERT_EQ(fit.computing.size(), gears);
    ASSERT_EQ(fit.waiting.size(), gears);
    for (std::size_t g = 0; g < gears; ++g) {
      for (const Estimate& estimate : {fit.computing[g], fit.waiting[g]}) {
        EXPECT_TRUE(std::isfinite(estimate.high));
        EXPECT_GE(estimate.low, 0);
        EXPECT_GE(estimate.value, estimate.low);
        EXPECT_GE(estimate.high, estimate.value);
      }
      EXPECT_LE(fit.waiting[g].value, fit.computing[g].value);
      if (g > 0) {
        EXPECT_LE(fit.computing[g].value, fit.computing[g - 1].value);
        EXPECT_LE(fit.waiting[g].value, fit.waiting[g - 1].value);
      }
    }
  }
}

TEST(gear_power, of_gears_that_no_node_was_in_follows_those_that_some_were_in) {
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    const Truth truth = drawn_truth(random, 10);
    PowerPrior prior = table_of(truth, random);
    for (auto* const all : {&prior.computing, &prior.waiting})
      for (Watts& power : *all)
        power = power * 0.7;
    const std::vector<NodeSums> nodes{metered(truth, random, 100, {0, 6}, 0.02)};
    const PowerFit fit = fit_power(prior, nodes);
    for (std::size_t g = 0; g < 10; ++g)
      EXPECT_LT(error_of(fit.computing[g], truth.computing[g]), 0.06) << round << ' ' << g;
    EXPECT_LT(fit.computing[0].high - fit.computing[0].low,
              fit.computing[9].high - fit.computing[9].low);
  }
}

TEST(gear_power, is_that_of_all_nodes_where_they_are_unlike) {
  Random random(6);
  const Truth truth = drawn_truth(random, 4);
  std::vector<NodeSums> nodes;
  const std::vector<double> factors{0.94, 1.06, 0.98, 1.02};
  for (const double factor : factors)
    nodes.push_back(metered(truth, random, 200, first(4), 0.02, factor));
  const PowerFit fit = fit_power(assumption(truth), nodes);
  for (std::size_t n = 0; n < factors.size(); ++n)
    EXPECT_NEAR(fit.node_ratio[n], factors[n], 0.01);
  for (std::size_t g = 0; g < 4; ++g)
    EXPECT_LT(error_of(fit.computing[g], truth.computing[g]), 0.02);
}

TEST(gear_power, does_not_depend_on_how_intervals_were_summed_up) {
  Random random(7);
  const Truth truth = drawn_truth(random, 5);
  const NodeSums all = metered(truth, random, 100, first(5), 0.02);
  NodeSums halves;
  for (const auto& [gear, sums] : all) {
    halves[gear] += sums.times(0.25);
    halves[gear] += sums.times(0.75);
  }
  const PowerFit a = fit_power(assumption(truth), std::vector{all});
  const PowerFit b = fit_power(assumption(truth), std::vector{halves});
  for (std::size_t g = 0; g < 5; ++g)
    EXPECT_NEAR(a.computing[g].value, b.computing[g].value, 1e-6 * a.computing[g].value);
}

} // namespace
} // namespace hypermile::estimate
