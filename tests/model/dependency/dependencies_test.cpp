// Small programs whose run with other gears is worked out by hand.

#include "model/dependency/dependencies.hpp"

#include "support/scripted_timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

namespace hypermile::model::dependency {
namespace {

using test::Script;
using test::timeline_of;

constexpr double tolerance = 1e-6; // a Timeline keeps floats

double time_of(const Timeline& timeline, std::vector<double> scales,
               const Protocol& protocol = {}) {
  const Dependencies dependencies(timeline, protocol);
  return dependencies.outcome(scales).time.value();
}

constexpr Protocol eager{.synchronous_from = 1000};
constexpr Protocol at_receive{.synchronous_from = 1000, .starts_at_receive = true};

TEST(dependencies, stretch_computation_and_nothing_else) {
  Script a;
  a.computes(2).calls(0.5).computes(1);
  const auto timeline = timeline_of(a);
  EXPECT_NEAR(time_of(timeline, {1}), 3.5, tolerance);
  EXPECT_NEAR(time_of(timeline, {2}), 6.5, tolerance);
}

TEST(dependencies, let_a_receiver_wait_for_a_slower_sender) {
  // Sent at 1, 0.25 on its way; the receiver is there at 1 and leaves at 1.25.
  Script a;
  Script b;
  a.computes(1).sends(1, 0).computes(1);
  b.computes(1).receives(0, 0.25).computes(1);
  const auto timeline = timeline_of(a, b);
  EXPECT_NEAR(time_of(timeline, {1, 1}, eager), 2.25, tolerance);
  EXPECT_NEAR(time_of(timeline, {2, 1}, eager), 4, tolerance);   // a: 2 + 2; b: 2.25 + 1
  EXPECT_NEAR(time_of(timeline, {1.5, 1}, eager), 3, tolerance); // b: 1.5 + 0.25 + 1
  EXPECT_NEAR(time_of(timeline, {1, 1.5}, eager), 3, tolerance); // it was there already
}

/// Two ranks meet every 3 s. Before the third time the first one needs 2 s for hypermile, which the
/// second one waits for.
Timeline with_a_pause() {
  Script a;
  Script b;
  for (int i = 0; i < 4; ++i) {
    if (i == 2)
      a.pauses(2);
    a.computes(3).joins(Shape::all, 2, 0);
    b.computes(1).joins(Shape::all, 2, i == 2 ? 4 : 2);
  }
  return timeline_of(a, b);
}

TEST(dependencies, leave_out_pauses_and_what_others_wait_for_them) {
  const auto timeline = with_a_pause();
  EXPECT_NEAR(time_of(timeline, {1, 1}), 12, tolerance);
  EXPECT_NEAR(time_of(timeline, {1, 3}), 12, tolerance);
  EXPECT_NEAR(time_of(timeline, {1, 4}), 16, tolerance);
  EXPECT_NEAR(time_of(timeline, {2, 1}), 24, tolerance);
}

/// As if all that a rank had done before its pause had been done so much later.
TEST(dependencies, see_waits_that_there_were_not_where_clocks_do_not_count_pauses) {
  auto timeline = with_a_pause();
  timeline.ranks[0].pauses.clear();
  timeline.ranks[0].begin = Seconds{2};
  EXPECT_GT(time_of(timeline, {1, 3}), 15);
}

TEST(dependencies, start_a_message_at_the_receive_where_the_library_does) {
  Script a;
  Script b;
  a.computes(1).sends(1, 0).computes(1);
  b.computes(1).receives(0, 0.25).computes(1);
  const auto timeline = timeline_of(a, b);
  EXPECT_NEAR(time_of(timeline, {1, 1.5}, at_receive), 3.25, tolerance);
}

TEST(dependencies, let_a_large_send_wait_for_its_receiver) {
  Script a;
  Script b;
  a.computes(1).sends(1, 1.5, 5000).computes(1); // until 2.5
  b.computes(2).receives(0, 0.5, 5000);
  const auto timeline = timeline_of(a, b);
  EXPECT_NEAR(time_of(timeline, {1, 1}, eager), 3.5, tolerance);
  EXPECT_NEAR(time_of(timeline, {1, 2}, eager), 5.5, tolerance);
  EXPECT_NEAR(time_of(timeline, {4, 1}, eager), 8.5, tolerance);
}

TEST(dependencies, let_all_wait_for_the_last_of_a_collective_operation) {
  Script a;
  Script b;
  a.computes(1).joins(Shape::all, 2, 2.5).computes(1);
  b.computes(3).joins(Shape::all, 2, 0.25);
  const auto timeline = timeline_of(a, b);
  EXPECT_NEAR(time_of(timeline, {1, 1}), 4.5, tolerance);
  EXPECT_NEAR(time_of(timeline, {1, 2}), 7.5, tolerance);
  EXPECT_NEAR(time_of(timeline, {5, 1}), 10.5, tolerance);
}

TEST(dependencies, let_a_root_go_on_without_those_it_sends_to) {
  Script root;
  Script other;
  root.computes(1).joins(Shape::from_root, 2, 0, 0).computes(1);
  other.computes(0.5).joins(Shape::from_root, 2, 0.75, 0);
  const auto timeline = timeline_of(root, other);
  EXPECT_NEAR(time_of(timeline, {1, 1}), 2, tolerance);
  EXPECT_NEAR(time_of(timeline, {1, 8}), 4.25, tolerance);
  EXPECT_NEAR(time_of(timeline, {2, 1}), 4, tolerance);
}

TEST(dependencies, let_only_the_root_wait_for_those_that_send_to_it) {
  Script root;
  Script other;
  root.computes(1).joins(Shape::to_root, 2, 1.25, 0);
  other.computes(2).joins(Shape::to_root, 2, 0, 0).computes(0.125);
  const auto timeline = timeline_of(root, other);
  EXPECT_NEAR(time_of(timeline, {1, 1}), 2.25, tolerance);
  EXPECT_NEAR(time_of(timeline, {4, 1}), 4.25, tolerance);
  EXPECT_NEAR(time_of(timeline, {1, 2}), 4.25, tolerance);
}

TEST(dependencies, let_ranks_of_a_scan_wait_for_lower_ones_only) {
  Script a;
  Script b;
  Script c;
  a.computes(1).joins(Shape::scan, 3, 0);
  b.computes(2).joins(Shape::scan, 3, 0.5);
  c.computes(1).joins(Shape::scan, 3, 1.5);
  const auto timeline = timeline_of(a, b, c);
  const auto ends = [&](std::vector<double> scales) {
    return Dependencies(timeline).outcome(scales).ends;
  };
  EXPECT_NEAR(ends({1, 1, 9})[1].value(), 2.5, tolerance);
  EXPECT_NEAR(ends({9, 1, 1})[1].value(), 9.5, tolerance);
  EXPECT_NEAR(ends({1, 4, 1})[2].value(), 8.5, tolerance);
}

TEST(dependencies, wait_for_the_last_of_several_requests) {
  // Both sent messages take 0.5; the second is sent at 2 and is what the wait ends with.
  Script a;
  Script b;
  Script c;
  a.starts_receive(1).starts_receive(2).computes(1).waits_for(2, 1.5);
  b.computes(1).sends(0, 0);
  c.computes(2).sends(0, 0);
  const auto timeline = timeline_of(a, b, c);
  EXPECT_NEAR(time_of(timeline, {1, 1, 1}, eager), 2.5, tolerance);
  EXPECT_NEAR(time_of(timeline, {1, 1, 2}, eager), 4.5, tolerance);
  EXPECT_GE(time_of(timeline, {1, 3, 1}, eager), 3);
  EXPECT_NEAR(time_of(timeline, {3, 1, 1}, eager), 3, tolerance);
}

/// Ranks in a ring that exchange messages with both neighbours after each computation, which take
/// so long. By rank and iteration, s in gear 0.
struct Ring {
  static constexpr double message = 0.3;
  std::vector<std::vector<double>> computation;

  /// When the last rank is done; tells `script`, if any, what the ranks did.
  double run(const std::vector<double>& scales, std::vector<Script>* scripts = nullptr) const {
    const std::size_t ranks = computation.size();
    std::vector<double> now(ranks, 0);
    for (std::size_t i = 0; i < computation[0].size(); ++i) {
      std::vector<double> sent(ranks);
      for (std::size_t r = 0; r < ranks; ++r)
        sent[r] = now[r] + computation[r][i] * scales[r];
      for (std::size_t r = 0; r < ranks; ++r) {
        const std::size_t before = (r + ranks - 1) % ranks;
        const std::size_t after = (r + 1) % ranks;
        now[r] = std::max({sent[r], sent[before] + message, sent[after] + message});
        if (scripts != nullptr)
          (*scripts)[r]
              .computes(computation[r][i])
              .starts_receive(static_cast<int>(before))
              .starts_receive(static_cast<int>(after))
              .starts_send(static_cast<int>(before))
              .starts_send(static_cast<int>(after))
              .waits_for(4, now[r] - sent[r]);
      }
    }
    return std::ranges::max(now);
  }
};

TEST(dependencies, learn_what_messages_take_from_waits_for_both_neighbours) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> seconds(1, 3);
  std::uniform_real_distribution<double> scale(1, 2.5);
  for (int program = 0; program < 50; ++program) {
    Ring ring;
    for (int r = 0; r < 6; ++r) {
      const double usual = seconds(engine);
      auto& of_rank = ring.computation.emplace_back();
      for (int i = 0; i < 8; ++i)
        of_rank.push_back(usual * (0.99 + 0.02 * scale(engine) / 2.5));
    }
    std::vector<Script> scripts(6);
    const double in_gear0 = ring.run(std::vector<double>(6, 1), &scripts);
    Timeline timeline{.functions = {"Send"}, .ranks = {}};
    for (Script& script : scripts)
      timeline.ranks.push_back(script.done());
    const Dependencies dependencies(timeline, eager);
    for (int plan = 0; plan < 5; ++plan) {
      std::vector<double> scales;
      for (int r = 0; r < 6; ++r)
        scales.push_back(scale(engine));
      const double expected = ring.run(scales);
      EXPECT_NEAR(dependencies.outcome(scales).time.value() / expected, 1, 0.01) << program;
    }
    EXPECT_NEAR(time_of(timeline, std::vector<double>(6, 1), eager), in_gear0, 1e-4);
  }
}

/// Broadcasts from changing roots along a tree, after computations. `parent`: of a rank, counted
/// from the root.
struct Broadcasts {
  static constexpr double message = 0.02;
  std::size_t (*parent)(std::size_t);
  std::vector<std::vector<double>> computation; ///< by rank and iteration, s in gear 0

  double run(const std::vector<double>& scales, std::vector<Script>* scripts = nullptr) const {
    const std::size_t ranks = computation.size();
    std::vector<double> now(ranks, 0);
    for (std::size_t i = 0; i < computation[0].size(); ++i) {
      const std::size_t root = i / 4 % ranks;
      std::vector<double> left(ranks);
      for (std::size_t v = 0; v < ranks; ++v) {
        const std::size_t r = (root + v) % ranks;
        const double entered = now[r] + computation[r][i] * scales[r];
        left[v] = v == 0 ? entered : std::max(entered, left[parent(v)]) + message;
        now[r] = left[v];
        if (scripts != nullptr)
          (*scripts)[r]
              .computes(computation[r][i])
              .joins(Shape::from_root, static_cast<std::uint32_t>(ranks), left[v] - entered,
                     static_cast<int>(root));
      }
    }
    return std::ranges::max(now);
  }
};

TEST(dependencies, find_out_who_hands_on_what_a_root_gives) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> seconds(1, 3);
  std::uniform_real_distribution<double> scale(1, 2.5);
  const std::vector<std::size_t (*)(std::size_t)> trees{
      [](std::size_t v) { return v & (v - 1); },
      [](std::size_t v) { return v ^ std::bit_floor(v); },
      [](std::size_t v) { return (v - 1) / 2; },
      [](std::size_t v) { return v - 1; },
      [](std::size_t) { return std::size_t{0}; },
  };
  for (std::size_t tree = 0; tree < trees.size(); ++tree)
    for (int program = 0; program < 20; ++program) {
      Broadcasts broadcasts{.parent = trees[tree], .computation = {}};
      for (int r = 0; r < 7; ++r) {
        auto& of_rank = broadcasts.computation.emplace_back();
        for (int i = 0; i < 24; ++i)
          of_rank.push_back(seconds(engine));
      }
      std::vector<Script> scripts(7);
      broadcasts.run(std::vector<double>(7, 1), &scripts);
      Timeline timeline{.functions = {"Bcast"}, .ranks = {}};
      for (Script& script : scripts)
        timeline.ranks.push_back(script.done());
      const Dependencies dependencies(timeline);
      for (int plan = 0; plan < 5; ++plan) {
        std::vector<double> scales;
        for (int r = 0; r < 7; ++r)
          scales.push_back(scale(engine));
        EXPECT_NEAR(dependencies.outcome(scales).time.value() / broadcasts.run(scales), 1, 1e-4)
            << "tree " << tree << ", program " << program;
      }
    }
}

TEST(dependencies, overlap_a_message_with_computation) {
  // Under way from 1 to 2 at the latest, while the receiver computes until 3.
  Script a;
  Script b;
  a.computes(1).starts_send(1).computes(3).waits_for(1, 0);
  b.starts_receive(0).computes(3).waits_for(1, 0).computes(1);
  const auto timeline = timeline_of(a, b);
  EXPECT_NEAR(time_of(timeline, {1, 1}, eager), 4, tolerance);
  EXPECT_NEAR(time_of(timeline, {1, 2}, eager), 8, tolerance);
}

TEST(dependencies, match_messages_by_tag_and_order) {
  Script a;
  Script b;
  a.computes(1).sends(1, 0, 8, 7).computes(1).sends(1, 0, 8, 9).computes(1).sends(1, 0, 8, 7);
  b.receives(0, 2, 8, 9).receives(0, 0, 8, 7).receives(0, 1, 8, 7);
  const auto timeline = timeline_of(a, b);
  EXPECT_NEAR(time_of(timeline, {1, 1}, eager), 3, tolerance);
  EXPECT_NEAR(time_of(timeline, {2, 1}, eager), 6, tolerance);
}

TEST(dependencies, let_a_probe_wait_for_the_message_of_the_next_receive) {
  Script a;
  Script b;
  a.computes(1).sends(1, 0);
  b.probes(0, 1.25).computes(1).receives(0, 0);
  const auto timeline = timeline_of(a, b);
  EXPECT_NEAR(time_of(timeline, {1, 1}, eager), 2.25, tolerance);
  EXPECT_NEAR(time_of(timeline, {3, 1}, eager), 4.25, tolerance);
}

TEST(dependencies, leave_what_has_no_counterpart_as_it_was) {
  Script a;
  Script b;
  a.computes(1).receives(1, 0.5); // its send was before the part that is known
  b.computes(1).joins(Shape::all, 3, 0.5);
  const auto timeline = timeline_of(a, b);
  EXPECT_NEAR(time_of(timeline, {1, 1}, eager), 1.5, tolerance);
  EXPECT_NEAR(time_of(timeline, {2, 2}, eager), 2.5, tolerance);
}

TEST(dependencies, change_scales_on_the_way) {
  Script a;
  a.computes(1).calls(0.5).computes(1).calls(0.5).computes(2);
  const auto timeline = timeline_of(a);
  const Dependencies dependencies(timeline);
  const std::vector<std::vector<ScaleChange>> changes{{{.event = 1, .scale = 3}}};
  const auto outcome = dependencies.staged(changes);
  EXPECT_NEAR(outcome.time.value(), 1 + 0.5 + 3 + 0.5 + 6, tolerance);
  ASSERT_EQ(outcome.stages[0].size(), 2u);
  EXPECT_NEAR(outcome.stages[0][0].computing.value(), 1, tolerance);
  EXPECT_NEAR(outcome.stages[0][0].end.value(), 1.5, tolerance);
  EXPECT_NEAR(outcome.stages[0][1].computing.value(), 9, tolerance);
}

TEST(critical_path, runs_through_those_that_others_wait_for) {
  Script a;
  Script b;
  a.computes(1).joins(Shape::all, 2, 2.5).computes(3);
  b.computes(3).joins(Shape::all, 2, 0.5).computes(1);
  const auto timeline = timeline_of(a, b);
  const Dependencies dependencies(timeline);
  const std::vector scales{1.0, 1.0};
  EXPECT_NEAR(dependencies.critical_computing(scales)[0].value(), 3, tolerance);
  EXPECT_NEAR(dependencies.critical_computing(scales)[1].value(), 3, tolerance);
  const auto path = dependencies.critical_path(scales);
  EXPECT_EQ(path.begin, Seconds{});
  ASSERT_EQ(path.steps.size(), 3u);
  EXPECT_EQ(path.steps[0].rank, 1u); // arrives
  EXPECT_NEAR(path.steps[0].computing.value(), 3, tolerance);
  EXPECT_EQ(path.steps[1].rank, 0u); // leaves
  EXPECT_EQ(path.steps[1].from, 1u);
  EXPECT_TRUE(path.steps[1].waited);
  EXPECT_EQ(path.steps[1].event, 1u);
  EXPECT_NEAR(path.steps[1].inside.value(), 0.5, tolerance);
  EXPECT_EQ(path.steps[2].event, nothing); // computes to its end
  EXPECT_NEAR(path.steps[2].computing.value(), 3, tolerance);
  EXPECT_NEAR(path.steps[2].end.value(), 6.5, tolerance);
}

TEST(critical_path, is_that_of_a_rank_that_has_the_most_to_compute_in_the_long_run) {
  Script a;
  Script b;
  a.computes(2).joins(Shape::all, 2, 1.5).computes(1);
  b.computes(3).joins(Shape::all, 2, 0.5).computes(0.5);
  const auto timeline = timeline_of(a, b);
  const Dependencies once(timeline);
  Dependencies lasting(timeline);
  lasting.last_at_least({Seconds{4}, Seconds{3}});
  Dependencies::Workspace workspace;
  constexpr double step = 1e-6;
  for (double s = 1.01; s < 3; s += 0.127)
    for (double t = 1.003; t < 3; t += 0.131) {
      const std::vector scales{s, t};
      const double path = once.time(scales, workspace).value();
      const double time = lasting.time(scales, workspace).value();
      EXPECT_NEAR(time, std::max({path, 4 * s, 3 * t}), tolerance);
      const auto slopes = lasting.critical_computing(scales);
      EXPECT_NEAR((lasting.time(std::vector{s + step, t}, workspace).value() - time) / step,
                  slopes[0].value(), 1e-3);
      EXPECT_NEAR((lasting.time(std::vector{s, t + step}, workspace).value() - time) / step,
                  slopes[1].value(), 1e-3);
    }
}

/// The message travels from the moment its receive is posted, 1, until 4; the receiver computes
/// meanwhile, which does not matter.
TEST(critical_path, leaves_out_what_a_rank_computes_while_its_message_travels) {
  Script a;
  Script b;
  a.computes(0.5).sends(1, 0);
  b.computes(1).starts_receive(0).computes(1).waits_for(1, 2).computes(0.5);
  const auto timeline = timeline_of(a, b);
  const Dependencies dependencies(timeline, at_receive);
  const std::vector scales{1.0, 1.0};
  EXPECT_NEAR(dependencies.critical_computing(scales)[1].value(), 1.5, tolerance);
  const auto path = dependencies.critical_path(scales);
  ASSERT_EQ(path.steps.size(), 3u);
  EXPECT_NEAR(path.steps[1].inside.value(), 3, tolerance);
  EXPECT_EQ(path.steps[1].from, 1u);
  EXPECT_NEAR(path.steps[2].end.value(), 4.5, tolerance);
}

/// 0: computes 2, waits 2 for the other, and 0.5 for the operation. The other waits at the end.
TEST(accounts, tell_waiting_for_others_from_what_messages_cost) {
  Script a;
  Script b;
  a.computes(1).joins(Shape::all, 2, 2.5).computes(1);
  b.computes(3).joins(Shape::all, 2, 0.5).computes(0.25);
  const auto timeline = timeline_of(a, b);
  const auto accounts = Dependencies(timeline).accounts(std::vector{1.0, 1.0});
  EXPECT_NEAR(accounts[0].computing.value(), 2, tolerance);
  EXPECT_NEAR(accounts[0].waiting.value(), 2, tolerance);
  EXPECT_NEAR(accounts[0].inside.value(), 0.5, tolerance);
  EXPECT_NEAR(accounts[1].computing.value(), 3.25, tolerance);
  EXPECT_NEAR(accounts[1].waiting.value(), 0.75, tolerance);
  EXPECT_NEAR(accounts[1].inside.value(), 0.5, tolerance);
}

TEST(slack, is_how_late_a_rank_may_be) {
  Script a;
  Script b;
  a.computes(1).joins(Shape::all, 2, 2.5).computes(1);
  b.computes(3).joins(Shape::all, 2, 0.5).computes(1.25);
  const auto timeline = timeline_of(a, b);
  const Dependencies dependencies(timeline);
  const auto slack = dependencies.slack(std::vector{1.0, 1.0});
  EXPECT_NEAR(slack[0].least.value(), 0.25, tolerance);
  EXPECT_NEAR(slack[1].least.value(), 0, tolerance);
}

/// Its only send is what the other waits for; itself it has 1 s left then.
TEST(slack, is_none_where_others_wait_for_the_first_thing_that_a_rank_does) {
  Script a;
  Script b;
  a.computes(2).sends(1, 0).computes(0.5);
  b.receives(0, 2.25).computes(1.25);
  const auto timeline = timeline_of(a, b);
  const auto slack = Dependencies(timeline, eager).slack(std::vector{1.0, 1.0});
  EXPECT_NEAR(slack[0].least.value(), 0, tolerance);
  EXPECT_NEAR(slack[1].least.value(), 0, tolerance);
}

/// b computes twice, with 2 s to spare before the first Barrier and none before the second.
TEST(slack, is_typically_more_than_the_least) {
  Script a;
  Script b;
  a.computes(3).joins(Shape::all, 2, 0).computes(1).joins(Shape::all, 2, 1).computes(1);
  b.computes(1).joins(Shape::all, 2, 2).computes(2).joins(Shape::all, 2, 0).calls(0);
  const auto timeline = timeline_of(a, b);
  const auto slack = Dependencies(timeline).slack(std::vector{1.0, 1.0});
  EXPECT_NEAR(slack[1].least.value(), 0, tolerance);
  EXPECT_NEAR(slack[1].typical.value(), 2, tolerance);
  EXPECT_NEAR(slack[0].typical.value(), 1, tolerance);
}

TEST(protocol, is_seen_in_what_senders_and_receivers_wait_for) {
  Script a;
  Script b;
  // Twice the receiver is there first (0.25 on the way), twice it comes late.
  a.computes(1).sends(1, 0).computes(1).sends(1, 0).sends(1, 5, 900);
  b.receives(0, 1.25).computes(4).receives(0, 0.25).computes(1.5).receives(0, 0.5, 900);
  const auto timeline = timeline_of(a, b);
  const Protocol seen = Dependencies(timeline, {.synchronous_from = 65536}).protocol();
  EXPECT_TRUE(seen.start_seen);
  EXPECT_TRUE(seen.starts_at_receive);
  EXPECT_TRUE(seen.synchronous_from_seen);
  EXPECT_EQ(seen.synchronous_from, 900u);
}

TEST(protocol, is_assumed_where_nothing_shows_it) {
  Script a;
  a.computes(1);
  const auto timeline = timeline_of(a);
  const Protocol seen = Dependencies(timeline, at_receive).protocol();
  EXPECT_FALSE(seen.start_seen);
  EXPECT_TRUE(seen.starts_at_receive);
  EXPECT_EQ(seen.synchronous_from, 1000u);
}

/// The message is there when its receive is posted; the Wait comes 2 s later for other reasons.
TEST(protocol, is_not_told_by_a_wait_that_came_late) {
  Script a;
  Script b;
  a.computes(1).sends(1, 0).computes(1).sends(1, 0);
  b.receives(0, 1.25).computes(2).starts_receive(0).computes(2).waits_for(1, 0);
  const auto timeline = timeline_of(a, b);
  EXPECT_FALSE(Dependencies(timeline, eager).protocol().starts_at_receive);
}

} // namespace
} // namespace hypermile::model::dependency
