// What other bounds on slowdown would have given, against what choices under these bounds give.

#include "runtime/decide/coordinator.hpp"
#include "runtime/decide/gear0_ratio.hpp"
#include "support/nodes.hpp"
#include "support/recorded.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::runtime {
namespace {

using Measured = std::vector<Measurement>;

select::Request request_for(select::Objective objective, const std::optional<double>& bound) {
  select::Request request;
  request.objective = objective;
  request.constraints.max_slowdown = bound;
  return request;
}

/// A coordinator that has chosen from these.
std::unique_ptr<Coordinator> chosen(const Measured& all, const select::Request& request,
                                    TimeModelKind kind, bool tells) {
  auto coordinator = std::make_unique<Coordinator>(
      request, all.size(),
      TimeModel{.kind = kind, .functions = {"Allreduce"}, .tells_trade_offs = tells});
  for (const Measurement& m : all)
    coordinator->add(m);
  return coordinator;
}

/// Two ranks on nodes with many gears, by means.
Measured by_means(double first, double second) {
  Measured all;
  for (int rank = 0; rank < 2; ++rank) {
    const double computation = rank == 0 ? first : second;
    all.push_back({.rank = rank,
                   .node = test::many_gears(rank == 0 ? "a" : "b"),
                   .computation = Seconds{computation},
                   .computation_in_gear0 = Seconds{computation},
                   .communication = Seconds{std::max(first, second) + 0.1 - computation},
                   .elapsed = Seconds{10},
                   .timeline = std::nullopt});
  }
  return all;
}

/// Each row is what a choice under its bound would have predicted.
void expect_rows(const Measured& all, select::Objective objective,
                 const std::optional<double>& bound, TimeModelKind kind) {
  const auto coordinator = chosen(all, request_for(objective, bound), kind, true);
  const auto rows = coordinator->trade_offs();
  ASSERT_GE(rows.size(), 5U);
  ASSERT_LE(rows.size(), 6U);
  for (const TradeOff& row : rows) {
    SCOPED_TRACE(row.max_slowdown.value_or(-1));
    EXPECT_EQ(row.in_force, row.max_slowdown == bound);
    const auto other = chosen(all, request_for(objective, row.max_slowdown), kind, false);
    EXPECT_TRUE(other->trade_offs().empty()); // nobody has asked
    const model::Prediction& p = other->decisions().back().prediction;
    EXPECT_NEAR(row.time_ratio, 1 / p.p_norm, 1e-9);
    EXPECT_NEAR(row.energy_ratio, p.e_norm, 1e-9);
  }
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_TRUE(!rows[i].max_slowdown || *rows[i - 1].max_slowdown < *rows[i].max_slowdown);
  }
  EXPECT_FALSE(rows.back().max_slowdown);
}

TEST(trade_offs, are_what_choices_under_these_bounds_predict_by_the_cluster_model) {
  for (const auto objective : {select::Objective::maxdist, select::Objective::energy})
    for (const std::optional<double>& bound :
         {std::optional(0.0), std::optional(0.02), std::optional(0.05), std::optional<double>{}})
      for (const double second : {1.0, 0.8, 0.3})
        expect_rows(by_means(1, second), objective, bound, TimeModelKind::cluster);
}

TEST(trade_offs, are_what_choices_under_these_bounds_predict_by_the_dependency_model) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> part(0.3, 1);
  for (int i = 0; i < 8; ++i) {
    const auto all = test::recorded({{0.001}, {0.001 * part(random)}, {0.001 * part(random)}}, 40);
    for (const std::optional<double>& bound : {std::optional(0.05), std::optional<double>{}})
      expect_rows(all, select::Objective::maxdist, bound, TimeModelKind::automatic);
  }
}

TEST(trade_offs, make_plain_what_the_objective_alone_would_give_up) {
  // Equal nodes that are equally busy: with the default bound next to nothing, without one a lot.
  const auto rows = chosen(by_means(1, 1), request_for(select::Objective::maxdist, 0.05),
                           TimeModelKind::cluster, true)
                        ->trade_offs();
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_LE(rows[2].time_ratio, 1.0625); // as much as a fresh account allows
  EXPECT_GT(rows.back().time_ratio, 1.15);
  EXPECT_LT(rows.back().energy_ratio, 0.85);
}

TEST(trade_offs, leave_out_bounds_that_no_gears_keep_besides_a_cap) {
  auto request = request_for(select::Objective::maxdist, 0.05);
  request.constraints.peak_power_cap = Watts{72}; // of 88 W: each a tenth slower
  using Rows = std::vector<std::optional<double>>;
  const auto recorded = test::recorded({{0.001}, {0.001}}, 40);
  for (const auto kind : {TimeModelKind::cluster, TimeModelKind::automatic}) {
    auto all = kind == TimeModelKind::cluster ? by_means(1, 1) : recorded;
    for (Measurement& m : all)
      m.node = test::many_gears(m.rank == 0 ? "a" : "b");
    const auto rows = chosen(all, request, kind, true)->trade_offs();
    Rows bounds;
    for (const TradeOff& row : rows)
      bounds.push_back(row.max_slowdown);
    ASSERT_EQ(bounds, (Rows{0.05, 0.1, std::nullopt}));
    EXPECT_TRUE(rows[0].in_force); // the cap comes first
    EXPECT_GT(rows[0].time_ratio, 1.05);
    EXPECT_LE(rows[1].time_ratio, 1.125);
    EXPECT_LE(rows[0].time_ratio, rows[1].time_ratio);
  }
}

TEST(trade_offs, rest_on_the_choice_that_the_report_calls_predicted) {
  auto coordinator =
      chosen(test::recorded({{0.002}, {0.001}, {0.001}}, 40),
             request_for(select::Objective::maxdist, 0.05), TimeModelKind::automatic, true);
  ASSERT_TRUE(sets_a_gear(coordinator->decisions().back()));
  const auto before = coordinator->trade_offs();
  // Measured as predicted: the gears are kept.
  const auto gears = coordinator->decisions().back().gears;
  for (int more = 0; more < 3; ++more)
    for (const Measurement& m :
         test::recorded({{0.002, gears[0]}, {0.001, gears[1]}, {0.001, gears[2]}}, 40, 2.0 + more))
      coordinator->add(m);
  const auto after = coordinator->trade_offs();
  ASSERT_EQ(after.size(), before.size());
  const auto last =
      std::find_if(coordinator->decisions().rbegin(), coordinator->decisions().rend(), sets_a_gear);
  for (const TradeOff& row : after)
    if (row.in_force) {
      EXPECT_DOUBLE_EQ(row.time_ratio, 1 / last->prediction.p_norm);
      EXPECT_DOUBLE_EQ(row.energy_ratio, last->prediction.e_norm);
    }
}

/// Of 40 iterations of 1.1 ms; calls at the border are in it as a whole.
TEST(loop_example, is_about_the_last_two_iterations_of_those_that_gears_were_chosen_from) {
  const auto coordinator =
      chosen(test::recorded({{0.001}, {0.0005}, {0.0007}}, 40),
             request_for(select::Objective::maxdist, 0.05), TimeModelKind::automatic, true);
  const auto example = coordinator->example();
  ASSERT_TRUE(example);
  EXPECT_GE(example->iterations, 1.99);
  EXPECT_LE(example->iterations, 2.5);
  ASSERT_EQ(example->timeline.ranks.size(), 3U);
  for (const model::RankTimeline& rank : example->timeline.ranks) {
    EXPECT_GE((model::end(rank) - rank.begin).value(), 0.0021);
    EXPECT_LE((model::end(rank) - rank.begin).value(), 0.0033);
    EXPECT_NEAR(model::end(rank).value(), 40 * 0.0011, 1e-6);
    EXPECT_TRUE(rank.events.size() == 4 || rank.events.size() == 6); // an arrival and its end each
  }
  const Decision& last = coordinator->decisions().back();
  for (std::size_t r = 0; r < 3; ++r)
    EXPECT_EQ(example->scales[r], last.gears[r] == 0 ? 1 : 2); // of test::node()
}

TEST(loop_example, is_not_there_where_nobody_asks_or_totals_are_what_is_known) {
  const auto request = request_for(select::Objective::maxdist, 0.05);
  const auto recorded = test::recorded({{0.001}, {0.0005}}, 40);
  EXPECT_FALSE(chosen(recorded, request, TimeModelKind::automatic, false)->example());
  EXPECT_FALSE(chosen(by_means(1, 0.5), request, TimeModelKind::cluster, true)->example());
}

} // namespace
} // namespace hypermile::runtime
