// The timeline and the critical path of a page, against what the dependency model tells of the same
// timeline.

#include "report/loop_course.hpp"

#include "model/dependency/dependencies.hpp"
#include "report/critical_path.hpp"
#include "report/timeline_picture.hpp"
#include "support/random_timeline.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <numeric>

namespace hypermile::report {
namespace {

using model::dependency::Dependencies;
using nlohmann::json;

struct Example {
  runtime::RunReport run;
  runtime::LoopExample loop;
};

Example example_of(unsigned seed) {
  test::RandomTimeline random(seed);
  const auto program = random.make(random.integer(2, 6), 5);
  const std::size_t ranks = program.timeline.ranks.size(); // some patterns need one more
  Example example;
  example.run.protocol = program.protocol;
  example.loop.timeline = test::run(program, std::vector<double>(ranks, 1)).timeline;
  example.loop.iterations = 5;
  for (std::size_t r = 0; r < ranks; ++r)
    example.loop.scales.push_back(random.uniform(1, 2));
  return example;
}

double sum(const json& numbers) {
  return std::accumulate(
      numbers.begin(), numbers.end(), 0.0,
      [](double so_far, const json& number) { return so_far + number.get<double>(); });
}

/// Columns are whole percent each.
void expect_shares(const json& course, const char* key, std::size_t rank, Seconds expected) {
  const double seconds = sum(course.at(key).at(rank)) / 100 * course.at("end_s").get<double>() /
                         TimelinePicture::columns;
  EXPECT_NEAR(seconds, expected.value(), 0.005 * course.at("end_s").get<double>())
      << key << ' ' << rank << " of " << course.at("ranks");
}

TEST(loop_course, adds_up_to_what_the_dependency_model_tells) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Example example = example_of(seed);
    const Dependencies dependencies(example.loop.timeline, *example.run.protocol);
    const json loop = json::parse(loop_course(example.run, example.loop).dump());
    EXPECT_EQ(loop.at("recorded_in_gear0"), true);
    const std::size_t ranks = dependencies.ranks();
    for (const bool before : {true, false}) {
      const auto scales = before ? std::vector<double>(ranks, 1) : example.loop.scales;
      const json& course = loop.at(before ? "before" : "after");
      Dependencies::Workspace workspace;
      const double time = dependencies.time(scales, workspace).value();
      EXPECT_NEAR(course.at("end_s"), time, 1e-9);
      ASSERT_EQ(course.at("computing_percent").size(), ranks);
      const auto accounts = dependencies.accounts(scales);
      for (std::size_t r = 0; r < ranks; ++r)
        expect_shares(course, "computing_percent", r, accounts[r].computing);
      const json& path = course.at("path");
      EXPECT_NEAR(path.at("computing_s").get<double>() + path.at("inside_s").get<double>(),
                  path.at("time_s"), 1e-4 * time); // costs are kept as floats
      EXPECT_LE(path.at("time_s").get<double>(), time + 1e-9);
      double of_ranks = 0;
      for (const json& rank : path.at("ranks")) // there are fewer than are listed at the most
        of_ranks += rank.at("computing_s").get<double>() + rank.at("inside_s").get<double>();
      EXPECT_NEAR(of_ranks, path.at("time_s"), 1e-4 * time);
      double waits = 0;
      for (const json& wait : path.at("waits")) {
        waits += wait.at("times").get<double>();
        EXPECT_NE(wait.at("rank"), wait.at("waits_for"));
      }
      EXPECT_LE(waits, path.at("handovers").get<double>());
      ASSERT_EQ(path.at("rank_by_column").size(), TimelinePicture::columns);
      for (const json& rank : path.at("rank_by_column"))
        EXPECT_LT(rank.get<std::size_t>(), ranks);
    }
  }
}

/// Whoever waits waits inside of MPI: both together are no more than the time.
TEST(loop_course, never_has_ranks_computing_while_they_wait) {
  for (unsigned seed = 21; seed <= 30; ++seed) {
    const Example example = example_of(seed);
    const auto loop = loop_course(example.run, example.loop);
    const auto& course = loop.at("after");
    for (std::size_t r = 0; r < course.at("computing_percent").size(); ++r)
      for (std::size_t c = 0; c < TimelinePicture::columns; ++c)
        EXPECT_LE(course.at("computing_percent").at(r).at(c).get<int>() +
                      course.at("waiting_percent").at(r).at(c).get<int>(),
                  101); // both are rounded
  }
}

TEST(critical_path_picture, follows_the_path_from_column_to_column) {
  for (unsigned seed = 31; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const Example example = example_of(seed);
    const Dependencies dependencies(example.loop.timeline, *example.run.protocol);
    const auto path = dependencies.critical_path(example.loop.scales);
    const Seconds length = path.steps.back().end - path.begin;
    constexpr std::size_t columns = 5000;
    const auto picture =
        critical_path_picture(dependencies, example.loop.scales, path.begin, length, columns);
    std::size_t right = 0;
    std::size_t step = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      const Seconds middle = path.begin + length * ((static_cast<double>(c) + 0.5) / columns);
      while (path.steps[step].end < middle)
        ++step;
      right += picture.by_column[c] == path.steps[step].rank ? 1 : 0;
    }
    EXPECT_GE(right, columns * 97 / 100); // a column has several steps where ranks change
  }
}

} // namespace
} // namespace hypermile::report
