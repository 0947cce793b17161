#include "replay/recorded_run.hpp"

#include "replay/random_run.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::replay {
namespace {

void expect_same(const model::RankTimeline& a, const model::RankTimeline& b) {
  EXPECT_EQ(a.operations, b.operations);
  EXPECT_EQ(a.arguments, b.arguments);
  EXPECT_EQ(a.work, b.work);
  EXPECT_EQ(a.computation_after, b.computation_after);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t e = 0; e < a.events.size(); ++e) {
    EXPECT_EQ(a.events[e].operation, b.events[e].operation);
    EXPECT_EQ(std::uint32_t{a.events[e].started}, std::uint32_t{b.events[e].started});
    EXPECT_EQ(std::uint32_t{a.events[e].ends_call}, std::uint32_t{b.events[e].ends_call});
    EXPECT_EQ(a.events[e].computation, b.events[e].computation);
    EXPECT_EQ(a.events[e].duration, b.events[e].duration);
  }
}

TEST(recorded_run, is_the_same_when_it_is_written_and_read_again) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const RecordedRun run = test::random_run(seed);
    const RecordedRun again = parse_recorded_run(print_recorded_run(run), "file");
    EXPECT_EQ(again.program, run.program);
    EXPECT_EQ(again.platform, run.platform);
    EXPECT_EQ(again.nodes, run.nodes);
    EXPECT_EQ(again.speeds, run.speeds);
    EXPECT_EQ(again.timeline.functions, run.timeline.functions);
    ASSERT_EQ(again.timeline.ranks.size(), run.timeline.ranks.size());
    for (std::size_t r = 0; r < run.timeline.ranks.size(); ++r)
      expect_same(again.timeline.ranks[r], run.timeline.ranks[r]);
  }
}

TEST(recorded_run, is_refused_wherever_it_is_cut_off) {
  const std::string file = print_recorded_run(test::random_run(1));
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_THROW((void)parse_recorded_run(file.substr(0, size), "file"), Error) << size;
  EXPECT_THROW((void)parse_recorded_run(file + "x", "file"), Error);
}

TEST(recorded_run, is_refused_or_the_same_with_any_byte_changed) {
  const std::string file = print_recorded_run(test::random_run(2));
  std::mt19937 random(3);
  for (std::size_t place = 0; place < file.size(); ++place) {
    std::string damaged = file;
    damaged[place] =
        static_cast<char>(static_cast<unsigned char>(damaged[place]) ^ (1 + random() % 255));
    try {
      const RecordedRun read = parse_recorded_run(damaged, "a.hmr"); // some bits mean nothing
      EXPECT_EQ(print_recorded_run(read), file) << "byte " << place;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config);
      EXPECT_TRUE(std::string(error.what()).starts_with("a.hmr: ")) << error.what();
    }
  }
}

TEST(recorded_run, of_a_loop_takes_little_more_than_a_byte_per_event) {
  RecordedRun run = test::random_run(4);
  run.timeline.ranks.resize(1);
  run.nodes.resize(1);
  run.speeds.resize(1);
  model::RankTimeline& rank = run.timeline.ranks.front();
  rank.events.clear();
  rank.work.clear();
  std::mt19937 random(5);
  std::normal_distribution<double> noise(1e7, 1e6);
  for (int call = 0; call < 100'000; ++call) { // three in four compute nothing
    rank.work.emplace_back(call % 4 == 0 ? std::round(noise(random)) : 0.0);
    rank.events.push_back({.operation = call % 2 == 0 ? 0U : 1U});
    rank.events.back().ends_call = 1;
  }
  rank.work.emplace_back(0.0);
  EXPECT_LT(print_recorded_run(run).size(), 2 * rank.events.size());
}

} // namespace
} // namespace hypermile::replay
