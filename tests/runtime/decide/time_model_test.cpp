#include "runtime/decide/time_model.hpp"

#include "support/nodes.hpp"
#include "support/scripted_timeline.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace hypermile::runtime {
namespace {

/// Ranks that compute 1 ms, rank 0 twice as long, and wait for each other in every iteration; in
/// the first `before` of them it is the other way round.
std::vector<Measurement> recorded(std::uint32_t ranks, std::size_t iterations,
                                  std::size_t before = 0) {
  std::vector<Measurement> all;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const double computation = rank == 0 ? 0.002 : 0.001;
    test::Script script;
    Measurement m{.node = test::node("node-" + std::to_string(rank))};
    for (std::size_t i = 0; i < iterations; ++i) {
      m.iterations.push_back(2 * i);
      const double now = i < before ? 0.003 - computation : computation;
      script.computes(now).joins(model::Shape::all, ranks, 0.0021 - now);
    }
    m.rank = static_cast<int>(rank);
    m.computation = m.computation_in_gear0 = Seconds{computation};
    m.communication = Seconds{0.0021 - computation};
    m.elapsed = Seconds{1};
    m.timeline = script.done();
    all.push_back(std::move(m));
  }
  return all;
}

std::optional<Decision> choose(const std::vector<Measurement>& measurements,
                               const TimeModel& model) {
  SlowdownBudget budget;
  DecisionBudget decision_budget(model.stopwatch, model.think);
  decision_budget.begin(Seconds{1});
  auto choice = choose_by_dependencies(measurements, {}, model, budget, decision_budget);
  return choice ? std::optional(std::move(choice->decision)) : std::nullopt;
}

const TimeModel unhurried{.functions = {"Allreduce"}};

TEST(time_model, chooses_by_what_was_recorded) {
  const auto decision = choose(recorded(4, 50), unhurried);
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->time_model, TimeModelKind::dependency);
  EXPECT_EQ(decision->gears, (std::vector<std::size_t>{0, 1, 1, 1}));
}

TEST(time_model, gives_no_rank_time_to_spare_that_it_had_in_a_few_iterations_only) {
  const auto chosen = [](double computes_on_the_average) {
    std::vector<Measurement> all = recorded(2, 12);
    all[1].computation_in_gear0 = Seconds{computes_on_the_average};
    select::Request request{.objective = select::Objective::energy};
    request.constraints.max_slowdown = 0.01;
    SlowdownBudget budget;
    DecisionBudget decision_budget(unhurried.stopwatch, unhurried.think);
    return choose_by_dependencies(all, request, unhurried, budget, decision_budget)->decision.gears;
  };
  EXPECT_EQ(chosen(0.001), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(chosen(0.002), (std::vector<std::size_t>{0, 0}));
}

/// Rank 0 computes half as long and waits for nobody. What was recorded of both is of the same
/// time, but not of the same iterations: rank 0 has left those of rank 1 long ago. In a gear half
/// as fast it would get no further ahead.
TEST(time_model, lets_a_rank_that_has_got_far_ahead_keep_step) {
  constexpr std::size_t iterations = 6; // of rank 1
  std::vector<Measurement> all;
  for (const int rank : {0, 1}) {
    const std::size_t count = rank == 0 ? 2 * iterations : iterations;
    const std::size_t done = rank == 0 ? 60 : 20;
    const double computation = rank == 0 ? 0.0005 : 0.001;
    test::Script script;
    for (std::size_t i = 0; i < count; ++i) {
      script.computes(computation);
      if (rank == 0)
        script.sends(1, 0);
      else
        script.receives(0, 0);
    }
    Measurement m{.rank = rank, .node = test::node("node-" + std::to_string(rank))};
    m.computation = m.computation_in_gear0 = Seconds{computation};
    m.calls = 1;
    m.elapsed = Seconds{1};
    m.timeline = script.done();
    m.timeline->before.assign(m.timeline->operations.size(), 0);
    m.timeline->before[0] = m.timeline->before[1] = done;
    for (std::size_t i = 0; i <= count; ++i)
      m.iterations.push_back(2 * (done + i));
    all.push_back(std::move(m));
  }
  EXPECT_EQ(choose(all, unhurried)->gears, (std::vector<std::size_t>{1, 0}));
}

TEST(time_model, takes_what_ranks_of_different_loops_computed_in_all_for_their_shares) {
  std::vector<Measurement> all = recorded(4, 50);
  for (Measurement& m : all) {
    m.of_one_loop = false;
    m.computed = Seconds{m.rank == 1 ? 2.0 : 1.0}; // what was recorded is not typical
  }
  EXPECT_EQ(choose(all, unhurried)->gears, (std::vector<std::size_t>{1, 0, 1, 1}));
  all[2].computed = {}; // where that is not known of all, it is what was recorded
  EXPECT_EQ(choose(all, unhurried)->gears, (std::vector<std::size_t>{0, 1, 1, 1}));
}

/// Under a bound of 5 %, where a loop inside had these gears, and so many iterations of each rank
/// are known, that vary much.
std::vector<std::size_t> with_inherited(const std::vector<std::size_t>& gears, std::size_t known) {
  std::vector<Measurement> all = recorded(4, 6);
  for (Measurement& m : all)
    for (std::size_t i = 0; i < known; ++i)
      m.computations.push_back(m.computation_in_gear0 * (i % 2 == 0 ? 1.0 : 2.0));
  select::Request request;
  request.constraints.max_slowdown = 0.05;
  SlowdownBudget budget;
  DecisionBudget decision_budget(unhurried.stopwatch, unhurried.think);
  return choose_by_dependencies(all, request, unhurried, budget, decision_budget,
                                {.inherited = gears})
      ->decision.gears;
}

TEST(time_model, keeps_gears_of_a_loop_inside_while_too_little_is_known_to_choose_as_good_ones) {
  const std::vector<std::size_t> good{0, 1, 1, 1};
  const std::vector<std::size_t> slow{1, 1, 1, 1};
  const std::vector<std::size_t> none{0, 0, 0, 0};
  EXPECT_EQ(with_inherited({}, 1), none);
  EXPECT_EQ(with_inherited(good, 1), good);
  EXPECT_EQ(with_inherited(slow, 1), none);   // they break the bound
  EXPECT_EQ(with_inherited({1, 1}, 1), none); // of other nodes
  EXPECT_EQ(with_inherited(good, 16), with_inherited({}, 16));
}

TEST(time_model, does_not_take_long_iterations_now_and_then_for_a_slowdown) {
  std::vector<Measurement> all = recorded(4, 40);
  for (Measurement& m : all) {
    test::Script script;
    for (std::size_t i = 0; i < 40; ++i) {
      const bool rebuilds = i % 10 == 9;
      const double computation = (m.rank == 0 ? 0.002 : 0.001) * (rebuilds ? 3 : 1);
      m.computations.push_back(Seconds{computation});
      script.computes(computation)
          .joins(model::Shape::all, 4, rebuilds ? 0.0061 - computation : 0.0021 - computation);
    }
    m.timeline = script.done();
  }
  SlowdownBudget budget;
  DecisionBudget decision_budget({}, unhurried.think);
  ASSERT_TRUE(choose_by_dependencies(all, {}, unhurried, budget, decision_budget));
  EXPECT_NEAR(budget.allowed(0.05), 0.15, 1e-3); // nothing has been spent yet
}

TEST(time_model, is_not_misled_by_the_rank_that_left_the_last_operation_first) {
  std::vector<Measurement> all = recorded(4, 2);
  model::RankTimeline& first = *all[3].timeline;
  first.events.back().duration -= 1e-5F;
  EXPECT_EQ(choose(all, unhurried)->gears, (std::vector<std::size_t>{0, 1, 1, 1}));
}

/// An iteration ends with a call that rank 3 has left first; and the first one sets something up.
TEST(time_model, expects_as_much_of_an_iteration_of_which_a_part_is_known) {
  std::vector<Measurement> all = recorded(4, 2);
  for (Measurement& m : all) {
    const double computation = m.computation.value();
    test::Script script;
    script.computes(20 * computation).joins(model::Shape::all, 4, 20 * (0.0021 - computation));
    script.calls(0.0001);
    script.computes(computation).joins(model::Shape::all, 4, 0.0021 - computation);
    script.calls(m.rank == 3 ? 0.00009 : 0.0001);
    m.timeline = script.done();
    m.iterations = {0, 3, 6};
    m.computations = {Seconds{20 * computation}, Seconds{computation}};
  }
  EXPECT_EQ(choose(all, unhurried)->gears, (std::vector<std::size_t>{0, 1, 1, 1}));
}

/// Of the iteration before those that were told a part is there only so that the others are whole.
TEST(time_model, is_not_misled_by_a_late_iteration_before_those_that_were_told) {
  std::vector<Measurement> all = recorded(4, 4);
  for (Measurement& m : all) {
    const double computation = m.computation.value();
    test::Script script;
    const double late = m.rank == 1 ? 0.02 : computation;
    script.computes(late).joins(model::Shape::all, 4, 0.0201 - late);
    for (int i = 0; i < 3; ++i) {
      script.computes(computation).joins(model::Shape::all, 4, 0.0021 - computation);
      m.computations.push_back(m.computation);
    }
    m.timeline = script.done();
    m.iterations = {2, 4, 6, 8};
  }
  EXPECT_EQ(choose(all, unhurried)->gears, (std::vector<std::size_t>{0, 1, 1, 1}));
}

/// Rank 1 has slack, but its latest iteration took as long as those of the slowest rank: that may
/// happen once, or go on.
TEST(time_model, gives_a_rank_no_slack_under_a_bound_that_its_latest_iteration_did_not_have) {
  const auto gear_of_1 = [](std::optional<double> bound, bool late_at_last) {
    constexpr double longest = 0.004;
    std::vector<Measurement> all = recorded(8, 4);
    for (Measurement& m : all) {
      test::Script script;
      for (int i = 0; i < 4; ++i) {
        const bool late = m.rank == 0 || (m.rank == 1 && i == 3 && late_at_last);
        const double now = late ? longest : 0.001;
        script.computes(now).joins(model::Shape::all, 8, longest + 0.0001 - now);
        m.computations.emplace_back(now);
      }
      m.timeline = script.done();
      m.iterations = {0, 2, 4, 6, 8};
    }
    select::Request request{.objective = select::Objective::energy};
    request.constraints.max_slowdown = bound;
    SlowdownBudget budget;
    DecisionBudget decision_budget(unhurried.stopwatch, unhurried.think);
    return choose_by_dependencies(all, request, unhurried, budget, decision_budget)
        ->decision.gears[1];
  };
  EXPECT_EQ(gear_of_1(0.05, false), 1U);
  EXPECT_EQ(gear_of_1(0.05, true), 0U);
  EXPECT_EQ(gear_of_1(std::nullopt, true), 1U);
}

/// Two iterations in gear 0, if these are told as well, and two in a gear of half the speed.
TEST(time_model, tells_the_slowdown_of_the_present_gears) {
  std::vector<double> slowdowns;
  for (const bool also_before : {false, true}) {
    std::vector<Measurement> all = recorded(4, 2);
    for (Measurement& m : all) {
      const double computation = m.computation.value();
      test::Script script;
      m.iterations = {0, 2, 4};
      if (also_before)
        m.iterations.insert(m.iterations.end(), {6, 8});
      if (also_before)
        for (int i = 0; i < 2; ++i)
          script.computes(computation).joins(model::Shape::all, 4, 0.0021 - computation);
      for (int i = 0; i < 2; ++i)
        script.computes(2 * computation).joins(model::Shape::all, 4, 0.0041 - 2 * computation);
      m.timeline = script.done();
      m.timeline->scale = 2;
      if (also_before)
        m.timeline->earlier = {{.end = 4, .scale = 1}};
    }
    SlowdownBudget budget;
    DecisionBudget decision_budget({}, unhurried.think);
    slowdowns.push_back(
        choose_by_dependencies(all, {}, unhurried, budget, decision_budget)->slowdown);
  }
  EXPECT_GT(slowdowns[0], 0.9);
  EXPECT_NEAR(slowdowns[1], slowdowns[0], 0.01);
}

TEST(time_model, uses_the_last_events_only_where_a_choice_is_waited_for) {
  TimeModel hurried = unhurried;
  Seconds now;
  hurried.stopwatch = [&now] { return now += Seconds{1e-6}; };
  const auto measurements = recorded(4, 10'000, 5'000); // 80,000 events, and 10 ms for the choice
  const auto by_the_last = choose(measurements, hurried);
  ASSERT_TRUE(by_the_last);
  EXPECT_EQ(by_the_last->gears, (std::vector<std::size_t>{0, 1, 1, 1}));
  const auto by_all = choose(measurements, unhurried);
  ASSERT_TRUE(by_all);
  EXPECT_NE(by_all->gears, by_the_last->gears);
}

TEST(time_model, leaves_the_choice_to_the_means_where_there_is_no_time_for_the_events) {
  TimeModel hurried = unhurried;
  hurried.stopwatch = [] { return Seconds{}; };
  hurried.think = Seconds{1e-6};
  EXPECT_FALSE(choose(recorded(4, 50), hurried));
}

TEST(time_model, ends_a_search_when_its_time_is_over) {
  TimeModel hurried = unhurried;
  Seconds now;
  hurried.stopwatch = [&now] { return now += Seconds{0.001}; };
  const auto decision = choose(recorded(12, 40), hurried);
  ASSERT_TRUE(decision);
  EXPECT_GE(now, Seconds{0.01}); // it asks until then
  EXPECT_LE(now, Seconds{0.02});
}

TEST(time_model, refuses_events_of_functions_that_do_not_exist) {
  EXPECT_THROW((void)choose(recorded(2, 10), TimeModel{}), Error);
}

} // namespace
} // namespace hypermile::runtime
