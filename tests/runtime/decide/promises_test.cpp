// What was measured against what was predicted: the account of a bound, and stepping back.

#include "runtime/decide/coordinator.hpp"
#include "support/nodes.hpp"
#include "support/recorded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace hypermile::runtime {
namespace {

using Gears = std::vector<std::size_t>;
using test::recorded;
using test::RecordedRank;

// --- the cluster model's account of a bound ---

/// Two ranks that compute equally long, so that every gear costs time. Iterations take `excess`
/// more than gears explain as soon as any node is in another gear than 0: in MPI, or computing.
struct BoundedJob {
  enum class Where { in_mpi, computing };

  BoundedJob(double max_slowdown, double excess_, Where where_ = Where::in_mpi, bool obeys_ = true)
      : excess(gear_0_s * excess_), where(where_), obeys(obeys_),
        coordinator(request(max_slowdown), 2, {.kind = TimeModelKind::cluster}) {}

  static select::Request request(double max_slowdown) {
    select::Request request;
    request.objective = select::Objective::energy;
    request.constraints.max_slowdown = max_slowdown;
    return request;
  }

  [[nodiscard]] Measurement measurement(int rank) const {
    double computation = node.type.gears.scale(gear);
    double wait = 0.1;
    if (gear != 0)
      (where == Where::in_mpi ? wait : computation) += excess;
    return {.rank = rank,
            .node = rank == 0 ? node : other,
            .gear = gear,
            .computation = Seconds{computation},
            .computation_in_gear0 = Seconds{computation / node.type.gears.scale(gear)},
            .communication = Seconds{wait},
            .elapsed = elapsed};
  }
  /// As often as LoopWatch has news: half as many iterations again every time.
  void run(int choices) {
    double iterations = 12;
    for (int choice = 0; choice < choices; ++choice) {
      const Measurement m = measurement(0);
      const double more = std::max(iterations / 2, 12.0);
      iterations += more;
      elapsed += (m.computation + m.communication) * more;
      in_gear0 += Seconds{gear_0_s} * more;
      coordinator.add(measurement(0));
      coordinator.add(measurement(1));
      ordered.push_back(coordinator.decisions().back().gears[0]);
      if (obeys)
        gear = ordered.back();
    }
  }
  [[nodiscard]] double slowdown() const { return elapsed / in_gear0 - 1; }

  static constexpr double gear_0_s = 1.1;
  double excess; ///< s
  Where where;
  bool obeys;
  RankNode node = test::many_gears("a");
  RankNode other = test::many_gears("b");
  std::size_t gear = 0;
  Seconds elapsed;
  Seconds in_gear0;
  std::vector<std::size_t> ordered;
  Coordinator coordinator;
};

TEST(bound_on_slowdown, brings_all_back_to_gear_0_when_nothing_is_heard_of_what_gears_come_to) {
  BoundedJob job(0.1, 0.0);
  job.run(4);
  ASSERT_GT(job.ordered.back(), 0u);
  const Seconds soon = job.elapsed * 1.9;
  const Seconds late = job.elapsed * 2.1 + Seconds{20};
  EXPECT_TRUE(job.coordinator.check_time(soon).empty());
  const auto orders = job.coordinator.check_time(late);
  ASSERT_EQ(orders.size(), 2u);
  for (const Message& order : orders)
    EXPECT_EQ(std::get<GearOrder>(order).gear, 0u);
  EXPECT_FALSE(job.coordinator.decisions().back().declined.empty());
  EXPECT_TRUE(job.coordinator.check_time(late * 10).empty());
  // It goes on when ranks tell again.
  job.gear = 0;
  job.elapsed = late;
  job.run(4);
  EXPECT_GT(job.ordered.back(), 0u);
}

TEST(bound_on_slowdown, is_kept_by_what_some_told_before_all_went_back_to_gear_0_with_the_rest) {
  BoundedJob job(0.1, 0.0);
  job.run(4);
  const std::size_t before = job.coordinator.decisions().size();
  Measurement told = job.measurement(0);
  told.orders = before;
  EXPECT_TRUE(job.coordinator.add(told).empty());
  ASSERT_FALSE(job.coordinator.check_time(job.elapsed * 2.1 + Seconds{20}).empty());
  told = job.measurement(1);
  told.orders = before; // it has not heard of that
  EXPECT_EQ(job.coordinator.add(told).size(), 2U);
  // Nobody was in the gears of the last but one decision when this was measured.
  ASSERT_EQ(job.coordinator.decisions().size(), before + 2);
  EXPECT_FALSE(job.coordinator.decisions()[before].measured_time_ratio);
}

TEST(bound_on_slowdown, holds_for_the_run_however_wrong_the_prediction_is) {
  for (const double excess : {0.0, 0.01, 0.03, 0.06, 0.2})
    for (const double bound : {0.02, 0.05, 0.1})
      for (const auto where : {BoundedJob::Where::in_mpi, BoundedJob::Where::computing}) {
        BoundedJob job(bound, excess, where);
        job.run(16);
        EXPECT_LE(job.slowdown(), bound + 0.002) << excess << " " << bound;
      }
}

TEST(bound_on_slowdown, is_used_where_the_prediction_is_right) {
  BoundedJob job(0.1, 0);
  job.run(16);
  EXPECT_GE(job.slowdown(), 0.07);
}

TEST(bound_on_slowdown, is_kept_by_faster_gears_where_iterations_take_longer_than_predicted) {
  for (const auto where : {BoundedJob::Where::in_mpi, BoundedJob::Where::computing}) {
    BoundedJob right(0.1, 0);
    BoundedJob wrong(0.1, 0.025, where);
    right.run(12);
    wrong.run(12);
    EXPECT_EQ(right.ordered[0], wrong.ordered[0]); // nobody knows yet
    // Not by turns of slow gears and gear 0, which save less.
    EXPECT_GT(std::ranges::min(wrong.ordered), 0U);
    EXPECT_LT(wrong.ordered.back(), right.ordered.back());
  }
}

TEST(bound_on_slowdown, leaves_only_gear_0_where_any_other_breaks_it) {
  BoundedJob job(0.02, 0.2);
  job.run(12);
  EXPECT_GT(job.ordered[0], 0U);
  EXPECT_EQ(job.ordered[1], 0U);
  EXPECT_NE(job.coordinator.decisions()[1].declined.find("leaves no room"), std::string::npos);
}

TEST(bound_on_slowdown, is_not_held_against_gears_that_nobody_has_set) {
  BoundedJob job(0.05, 0.2, BoundedJob::Where::in_mpi, false); // a dry run
  job.run(12);
  EXPECT_DOUBLE_EQ(job.slowdown(), 0);
  for (std::size_t choice = 0; choice < 12; ++choice) {
    EXPECT_EQ(job.ordered[choice], job.ordered[0]);
    EXPECT_EQ(job.coordinator.decisions()[choice].declined, "");
    EXPECT_FALSE(job.coordinator.decisions()[choice].measured_time_ratio);
  }
}

TEST(bound_on_slowdown, leaves_clear_slack_to_be_used_before_enough_is_known_of_gear_0) {
  for (const double other_computes : {0.2, 0.5, 0.8, 0.95, 1.0}) {
    BoundedJob job(0.02, 0);
    Measurement a = job.measurement(0);
    Measurement b = job.measurement(1);
    a.deviation = b.deviation = Seconds{0.1}; // 9 %, so 15 % of 1.1 s are not sure
    b.computation = b.computation_in_gear0 = Seconds{other_computes};
    b.communication = Seconds{1.1 - other_computes};
    job.coordinator.add(a);
    job.coordinator.add(b);
    const Decision& decision = job.coordinator.decisions()[0];
    EXPECT_EQ(decision.gears[0], 0U) << other_computes;
    EXPECT_EQ(decision.gears[1] > 0, other_computes < 0.85) << other_computes;
    // Not later than the other even if it has so much more to compute.
    EXPECT_LE(other_computes * 1.13 * b.node.type.gears.scale(decision.gears[1]),
              std::max(1.0, other_computes * 1.13))
        << other_computes;
    EXPECT_EQ(decision.declined.empty(), decision.gears[1] > 0) << other_computes;
    EXPECT_DOUBLE_EQ(predicted_time_ratio(decision), 1) << other_computes;
  }
}

TEST(bound_on_slowdown, waits_until_enough_is_known_of_gear_0) {
  BoundedJob job(0.02, 0);
  Measurement a = job.measurement(0);
  Measurement b = job.measurement(1);
  a.deviation = b.deviation = Seconds{0.1}; // 9 %
  job.coordinator.add(a);
  job.coordinator.add(b);
  EXPECT_EQ(job.coordinator.decisions()[0].gears, (Gears{0, 0}));
  EXPECT_NE(job.coordinator.decisions()[0].declined.find("gear 0 is known to 15.0 %"),
            std::string::npos)
      << job.coordinator.decisions()[0].declined;
  a.deviation = b.deviation = Seconds{0.001};
  job.coordinator.add(a);
  job.coordinator.add(b);
  EXPECT_GT(job.coordinator.decisions()[1].gears[0], 0U);
}

// --- comparing ---

/// Makes iterations take so much longer than the events say.
std::vector<Measurement> with_excess(std::vector<Measurement> measurements, double excess) {
  for (Measurement& m : measurements)
    m.communication += (m.computation + m.communication) * excess;
  return measurements;
}

const TimeModel by_events{.functions = {"Allreduce"}};

const Decision& choose(Coordinator& coordinator, const std::vector<Measurement>& measurements) {
  for (const Measurement& m : measurements)
    coordinator.add(m);
  return coordinator.decisions().back();
}

/// Rank 0 is the slowest; ranks 1 and 2 are as slow in gear 1.
std::vector<RecordedRank> uneven(std::size_t gear) {
  return {{0.002, 0}, {0.001, gear}, {0.001, gear}};
}

/// What was found may be a part of the loop, with the rest of it in one iteration.
TEST(promise, under_a_bound_is_not_made_of_few_iterations_that_are_unlike_each_other) {
  for (const double longer : {1.2, 5.0}) {
    select::Request request;
    request.constraints.max_slowdown = 0.1;
    Coordinator coordinator(request, 3, by_events);
    auto all = recorded(uneven(0), 3);
    for (Measurement& m : all) {
      const Seconds usual = m.computation_in_gear0;
      m.computations = {usual, usual * longer, usual};
      m.iterations.push_back(6);
    }
    const Decision& decision = choose(coordinator, all);
    const bool declined = decision.declined.find("differ too much") != std::string::npos;
    EXPECT_EQ(declined, longer > 2) << decision.declined;
    EXPECT_EQ(decision.gears, declined ? (Gears{0, 0, 0}) : (Gears{0, 1, 1}));
  }
}

/// An outer loop of which two iterations are known, in the gears of the loop inside.
TEST(promise, under_a_bound_leaves_the_gears_as_they_are_for_few_iterations_that_are_unlike) {
  for (const double longer : {1.2, 2.5}) {
    select::Request request;
    request.constraints.max_slowdown = 0.1;
    Coordinator coordinator(request, 3, by_events);
    ASSERT_EQ(choose(coordinator, recorded(uneven(0), 40)).gears, (Gears{0, 1, 1}));
    auto all = recorded(uneven(1), 2);
    for (Measurement& m : all) {
      const Seconds usual = m.computation_in_gear0;
      m.computations = {usual * longer, usual};
      m.elapsed = Seconds{1};
      m.loop = 2;
    }
    all[0].gear = 0;
    const auto before = coordinator.decisions().back();
    const Decision& decision = choose(coordinator, all);
    EXPECT_EQ(decision.prediction.time == before.prediction.time, longer > 2) << longer;
    EXPECT_EQ(decision.gears, before.gears);
  }
}

/// A loop of so many times the calls and the computation of one whose events were known. Of it
/// there are none: it has too many. Some ranks do more than they did in the loop inside.
std::vector<Measurement> repeated(std::vector<Measurement> all, double times, std::size_t unlike) {
  for (Measurement& m : all) {
    const double more = static_cast<std::size_t>(m.rank) < unlike ? 2 : 1;
    m.calls *= times;
    m.computation = m.computation * times * more;
    m.computation_in_gear0 = m.computation_in_gear0 * times * more;
    m.communication = m.communication * times;
    m.loop = 2;
    m.timeline.reset();
  }
  return all;
}

TEST(promise, stays_for_more_of_the_same_though_some_of_many_ranks_were_late) {
  std::vector<RecordedRank> ranks(40, {0.0015, 0});
  ranks.back().computation = 0.003;
  for (const std::size_t unlike : {0U, 4U, 8U, 40U}) {
    Coordinator coordinator({{}}, ranks.size(), by_events);
    const Decision before = choose(coordinator, recorded(ranks, 40));
    ASSERT_EQ(before.time_model, TimeModelKind::dependency);
    auto now = ranks;
    for (std::size_t r = 0; r < now.size(); ++r)
      now[r].gear = before.gears[r];
    const Decision& after = choose(coordinator, repeated(recorded(now, 40, 2), 26, unlike));
    const bool stays = after.time_model == TimeModelKind::dependency;
    EXPECT_EQ(stays, unlike <= 4) << unlike;
    EXPECT_TRUE(!stays || after.gears == before.gears) << unlike;
  }
}

/// The account was overdrawn, so gear 0 was chosen, though no clock told that the gears were bad:
/// others had the cores. Then the loop is one around that, of which there are no events.
TEST(promise, is_made_again_without_events_once_the_account_has_room_for_it) {
  for (const double later : {1.2, 100.0}) {
    select::Request request;
    request.constraints.max_slowdown = 0.1;
    Coordinator coordinator(request, 3, by_events);
    ASSERT_EQ(choose(coordinator, recorded(uneven(0), 40)).gears, (Gears{0, 1, 1}));
    auto slower = uneven(1);
    slower[1].computation = slower[2].computation = 0.0015; // 3 ms in gear 1
    auto contended = recorded(slower, 40, 100);
    for (Measurement& m : contended)
      m.stolen = 0.1;
    ASSERT_EQ(choose(coordinator, contended).gears, (Gears{0, 0, 0}));
    auto now = uneven(0);
    now[1].computation = now[2].computation = 0.0015;
    const Decision& again = choose(coordinator, repeated(recorded(now, 40, 100 * later), 26, 0));
    EXPECT_EQ(again.gears, later > 2 ? (Gears{0, 1, 1}) : (Gears{0, 0, 0})) << later;
  }
}

/// It was chosen as the best there is, and not for want of room.
TEST(promise, of_nothing_better_than_gear_0_is_kept_without_events) {
  select::Request request;
  request.constraints.max_slowdown = 0.1;
  Coordinator coordinator(request, 3, by_events);
  ASSERT_EQ(choose(coordinator, recorded(uneven(0), 40)).gears, (Gears{0, 1, 1}));
  const std::vector<RecordedRank> even(3, {0.002, 0});
  ASSERT_EQ(choose(coordinator, recorded(even, 40, 100)).gears, (Gears{0, 0, 0}));
  EXPECT_EQ(choose(coordinator, repeated(recorded(even, 40, 1e4), 26, 0)).gears, (Gears{0, 0, 0}));
}

TEST(promise, is_compared_with_what_was_measured) {
  Coordinator coordinator({{}}, 3, by_events);
  EXPECT_EQ(choose(coordinator, recorded(uneven(0), 40)).gears, (Gears{0, 1, 1}));
  EXPECT_FALSE(coordinator.decisions()[0].measured_time_ratio); // not yet
  choose(coordinator, with_excess(recorded(uneven(1), 40, 2), 0.015));
  ASSERT_TRUE(coordinator.decisions()[0].measured_time_ratio);
  EXPECT_NEAR(*coordinator.decisions()[0].measured_time_ratio, 1.015, 1e-6);
}

TEST(promise, is_compared_with_what_was_measured_until_the_end) {
  Coordinator coordinator({{}}, 3, by_events);
  choose(coordinator, recorded(uneven(0), 40));
  std::vector<RankReport> reports;
  for (const Measurement& m : with_excess(recorded(uneven(1), 40), 0.1)) {
    RankReport report{.rank = m.rank, .node = m.node, .changes = {GearChange{}}, .gear = m.gear};
    report.last = LastIterations{.iterations = 40,
                                 .computation = m.computation,
                                 .communication = m.communication,
                                 .calls = m.calls};
    reports.push_back(report);
  }
  auto too_late = reports;
  too_late[1].changes.clear();
  coordinator.conclude(too_late);
  EXPECT_FALSE(coordinator.decisions()[0].measured_time_ratio);
  auto another_loop = reports;
  another_loop[2].last->phase = 1;
  coordinator.conclude(another_loop);
  EXPECT_FALSE(coordinator.decisions()[0].measured_time_ratio);
  coordinator.conclude(reports);
  ASSERT_TRUE(coordinator.decisions()[0].measured_time_ratio);
  EXPECT_NEAR(*coordinator.decisions()[0].measured_time_ratio, 1.1, 1e-6);
}

TEST(promise, is_not_compared_where_the_gears_were_not_set) {
  Coordinator coordinator({{}}, 3, by_events);
  choose(coordinator, recorded(uneven(0), 40));
  for (int choice = 0; choice < 4; ++choice) {
    const Decision& decision = choose(coordinator, recorded(uneven(0), 40, 2 + choice));
    EXPECT_EQ(decision.gears, (Gears{0, 1, 1}));
    EXPECT_EQ(decision.declined + decision.stepped_back, "");
  }
  for (const Decision& decision : coordinator.decisions())
    EXPECT_FALSE(decision.measured_time_ratio);
}

TEST(promise, believes_the_rank_that_sets_a_gear_that_it_was_refused) {
  Coordinator coordinator({{}}, 3, by_events);
  auto on_two_nodes = [](std::vector<Measurement> all) {
    all[2].node = all[1].node;
    return all;
  };
  choose(coordinator, on_two_nodes(recorded(uneven(0), 40)));
  ASSERT_EQ(coordinator.decisions()[0].gears, (Gears{0, 1}));
  auto refused = on_two_nodes(recorded(uneven(0), 40, 2));
  refused[2].gear = 1; // so it was told
  refused[2].computation_in_gear0 = refused[2].computation / 2;
  refused[2].timeline->scale = 2;
  const Decision& decision = choose(coordinator, refused);
  EXPECT_EQ(decision.gears, (Gears{0, 1}));
  EXPECT_NEAR(decision.baseline.energy.value(), coordinator.decisions()[0].baseline.energy.value(),
              1e-9);
  EXPECT_FALSE(coordinator.decisions()[0].measured_time_ratio);
}

// --- stepping back ---

TEST(step_back, leads_to_gear_0_where_no_gears_did_as_predicted_and_a_bound_is_to_hold) {
  select::Request request;
  request.constraints.max_slowdown = 0.06;
  Coordinator coordinator(request, 3, by_events);
  choose(coordinator, recorded(uneven(0), 40));
  const auto surprise = with_excess(recorded(uneven(1), 40, 2), 0.1);
  const Decision& decision = choose(coordinator, surprise);
  EXPECT_EQ(decision.gears, (Gears{0, 0, 0}));
  EXPECT_EQ(decision.declined, "gear 0 is measured again: a bound is kept against it");
  EXPECT_EQ(choose(coordinator, recorded(uneven(0), 40, 4)).declined, "");
}

TEST(surprise, is_learnt_from_where_no_bound_is_to_be_kept) {
  Coordinator coordinator({{}}, 3, by_events);
  choose(coordinator, recorded(uneven(0), 40));
  const auto surprise = with_excess(recorded(uneven(1), 40, 2), 0.04);
  for (int choice = 0; choice < 4; ++choice) {
    const Decision& decision = choose(coordinator, surprise);
    EXPECT_EQ(decision.gears, (Gears{0, 1, 1})); // worth it all the same
    EXPECT_EQ(decision.stepped_back + decision.declined, "");
  }
  EXPECT_NEAR(1 / coordinator.decisions().back().prediction.p_norm, 1.04, 0.02);
}

TEST(step_back, leads_to_the_last_gears_that_did_as_predicted_where_nothing_is_learnt) {
  Coordinator coordinator({{}}, 3, by_events);
  EXPECT_EQ(choose(coordinator, recorded({{0.002}, {0.002}, {0.001}}, 40)).gears, (Gears{0, 0, 1}));
  // As predicted, and now there is slack for rank 1, too.
  EXPECT_EQ(choose(coordinator, recorded({{0.002, 0}, {0.001, 0}, {0.001, 1}}, 40, 2)).gears,
            (Gears{0, 1, 1}));
  double excess = 0; // more each time
  while (coordinator.decisions().back().stepped_back.empty() && excess < 1) {
    ASSERT_EQ(coordinator.decisions().back().declined, "");
    const Gears gears = coordinator.decisions().back().gears;
    const std::vector<RecordedRank> ranks{{0.002, gears[0]}, {0.001, gears[1]}, {0.001, gears[2]}};
    choose(coordinator, with_excess(recorded(ranks, 40, 3), excess += 0.1));
  }
  const Decision& back = coordinator.decisions().back();
  EXPECT_EQ(back.gears, (Gears{0, 0, 1}));
  EXPECT_NE(back.stepped_back.find("longer than in gear 0"), std::string::npos);
  const auto in_them = recorded({{0.002, 0}, {0.001, 0}, {0.001, 1}}, 40, 4);
  EXPECT_EQ(choose(coordinator, in_them).gears, (Gears{0, 0, 1})); // and there it stays
}

TEST(step_back, does_not_follow_from_a_few_slow_iterations) {
  select::Request request;
  request.constraints.max_slowdown = 0.05;
  for (const std::size_t iterations : {2U, 8U}) {
    Coordinator coordinator(request, 3, by_events);
    choose(coordinator, recorded(uneven(0), 40));
    auto surprise = with_excess(recorded(uneven(1), 40, 2), 0.1);
    for (Measurement& m : surprise) {
      m.measured_iterations = iterations;
      for (model::Event& event : m.timeline->events)
        if (event.ends_call)
          event.duration += 0.00021F; // the excess of an iteration of 2.1 ms
    }
    choose(coordinator, surprise);
    EXPECT_EQ(choose(coordinator, surprise).declined.empty(), iterations == 2) << iterations;
  }
}

TEST(step_back, does_not_follow_from_noise) {
  Coordinator coordinator({{}}, 3, by_events);
  choose(coordinator, recorded(uneven(0), 40));
  for (int choice = 0; choice < 6; ++choice) {
    const double excess = choice % 2 == 0 ? 0.1 : -0.05;
    const Decision& decision = choose(coordinator, with_excess(recorded(uneven(1), 40, 2), excess));
    EXPECT_EQ(decision.stepped_back + decision.declined, "") << choice;
  }
}

} // namespace
} // namespace hypermile::runtime
