// Caps on power, as choices keep them: by the account of the average, and before all else.

#include "runtime/decide/coordinator.hpp"
#include "runtime/decide/power_account.hpp"
#include "support/nodes.hpp"
#include "support/recorded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace hypermile::runtime {
namespace {

using Gears = std::vector<std::size_t>;
using test::recorded;

// --- what choices may draw ---

/// A node with gears drawn at random.
RankNode drawn_node(std::mt19937& random, const std::string& name) {
  std::uniform_real_distribution<double> part(0, 1);
  std::vector<Hertz> frequencies{Hertz{3e9}};
  const double waiting = 2 + 8 * part(random);
  std::vector<model::GearPower> power{{Watts{waiting + 30}, Watts{waiting}, Watts{waiting}}};
  for (int g = 1; g < 4; ++g) {
    frequencies.push_back(frequencies.back() * (0.7 + 0.2 * part(random)));
    const double s = frequencies.front() / frequencies.back();
    power.push_back({Watts{waiting + 30 / (s * s * s)}, Watts{waiting}, Watts{waiting}});
  }
  return {name,
          {.name = name,
           .cores = 1,
           .speed = Speed{1},
           .gears = model::GearTable(frequencies),
           .power = power}};
}

struct CappedCase {
  std::vector<RankNode> nodes;
  std::vector<double> computation; ///< s, in gear 0
  double communication;            ///< s, the least of all

  explicit CappedCase(std::mt19937& random) {
    std::uniform_real_distribution<double> part(0, 1);
    for (int n = 0; n < 3; ++n) {
      nodes.push_back(drawn_node(random, "node-" + std::to_string(n)));
      computation.push_back(0.3 + 0.7 * part(random));
    }
    communication = 0.3 * part(random);
  }
  /// In gear 0, when so much has been drawn on average since MPI_Init, by all nodes together.
  [[nodiscard]] std::vector<Measurement> measured(double drawn_w) const {
    const double longest = std::ranges::max(computation);
    std::vector<Measurement> all;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const double wait = longest - computation[n] + communication;
      all.push_back({.rank = static_cast<int>(n),
                     .node = nodes[n],
                     .computation = Seconds{computation[n]},
                     .computation_in_gear0 = Seconds{computation[n]},
                     .communication = Seconds{wait},
                     .elapsed = Seconds{100},
                     .spent = Spent{.computing = Joules{100 * drawn_w / 3}},
                     .timeline = std::nullopt});
    }
    return all;
  }
  /// [F16] Eq. 3.1-3.4, written down anew.
  struct Outcome {
    double time = 0;
    double energy = 0;
    [[nodiscard]] double power() const { return energy / time; }
  };
  [[nodiscard]] Outcome in(const Gears& gears) const {
    Outcome o;
    for (std::size_t n = 0; n < nodes.size(); ++n)
      o.time = std::max(o.time, computation[n] * nodes[n].type.gears.scale(gears[n]));
    o.time += communication;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const auto& p = nodes[n].type.power[gears[n]];
      o.energy += p.waiting.value() * o.time + (p.computing - p.waiting).value() * computation[n] *
                                                   nodes[n].type.gears.scale(gears[n]);
    }
    return o;
  }
  template <class Visit> void each(const Visit& visit) const {
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < 4; ++b)
        for (std::size_t c = 0; c < 4; ++c)
          visit(Gears{a, b, c});
  }
};

Decision choice(const CappedCase& drawn, double cap_w, double bound, double drawn_w) {
  select::Request request;
  request.objective = select::Objective::energy;
  request.constraints.max_slowdown = bound;
  request.constraints.average_power_cap = Watts{cap_w};
  Coordinator coordinator(request, 3, {.kind = TimeModelKind::cluster});
  for (const Measurement& m : drawn.measured(drawn_w))
    coordinator.add(m);
  return coordinator.decisions().back();
}

TEST(power_cap, is_kept_by_the_best_gears_that_brute_force_finds) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> part(0.25, 1.05);
  constexpr double bound = 0.1;
  const double may_lose = 1.1 * SlowdownBudget::usable(bound); // as none was lost before
  int both = 0;
  int cap_first = 0;
  int neither = 0;
  for (int i = 0; i < 300; ++i) {
    const CappedCase drawn(random);
    const auto in_gear0 = drawn.in({0, 0, 0});
    const double cap = part(random) * in_gear0.power();
    const double may_draw = 0.98 * cap; // nothing was drawn above it before
    double least_energy = std::numeric_limits<double>::infinity();
    double least_time = least_energy;
    double least_power = least_energy;
    drawn.each([&](const Gears& gears) {
      const auto o = drawn.in(gears);
      least_power = std::min(least_power, o.power());
      if (o.power() > may_draw * (1 + 1e-9))
        return;
      least_time = std::min(least_time, o.time);
      if (o.time <= in_gear0.time * (1 + may_lose) * (1 + 1e-9))
        least_energy = std::min(least_energy, o.energy);
    });
    const Decision decision = choice(drawn, cap, bound, 0.5 * cap);
    const auto chosen = drawn.in(decision.gears);
    if (least_energy < std::numeric_limits<double>::infinity()) {
      ++both;
      EXPECT_NEAR(chosen.energy, least_energy, 1e-9 * least_energy) << i;
      EXPECT_LE(chosen.power(), cap) << i;
      EXPECT_TRUE(decision.violated.empty()) << i;
    } else if (least_time < std::numeric_limits<double>::infinity()) {
      ++cap_first;
      EXPECT_NEAR(chosen.time, least_time, 1e-9 * least_time) << i;
      EXPECT_LE(chosen.power(), cap) << i;
      EXPECT_EQ(decision.violated, (std::vector<std::string>{bound_given_up})) << i;
    } else {
      ++neither;
      EXPECT_NEAR(chosen.power(), least_power, 1e-9 * least_power) << i;
      const bool told =
          std::ranges::find(decision.violated, cap_given_up) != decision.violated.end();
      EXPECT_EQ(told, least_power > cap) << i;
    }
  }
  EXPECT_GT(both, 30);
  EXPECT_GT(cap_first, 30);
  EXPECT_GT(neither, 10);
}

TEST(power_cap, is_kept_by_choices_from_events) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> part(0.3, 1);
  for (int i = 0; i < 60; ++i) {
    select::Request request;
    const double cap = 3 * (5 + 15 * part(random)); // three nodes draw 6 or 20 W, and 4 W waiting
    request.constraints.average_power_cap = Watts{cap};
    if (i % 2 == 0)
      request.constraints.max_slowdown = 0.05;
    Coordinator coordinator(request, 3, {.functions = {"Allreduce"}});
    auto all = recorded({{0.001 * part(random)}, {0.001 * part(random)}, {0.001}}, 40);
    for (Measurement& m : all) {
      m.spent = Spent{.computing = Joules{1}};
      coordinator.add(m);
    }
    const Decision& decision = coordinator.decisions().back();
    EXPECT_EQ(decision.time_model, TimeModelKind::dependency) << i;
    const double power = decision.prediction.energy / decision.prediction.time / Watts{1};
    if (std::ranges::find(decision.violated, cap_given_up) == decision.violated.end()) {
      EXPECT_LE(power, cap) << i;
    } else {
      EXPECT_EQ(decision.gears, (Gears{1, 1, 1})) << i;
    }
  }
}

/// A rank that computes all the time in its node's gears, and what it has drawn.
struct Steady {
  RankNode node = test::many_gears("a");
  std::size_t gear = 0;
  double elapsed = 0;
  double drawn = 0;

  [[nodiscard]] Measurement run(double seconds) {
    const double watts = node.type.power[gear].computing.value();
    elapsed += seconds;
    drawn += watts * seconds;
    return {.node = node,
            .gear = gear,
            .computation = Seconds{node.type.gears.scale(gear)},
            .computation_in_gear0 = Seconds{1},
            .elapsed = Seconds{elapsed},
            .spent = Spent{.computing = Joules{drawn}},
            .timeline = std::nullopt};
  }
};

TEST(power_cap, makes_up_for_what_was_drawn_before_the_first_choice) {
  for (const double bound : {0.0, 0.05, 1.0})
    for (const double cap : {24.0, 30.0, 38.0}) {
      select::Request request;
      request.constraints.average_power_cap = Watts{cap};
      request.constraints.max_slowdown = bound;
      Coordinator coordinator(request, 1, {.kind = TimeModelKind::cluster});
      Steady job;
      for (int choice = 0; choice < 16; ++choice) {
        coordinator.add(job.run(std::max(10.0, job.elapsed / 2)));
        job.gear = coordinator.decisions().back().gears[0];
      }
      EXPECT_LE(job.drawn / job.elapsed, cap) << bound;
      if (bound < 1) { // and no less than is needed; else the objective wants to
        EXPECT_GE(job.drawn / job.elapsed, 0.9 * cap) << bound;
      }
    }
}

/// One who may be handing out work: it has heard two ranks, too seldom to tell.
model::RankTimeline hears_anybody(model::RankTimeline rank) {
  for (int from = 1; from <= 2; ++from) {
    rank.operations.push_back(
        {.action = model::Action::receive, .partner = from, .communicator = 1, .from_any = true});
    rank.events.push_back(
        {.operation = static_cast<std::uint32_t>(rank.operations.size() - 1), .ends_call = 1});
  }
  return rank;
}

TEST(power_cap, is_only_exceeded_while_gear_0_is_looked_at) {
  select::Request request;
  request.constraints.peak_power_cap = Watts{40}; // of 60 W
  request.constraints.max_slowdown = 0.05;
  Coordinator coordinator(request, 3, {.functions = {"Allreduce"}});
  auto all = recorded({{0.001}, {0.001}, {0.001}}, 40);
  all[0].timeline = hears_anybody(*all[0].timeline);
  for (const Measurement& m : all)
    coordinator.add(m);
  ASSERT_EQ(coordinator.decisions().back().gears, (Gears{0, 0, 0}));
  // Nothing is known of events any more, and hardly anything of gear 0.
  for (Measurement& m : all) {
    m.timeline.reset();
    m.measured_iterations = 1;
    m.elapsed = Seconds{2};
    coordinator.add(m);
  }
  ASSERT_EQ(coordinator.decisions().size(), 2U);
  EXPECT_EQ(coordinator.decisions().back().gears, (Gears{1, 1, 1}));
}

TEST(power_account, believes_meters_more_than_tables) {
  Measurement m{.node = test::node("a"), .elapsed = Seconds{10}, .timeline = std::nullopt};
  m.spent = Spent{.computing = Joules{100}, .waiting = Joules{40}};
  PowerAccount account;
  account.enter({m});
  EXPECT_DOUBLE_EQ(account.allowed(Watts{20}).value(), 0.98 * 20); // 14 W
  EXPECT_DOUBLE_EQ(account.allowed(Watts{10}).value(), 0.98 * 10 - 2 * 4);
  m.spent->metered = Joules{280}; // twice as much
  account.enter({m});
  EXPECT_DOUBLE_EQ(account.allowed(Watts{40}).value(), 0.98 * 40 / 2);
  EXPECT_DOUBLE_EQ(account.allowed(Watts{20}).value(), (0.98 * 20 - 2 * 8) / 2);
  EXPECT_GT(account.allowed(Watts{5}).value(), 0);
}

TEST(power_account, counts_a_node_that_waits_once) {
  Measurement m{.node = test::node("a", 2), .elapsed = Seconds{10}, .timeline = std::nullopt};
  m.spent = Spent{.computing = Joules{10}, .waiting = Joules{40}};
  PowerAccount account;
  account.enter({m, m}); // 1 W each, and 4 W
  EXPECT_DOUBLE_EQ(account.allowed(Watts{5}).value(), 0.98 * 5 - 2 * 1);
}

} // namespace
} // namespace hypermile::runtime
