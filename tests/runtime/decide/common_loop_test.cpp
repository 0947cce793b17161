#include "runtime/decide/common_loop.hpp"

#include "runtime/decide/coordinator.hpp"
#include "runtime/decide/gear0_ratio.hpp"
#include "support/nodes.hpp"
#include "support/scripted_timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace hypermile::runtime {
namespace {

using test::node;

/// Ranks of a program of time steps, each of which is several inner ones. All wait for each other
/// in every inner step; each rank has found the loop of steps, or that of inner ones.
class Steps {
public:
  /// `inner`: how many each step has.
  Steps(std::vector<std::size_t> inner, std::uint32_t ranks, unsigned seed)
      : inner_(std::move(inner)), ranks_(ranks), engine_(seed) {
    std::uniform_real_distribution<double> work(0.001, 0.003);
    for (std::size_t step = 0; step < total(); ++step) {
      auto& of_ranks = computed_.emplace_back();
      for (std::uint32_t r = 0; r < ranks_; ++r)
        of_ranks.push_back(work(engine_));
    }
  }

  /// What the rank tells after so many steps, from its first on; of the last inner ones if it
  /// found those. Clocks may be off by much less than an inner step takes.
  Measurement measured(std::uint32_t rank, bool found_inner, std::size_t steps) {
    Measurement m{.rank = static_cast<int>(rank),
                  .node = node("n" + std::to_string(rank)),
                  .elapsed = Seconds{1}};
    test::Script script;
    std::uint64_t inner = 0;
    double computed = 0;
    double waited = 0;
    for (std::size_t step = 0; step < steps; ++step)
      for (std::size_t i = 0; i < inner_[step]; ++i, ++inner) {
        if (found_inner || i == 0)
          m.iterations.push_back(2 * inner);
        const auto& of_ranks = computed_[inner];
        const double wait = std::ranges::max(of_ranks) + 0.0005 - of_ranks[rank];
        script.computes(of_ranks[rank]).joins(model::Shape::all, ranks_, wait);
        computed += of_ranks[rank];
        waited += wait;
      }
    const auto iterations = static_cast<double>(m.iterations.size());
    m.iterations.push_back(2 * inner);
    m.computation = m.computation_in_gear0 = Seconds{computed / iterations};
    m.communication = Seconds{waited / iterations};
    m.calls = static_cast<double>(inner) / iterations;
    m.timeline = script.done();
    m.timeline->begin = Seconds{std::uniform_real_distribution<double>(0, 1e-5)(engine_)};
    return m;
  }

  [[nodiscard]] std::vector<double> truth(std::uint32_t rank) const {
    std::vector<double> of_steps;
    std::size_t inner = 0;
    for (const std::size_t count : inner_) {
      of_steps.push_back(0);
      for (std::size_t i = 0; i < count; ++i, ++inner)
        of_steps.back() += computed_[inner][rank];
    }
    return of_steps;
  }

private:
  [[nodiscard]] std::size_t total() const {
    return std::accumulate(inner_.begin(), inner_.end(), std::size_t{0});
  }
  std::vector<std::size_t> inner_;
  std::uint32_t ranks_;
  std::mt19937 engine_;
  std::vector<std::vector<double>> computed_;
};

Measurement without_events(int rank, double computation, double communication) {
  return {.rank = rank,
          .node = node("n" + std::to_string(rank)),
          .computation = Seconds{computation},
          .computation_in_gear0 = Seconds{computation},
          .communication = Seconds{communication}};
}

// --- comparable() ---

TEST(comparable, keeps_the_relative_error_of_a_loop_that_is_scaled) {
  // Rank 0 measured an inner loop a tenth as long, to within 10 %.
  std::vector<Measurement> all{without_events(0, 0.3, 0.1), without_events(1, 1, 3),
                               without_events(2, 2, 2)};
  all[0].calls = 3;
  all[0].deviation = Seconds{0.04};
  const std::vector<Measurement> scaled = comparable(all);
  EXPECT_DOUBLE_EQ(scaled[0].deviation.value(), 0.4);
  EXPECT_DOUBLE_EQ(scaled[0].calls, 30);
  EXPECT_DOUBLE_EQ(scaled[1].deviation.value(), 0);
  // What the margin of --max-slowdown rests on.
  EXPECT_DOUBLE_EQ(Gear0Ratio{}.error(scaled), 0.1);
}

TEST(comparable, says_whether_all_found_one_loop) {
  EXPECT_TRUE(comparable({without_events(0, 1, 1), without_events(1, 1, 0.9)})[1].of_one_loop);
  const auto two = comparable({without_events(0, 1, 1), without_events(1, 0.1, 0.1)});
  EXPECT_FALSE(two[0].of_one_loop);
  EXPECT_FALSE(two[1].of_one_loop);
  EXPECT_FALSE(comparable(two)[0].of_one_loop); // and remembers it
}

/// A rank that nobody holds up has shorter iterations than one that is slower, until it has to
/// wait.
TEST(comparable, leaves_a_rank_that_runs_ahead_in_the_loop_of_all) {
  std::vector<Measurement> all{without_events(0, 1.4, 0), without_events(1, 0.8, 0.1)};
  all[0].calls = all[1].calls = 3;
  const auto common = comparable(all);
  EXPECT_TRUE(common[1].of_one_loop);
  EXPECT_DOUBLE_EQ(common[1].computation_in_gear0.value(), 0.8);
  all[0].computation = Seconds{3}; // in a slow gear
  EXPECT_TRUE(comparable(all)[1].of_one_loop);
  all[0].computation = Seconds{4}; // no gear explains that
  EXPECT_FALSE(comparable(all)[1].of_one_loop);
  all[0].computation = Seconds{1.4};
  all[1].calls = 2; // another loop
  EXPECT_FALSE(comparable(all)[1].of_one_loop);
}

TEST(comparable, tells_a_rank_of_an_inner_loop_what_it_did_in_each_step_of_the_others) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 engine(seed);
    std::uniform_int_distribution<std::size_t> count(2, 40);
    std::vector<std::size_t> inner(count(engine) / 4 + 3);
    for (std::size_t& of_step : inner)
      of_step = count(engine);
    Steps steps(inner, 4, seed);
    std::vector<Measurement> all;
    for (std::uint32_t r = 0; r < 4; ++r)
      all.push_back(steps.measured(r, r == 1 || r == 3, inner.size()));
    const auto common = comparable(all);
    for (const std::uint32_t r : {1U, 3U}) {
      const std::vector<double> truth = steps.truth(r);
      const auto& told = common[r].computations;
      ASSERT_LE(told.size(), truth.size());
      ASSERT_GE(told.size() + 2, truth.size()); // the first and the last may be cut off
      // Where its clock is late the first step is not whole: all are told from the second on.
      const std::size_t first = common[r].iterations.front() == 0 ? 0 : 1;
      for (std::size_t i = 0; i < told.size(); ++i)
        EXPECT_NEAR(told[i].value(), truth[i + first], 1e-6) << "seed " << seed;
    }
  }
}

TEST(comparable, takes_a_shorter_loop_where_the_longest_was_not_repeated_meanwhile) {
  Steps steps(std::vector<std::size_t>(8, 10), 3, 1);
  std::vector<Measurement> all;
  for (std::uint32_t r = 0; r < 3; ++r)
    all.push_back(steps.measured(r, r == 1, 8));
  // Rank 2 takes all of it for one iteration.
  all[2].computation = all[2].computation * 8;
  all[2].communication = all[2].communication * 8;
  all[2].iterations = {0, 160};
  const auto common = comparable(all);
  EXPECT_NEAR((common[2].computation / all[2].computation), 1.0 / 8, 0.02);
  EXPECT_GE(common[2].computations.size(), 6U);
}

// --- outdated() ---

TEST(outdated, are_ranks_that_told_long_before_the_others) {
  Steps steps(std::vector<std::size_t>(8, 10), 3, 1);
  std::vector<Measurement> all{steps.measured(0, false, 8), steps.measured(1, true, 1),
                               steps.measured(2, false, 8)};
  EXPECT_EQ(outdated(all), (std::vector<bool>{false, true, false}));
}

TEST(outdated, are_none_that_told_at_about_the_same_time) {
  Steps steps(std::vector<std::size_t>(8, 10), 3, 1);
  EXPECT_TRUE(outdated({steps.measured(0, false, 8), steps.measured(1, true, 7)}).empty());
  EXPECT_TRUE(outdated({without_events(0, 1, 3), without_events(1, 0.1, 0.3)}).empty());
}

// --- What the coordinator asks for ---

const TimeModel event_model{.functions = {"Allreduce"}};

std::vector<bool> asked(const std::vector<Message>& messages) {
  std::vector<bool> ranks;
  for (const Message& message : messages)
    if (const auto* ask = std::get_if<Ask>(&message))
      ranks.push_back(ask->meant);
  return ranks;
}

bool are_orders(const std::vector<Message>& messages) {
  return !messages.empty() && std::holds_alternative<GearOrder>(messages.front());
}

TEST(coordinator, asks_a_rank_that_told_long_before_the_others_once_more) {
  Steps steps(std::vector<std::size_t>(8, 10), 3, 1);
  Coordinator coordinator(select::Request{}, 3, event_model);
  EXPECT_TRUE(coordinator.add(steps.measured(1, true, 1)).empty());
  EXPECT_TRUE(coordinator.add(steps.measured(0, false, 8)).empty());
  EXPECT_EQ(asked(coordinator.add(steps.measured(2, false, 8))),
            (std::vector<bool>{false, true, false}));
  EXPECT_TRUE(coordinator.missing().empty()); // should the program end now, nobody has no loop
  EXPECT_TRUE(are_orders(coordinator.add(steps.measured(1, true, 8))));
  ASSERT_EQ(coordinator.decisions().size(), 1U);
  EXPECT_EQ(coordinator.decisions()[0].time_model, TimeModelKind::dependency);
}

TEST(coordinator, does_not_ask_for_ever) {
  Steps steps(std::vector<std::size_t>(8, 10), 2, 1);
  Coordinator coordinator(select::Request{}, 2, event_model);
  EXPECT_TRUE(coordinator.add(steps.measured(1, true, 1)).empty());
  auto messages = coordinator.add(steps.measured(0, false, 8));
  int asks = 0;
  for (; !are_orders(messages); ++asks) {
    ASSERT_LT(asks, 4);
    messages = coordinator.add(steps.measured(1, true, 1)); // it has nothing new
  }
  EXPECT_GE(asks, 1);
}

TEST(coordinator, asks_few_silent_ranks_once_others_have_told_three_times) {
  Steps steps(std::vector<std::size_t>(8, 10), 3, 1);
  Coordinator coordinator(select::Request{}, 3, event_model);
  EXPECT_TRUE(coordinator.add(steps.measured(0, false, 8)).empty());
  for (int i = 0; i < 2; ++i)
    EXPECT_TRUE(coordinator.add(steps.measured(1, false, 8)).empty());
  EXPECT_EQ(asked(coordinator.add(steps.measured(1, false, 8))),
            (std::vector<bool>{false, false, true}));
  EXPECT_TRUE(coordinator.add(steps.measured(1, false, 8)).empty()); // not twice
  EXPECT_TRUE(are_orders(coordinator.add(steps.measured(2, true, 8))));
}

TEST(coordinator, does_not_ask_where_most_ranks_have_found_no_loop) {
  Steps steps(std::vector<std::size_t>(8, 10), 3, 1);
  Coordinator coordinator(select::Request{}, 3, event_model);
  for (int i = 0; i < 10; ++i)
    EXPECT_TRUE(coordinator.add(steps.measured(1, false, 8)).empty());
}

} // namespace
} // namespace hypermile::runtime
