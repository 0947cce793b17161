#include "model/dependency/timing.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hypermile::model::dependency {
namespace {

const std::vector<std::string> functions{"Irecv", "Testsome", "Waitall", "Allreduce", "Iprobe"};
enum Function : std::uint16_t { irecv, testsome, waitall, allreduce, iprobe };

/// Writes the events of a rank down as they come.
struct Rank {
  RankTimeline timeline;
  std::vector<std::uint64_t> iterations;

  std::size_t add(Action action, std::uint16_t function, std::size_t started = 0) {
    timeline.operations.push_back({.action = action, .function = function});
    timeline.events.push_back(
        {.operation = static_cast<std::uint32_t>(timeline.operations.size() - 1),
         .started = static_cast<std::uint32_t>(started) & 0x7fffffffU,
         .ends_call = 1});
    return timeline.events.size() - 1;
  }
  std::size_t receive() { return add(Action::receive, irecv); }
  void complete(std::size_t receive, std::uint16_t by) {
    add(Action::complete, by, timeline.events.size() - receive);
  }
  void look_in_vain(std::uint16_t by = testsome) { add(Action::other, by); }
  void begin_iteration() {
    iterations.push_back(timeline.events.size());
    add(Action::arrive, allreduce);
  }
  [[nodiscard]] bool depends() const {
    return depends_on_timing(timeline, iterations, tests_among(functions));
  }
};

TEST(depends_on_timing, who_goes_on_without_a_message_and_takes_it_later) {
  for (int iterations = 1; iterations < 5; ++iterations) {
    Rank rank;
    rank.begin_iteration();
    const std::size_t message = rank.receive();
    rank.look_in_vain();
    for (int i = 0; i < iterations; ++i)
      rank.begin_iteration();
    rank.complete(message, testsome);
    EXPECT_TRUE(rank.depends()) << iterations;
  }
}

TEST(depends_on_timing, nobody_who_looks_until_the_message_is_there) {
  Rank rank;
  for (int i = 0; i < 4; ++i) {
    rank.begin_iteration();
    const std::size_t message = rank.receive();
    rank.look_in_vain();
    rank.look_in_vain();
    rank.complete(message, testsome);
  }
  EXPECT_FALSE(rank.depends());
}

TEST(depends_on_timing, nobody_who_waits_in_the_end) {
  Rank rank;
  rank.begin_iteration();
  for (int i = 0; i < 4; ++i) {
    const std::size_t message = rank.receive();
    rank.look_in_vain();
    rank.begin_iteration();
    rank.complete(message, waitall);
  }
  EXPECT_FALSE(rank.depends());
}

TEST(depends_on_timing, nobody_whose_message_was_there_at_the_first_look) {
  Rank rank;
  rank.begin_iteration();
  for (int i = 0; i < 4; ++i) {
    rank.look_in_vain(); // of another request
    const std::size_t message = rank.receive();
    rank.begin_iteration();
    rank.complete(message, testsome);
  }
  EXPECT_FALSE(rank.depends());
}

TEST(depends_on_timing, nobody_who_looks_for_other_messages) {
  Rank rank;
  rank.begin_iteration();
  const std::size_t message = rank.receive();
  rank.look_in_vain(iprobe);
  rank.begin_iteration();
  rank.complete(message, testsome);
  EXPECT_FALSE(rank.depends());
}

/// What a part of a timeline does not show does not count: its numbers go on all the same.
TEST(depends_on_timing, counts_iterations_from_the_begin_of_the_run) {
  Rank rank;
  rank.begin_iteration();
  const std::size_t message = rank.receive();
  rank.look_in_vain();
  rank.begin_iteration();
  rank.complete(message, testsome);
  rank.timeline.before = {100, 0, 0, 0, 0};
  EXPECT_FALSE(rank.depends()) << "all of its iterations lie before the first event";
  for (auto& iteration : rank.iterations)
    iteration += 100;
  EXPECT_TRUE(rank.depends());
}

TEST(depends_on_timing, nobody_of_whom_nothing_is_known) {
  EXPECT_FALSE(depends_on_timing({}, {}, {}));
  EXPECT_FALSE(Rank{}.depends());
}

} // namespace
} // namespace hypermile::model::dependency
