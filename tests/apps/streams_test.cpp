#include "common/streams.hpp"
#include "mixed/turns.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace apps::mixed {
namespace {

TEST(streams, come_to_what_an_element_by_itself_comes_to) {
  Streams streams(3, 100);
  for (int sweeps = 1; sweeps <= 20; ++sweeps) {
    streams.sweep();
    EXPECT_LE(streams.error(sweeps), 1e-13);
    EXPECT_GT(streams.error(sweeps + 1), 1e-9); // which is something else
  }
  streams.restart();
  EXPECT_EQ(streams.error(0), 0);
}

TEST(streams, in_parts_are_the_whole) {
  constexpr std::size_t length = 1001;
  Streams whole(0, length);
  Streams front(0, 400);
  Streams back(400, length - 400);
  ExpectedSum expected(length);
  for (int sweep = 0; sweep < 10; ++sweep) {
    for (Streams* part : {&whole, &front, &back})
      part->sweep();
    EXPECT_NEAR(whole.sum(), front.sum() + back.sum(), 1e-10);
    EXPECT_LE(expected.error(whole.sum()), expected.bound());
  }
}

/// From the recurrence: what is left of the first difference shrinks by weight - 1 in each sweep.
TEST(streams, approach_a_limit) {
  const double w = Streams::weight;
  const double b = element_after(0, 2);
  const double a = b - 7.0 / 64; // the array before it
  const double limit = a + (b - a) / (2 - w);
  EXPECT_NEAR(element_after(200, 2), limit, 1e-12);
}

TEST(turns, come_to_where_sine_and_cosine_say) {
  Turns turns(10, 37);
  const double squares = turns.squares();
  double steps = 0;
  for (const int more : {1, 10, 1000}) {
    turns.turn(more);
    steps += more;
    EXPECT_LE(turns.error(steps), rounding_bound(steps));
    EXPECT_GT(turns.error(steps + 1), 1e-7);
  }
  EXPECT_NEAR(turns.squares(), squares, 1e-9);
}

} // namespace
} // namespace apps::mixed
