#include "runtime/decide/coordinator.hpp"
#include "runtime/decide/power_learner.hpp"

#include "support/nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace hypermile::runtime {
namespace {

constexpr std::size_t cores = 4;

/// A node whose meter is right but for noise, and for a factor. Its ranks tell it in turn.
class MeteredNode {
public:
  MeteredNode(std::string name, RankNode type, const std::vector<model::GearPower>& power,
              unsigned seed, double factor = 1)
      : node_(std::move(type)), power_(power), random_(seed), factor_(factor) {
    node_.name = std::move(name);
    for (std::size_t r = 0; r < cores; ++r)
      points.push_back({{.time = time_, .gear = 0}});
    points[0][0].drawn = Joules{};
  }

  /// A second in this gear, at whose end the meter is read. Other ranks note it a bit later.
  void pass(std::size_t gear) {
    std::uniform_real_distribution<double> share_of_node(0, 1);
    std::uniform_real_distribution<double> more(-0.1, 0.1);
    std::normal_distribution<double> noise(0, 0.02);
    for (auto& of_rank : points)
      of_rank.back().gear = gear;
    double computing = 0;
    const double share = share_of_node(random_);
    time_ += Seconds{1};
    for (std::size_t r = 0; r < cores; ++r) {
      const double c = std::clamp(share + more(random_), 0.0, 1.0);
      computing += c / static_cast<double>(cores);
      PowerPoint point = points[r].back();
      point.time = time_;
      point.computing += Seconds{c};
      points[r].push_back(point);
    }
    const model::GearPower& power = power_[gear];
    drawn_ += (power.computing * computing + power.waiting * (1 - computing)) *
              Seconds{factor_ * (1 + noise(random_))};
    points[0].back().drawn = drawn_;
  }

  /// What was not told yet. The last point is told again, as nobody tells one twice: it is where
  /// the next interval begins.
  void tell(PowerLearner& learner, int first_rank) {
    for (std::size_t r = 0; r < cores; ++r) {
      learner.add(first_rank + static_cast<int>(r), node_, points[r]);
      points[r].erase(points[r].begin(), points[r].end() - 1);
    }
  }
  [[nodiscard]] const RankNode& node() const { return node_; }
  std::vector<std::vector<PowerPoint>> points; ///< by rank

private:
  RankNode node_;
  std::vector<model::GearPower> power_;
  std::mt19937_64 random_;
  double factor_;
  Seconds time_{100};
  Joules drawn_{};
};

RankNode of_type(bool assumed) {
  std::vector<Hertz> frequencies;
  for (int g = 0; g < 8; ++g)
    frequencies.emplace_back(2.4e9 - 0.15e9 * g);
  RankNode node{"",
                {.name = "type",
                 .cores = cores,
                 .speed = Speed{1},
                 .gears = model::GearTable{frequencies},
                 .power = {}},
                assumed};
  node.type.power = model::cubic_power(node.type.gears, Watts{80}, Watts{20});
  return node;
}

/// What such nodes really draw.
std::vector<model::GearPower> real_power(double factor = 1) {
  std::vector<model::GearPower> power;
  const model::GearTable gears = of_type(true).type.gears;
  for (model::Gear g = 0; g < gears.size(); ++g) {
    const double s = gears.scale(g);
    power.push_back({Watts{factor * (70 + 110 / std::pow(s, 2.6))},
                     Watts{factor * (70 + 60 / std::pow(s, 2.6))}, Watts{factor * 60}});
  }
  return power;
}

std::vector<MeteredNode> four_nodes(const std::vector<double>& factors = {1, 1, 1, 1},
                                    bool assumed = true) {
  std::vector<MeteredNode> nodes;
  for (std::size_t n = 0; n < factors.size(); ++n)
    nodes.emplace_back("n" + std::to_string(n), of_type(assumed), real_power(),
                       static_cast<unsigned>(n), factors[n]);
  return nodes;
}

void run(std::vector<MeteredNode>& nodes, PowerLearner& learner, int seconds, int between_tells) {
  for (int t = 1; t <= seconds; ++t) {
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      nodes[n].pass((static_cast<std::size_t>(t) + n) % 8);
      if (t % between_tells == 0)
        nodes[n].tell(learner, static_cast<int>(n * cores));
    }
  }
}

double error_of(const std::vector<model::GearPower>& table) {
  double worst = 0;
  const auto truth = real_power();
  for (std::size_t g = 0; g < table.size(); ++g) {
    worst = std::max(worst, std::abs(table[g].computing / truth[g].computing - 1));
    worst = std::max(worst, std::abs(table[g].waiting / truth[g].waiting - 1));
  }
  return worst;
}

TEST(power_learner, knows_the_power_of_4_nodes_in_8_gears_within_3_percent_after_60_s) {
  auto nodes = four_nodes();
  PowerLearner learner;
  run(nodes, learner, 60, 10);
  const auto table = learner.table_of(nodes[0].node());
  ASSERT_TRUE(table);
  EXPECT_LT(error_of(*table), 0.03);
  const auto learnt = learner.report();
  ASSERT_EQ(learnt.size(), 1U);
  EXPECT_EQ(learnt[0].nodes, 4U);
  EXPECT_TRUE(learnt[0].in_use);
  EXPECT_TRUE(learnt[0].assumed);
  EXPECT_NEAR(learnt[0].noise, 0.02, 0.005);
  double metered = 0;
  for (const auto& gear : learnt[0].gears)
    metered += gear.metered.value();
  EXPECT_NEAR(metered, 4 * 60, 1e-6);
}

TEST(power_learner, knows_the_same_however_often_it_is_told) {
  std::vector<std::vector<model::GearPower>> tables;
  for (const int between : {1, 7, 60}) {
    auto nodes = four_nodes();
    PowerLearner learner;
    run(nodes, learner, 60, between);
    for (std::size_t n = 0; n < nodes.size(); ++n)
      nodes[n].tell(learner, static_cast<int>(n * cores));
    tables.push_back(*learner.table_of(nodes[0].node()));
  }
  for (std::size_t g = 0; g < 8; ++g) {
    EXPECT_NEAR(tables[0][g].computing / tables[1][g].computing, 1, 1e-6);
    EXPECT_NEAR(tables[0][g].computing / tables[2][g].computing, 1, 1e-6);
  }
}

TEST(power_learner, gives_no_table_before_enough_is_known) {
  auto nodes = four_nodes();
  PowerLearner learner;
  EXPECT_FALSE(learner.table_of(nodes[0].node()));
  run(nodes, learner, 1, 1);
  EXPECT_FALSE(learner.table_of(nodes[0].node()));
  EXPECT_EQ(learner.report().at(0).why_not, "too little is known");
  EXPECT_FALSE(learner.report().at(0).in_use);
}

TEST(power_learner, learns_nothing_where_a_rank_of_the_node_has_told_nothing) {
  auto nodes = four_nodes({1});
  PowerLearner learner;
  for (int t = 0; t < 20; ++t)
    nodes[0].pass(0);
  nodes[0].points[2].resize(1); // has told its first point only
  nodes[0].tell(learner, 0);
  EXPECT_FALSE(learner.table_of(nodes[0].node()));
  EXPECT_TRUE(learner.report().empty());
}

TEST(power_learner, does_not_believe_a_meter_that_says_twice_what_those_of_equal_nodes_say) {
  for (const double wrong : {0.4, 2.0, 8.0}) {
    auto nodes = four_nodes({1, 1, wrong, 1});
    PowerLearner learner;
    run(nodes, learner, 60, 10);
    const auto table = learner.table_of(nodes[0].node());
    ASSERT_TRUE(table) << wrong;
    EXPECT_LT(error_of(*table), 0.04) << wrong;
    ASSERT_EQ(learner.implausible().size(), 1U) << wrong;
    EXPECT_EQ(learner.implausible().begin()->first, "n2");
    EXPECT_EQ(learner.report().at(0).nodes, 3U);
  }
}

TEST(power_learner, believes_neither_of_two_meters_that_differ_by_two) {
  auto nodes = four_nodes({1, 2});
  PowerLearner learner;
  run(nodes, learner, 60, 10);
  EXPECT_FALSE(learner.table_of(nodes[0].node()));
  ASSERT_EQ(learner.implausible().size(), 2U);
  EXPECT_NE(learner.implausible().at("n0").find("which is right is not known"), std::string::npos);
  EXPECT_TRUE(learner.report().empty());
}

TEST(power_learner, believes_nodes_that_differ_as_equal_nodes_may) {
  auto nodes = four_nodes({0.93, 1.07, 1, 1});
  PowerLearner learner;
  run(nodes, learner, 60, 10);
  EXPECT_TRUE(learner.table_of(nodes[0].node()));
  EXPECT_TRUE(learner.implausible().empty());
}

TEST(power_learner, keeps_a_platforms_table_where_the_meter_measures_something_else) {
  std::vector<MeteredNode> nodes;
  nodes.emplace_back("n0", of_type(false), real_power(0.4), 1);
  PowerLearner learner;
  run(nodes, learner, 60, 10);
  EXPECT_FALSE(learner.table_of(nodes[0].node()));
  const auto learnt = learner.report();
  ASSERT_EQ(learnt.size(), 1U);
  EXPECT_NE(learnt[0].why_not.find("of what the platform says"), std::string::npos);
  EXPECT_FALSE(learnt[0].in_use);
}

TEST(power_learner, begins_with_what_earlier_runs_have_learnt) {
  auto nodes = four_nodes();
  PowerLearner first;
  run(nodes, first, 60, 10);
  const auto learnt = first.report();
  PowerLearner second(learnt);
  EXPECT_TRUE(second.table_of(nodes[0].node()));
  EXPECT_LT(error_of(*second.table_of(nodes[0].node())), 0.03);
  EXPECT_EQ(second.report().at(0).nodes, 0U);
  EXPECT_TRUE(second.report().at(0).from_earlier);
}

TEST(power_learner, gives_tables_that_a_platform_may_have) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> any(0, 1);
  for (int round = 0; round < 50; ++round) {
    std::vector<model::GearPower> power;
    for (int g = 0; g < 8; ++g) // in no order
      power.push_back({Watts{50 + 200 * any(random)}, Watts{30 + 200 * any(random)}, Watts{10}});
    std::vector<MeteredNode> nodes;
    nodes.emplace_back("n0", of_type(round % 2 == 0), power, static_cast<unsigned>(round));
    PowerLearner learner;
    run(nodes, learner, 40, 10);
    for (const LearntPower& learnt : learner.report()) {
      ASSERT_EQ(learnt.table.size(), 8U);
      const model::GearPower* before = nullptr;
      for (std::size_t g = 0; g < 8; ++g) {
        EXPECT_LE(learnt.table[g].waiting, learnt.table[g].computing);
        EXPECT_LE(learnt.table[g].idle, learnt.table[g].waiting);
        EXPECT_GE(learnt.table[g].idle, Watts{});
        if (learnt.gears[g].beaten_by)
          continue;
        if (before != nullptr) {
          EXPECT_LE(learnt.table[g].computing, before->computing);
          EXPECT_LE(learnt.table[g].waiting, before->waiting);
          EXPECT_LE(learnt.table[g].idle, before->idle);
        }
        before = &learnt.table[g];
      }
    }
  }
}

/// Nodes whose gears draw less and less, but for some that draw by up to 60 % more than that.
std::vector<model::GearPower> uneven_power(std::mt19937_64& random) {
  std::uniform_real_distribution<double> any(0, 1);
  auto power = real_power();
  for (std::size_t g = 1; g < power.size(); ++g)
    if (any(random) < 0.4) {
      const double more = 1 + 0.6 * any(random);
      power[g].computing = power[g].computing * more;
      power[g].waiting = std::min(power[g].waiting * more, power[g].computing);
    }
  return power;
}

/// By brute force, of what nodes really draw: the gears that beat this one by a factor.
std::vector<std::size_t> beaters(const std::vector<model::GearPower>& power, std::size_t gear,
                                 double factor) {
  std::vector<std::size_t> all;
  for (std::size_t h = 0; h < gear; ++h)
    if (power[h].computing * factor < power[gear].computing &&
        power[h].waiting * factor < power[gear].waiting)
      all.push_back(h);
  return all;
}

TEST(power_learner, leaves_out_gears_that_another_one_really_beats_and_no_others) {
  std::mt19937_64 random(11);
  std::size_t left_out = 0;
  for (int round = 0; round < 100; ++round) {
    const auto power = uneven_power(random);
    std::vector<MeteredNode> nodes;
    for (unsigned n = 0; n < 4; ++n)
      nodes.emplace_back("n" + std::to_string(n), of_type(round % 2 == 0), power,
                         static_cast<unsigned>(round) * 4 + n);
    PowerLearner learner;
    run(nodes, learner, 80, 10);
    if (!learner.table_of(nodes[0].node()))
      continue;
    const auto learnt = learner.report().at(0);
    for (std::size_t g = 0; g < 8; ++g) {
      const auto by = learnt.gears[g].beaten_by;
      if (by) {
        const auto really = beaters(power, g, 1);
        EXPECT_TRUE(std::ranges::find(really, *by) != really.end()) << round << ", gear " << g;
        EXPECT_FALSE(learnt.gears[*by].beaten_by);
        ++left_out;
      } else {
        EXPECT_TRUE(beaters(power, g, 1.25).empty()) << round << ", gear " << g;
      }
    }
    EXPECT_EQ(learner.beaten_of(nodes[0].node()).size(), 8U);
  }
  EXPECT_GT(left_out, 50U);
}

TEST(power_learner, leaves_out_no_gear_before_it_is_sure_or_where_nobody_was_in_it) {
  auto power = real_power();
  power[5] = {power[0].computing, power[0].waiting, power[0].idle}; // as much as gear 0
  std::vector<MeteredNode> nodes;
  nodes.emplace_back("n0", of_type(true), power, 1);
  PowerLearner learner;
  for (int t = 0; t < 40; ++t)
    nodes[0].pass(static_cast<std::size_t>(t % 4)); // never in gears 4 to 7
  nodes[0].tell(learner, 0);
  ASSERT_TRUE(learner.table_of(nodes[0].node()));
  for (const auto& by : learner.beaten_of(nodes[0].node()))
    EXPECT_FALSE(by);
}

/// Slack alone asks for gear 5 on the node that has little to do, by their speeds.
TEST(power_learner, keeps_methods_that_go_by_speed_from_choosing_a_gear_that_another_one_beats) {
  auto power = real_power();
  power[5].computing = power[4].computing * 1.12;
  power[5].waiting = power[4].waiting * 1.12;
  std::vector<MeteredNode> nodes;
  for (unsigned n = 0; n < 4; ++n)
    nodes.emplace_back("n" + std::to_string(n), of_type(true), power, n);
  PowerLearner learner;
  run(nodes, learner, 160, 10);
  ASSERT_TRUE(learner.table_of(nodes[0].node())) << learner.report().at(0).why_not;
  const auto learnt = learner.report();
  const auto by = learnt.at(0).gears[5].beaten_by;
  ASSERT_TRUE(by);
  const double scale = of_type(true).type.gears.scale(5);
  for (const bool knows : {false, true}) {
    Coordinator coordinator(select::Request{.method = select::Method::slack}, 2,
                            {.known_power = knows ? learnt : std::vector<LearntPower>{}});
    std::vector<Message> orders;
    for (int r = 0; r < 2; ++r) {
      RankNode node = nodes[0].node();
      node.name = "n" + std::to_string(r);
      const Seconds computes{r == 0 ? 1 : 1 / scale};
      orders = coordinator.add(Measurement{.rank = r,
                                           .node = node,
                                           .computation = computes,
                                           .computation_in_gear0 = computes,
                                           .communication = Seconds{1.1} - computes});
    }
    ASSERT_EQ(orders.size(), 2U);
    EXPECT_EQ(std::get<GearOrder>(orders[1]).gear, knows ? *by : 5U);
    EXPECT_EQ(coordinator.decisions().back().gears[1], knows ? *by : 5U);
  }
}

} // namespace
} // namespace hypermile::runtime
