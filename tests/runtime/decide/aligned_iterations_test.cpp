#include "runtime/decide/aligned_iterations.hpp"

#include "support/nodes.hpp"
#include "support/scripted_timeline.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace hypermile::runtime {
namespace {

using test::Script;

/// Bytes of the collective operations of an iteration, two events each. No rotation of a body is
/// the body itself, as one number is there once.
std::vector<std::uint64_t> random_body(std::mt19937& engine) {
  std::vector<std::uint64_t> body(2 + engine() % 12);
  for (std::uint64_t& bytes : body)
    bytes = std::uint64_t{1} << (engine() % 6);
  body[engine() % body.size()] = 1U << 20U;
  return body;
}

constexpr double call_s = 0.1;

/// A rank that tells `calls` calls of a loop, which began so many before its own first iteration.
Measurement telling(int rank, const std::vector<std::uint64_t>& body, std::size_t calls,
                    std::size_t first) {
  Script script;
  for (std::size_t c = 0; c < calls; ++c)
    script.computes(call_s).exchanges(0, 4, body[c % body.size()], call_s);
  Measurement m{.rank = rank, .node = test::node("node-" + std::to_string(rank))};
  m.timeline = script.done();
  for (std::size_t c = first; c <= calls; c += body.size())
    m.iterations.push_back(2 * c);
  return m;
}

/// Calls from the begin of the program's loop to the rank's first iteration, in the loop's body.
std::size_t phase(const Measurement& m, const std::vector<std::uint64_t>& body) {
  return m.iterations.front() / 2 % body.size();
}

TEST(aligned_iterations, of_ranks_that_do_the_same_begin_with_the_same_call) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 engine(seed);
    const auto body = random_body(engine);
    const std::size_t usual = engine() % body.size();
    std::vector<Measurement> all;
    for (int rank = 0; rank < 8; ++rank) {
      const bool as_most = rank % 2 == 0 || rank == 1;
      const std::size_t first = as_most ? usual : engine() % body.size();
      all.push_back(telling(rank, body, body.size() * 5 + engine() % body.size(), first));
    }
    align_iterations(all);
    for (const Measurement& m : all) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", rank " + std::to_string(m.rank));
      EXPECT_EQ(phase(m, body), usual);
      ASSERT_GE(m.iterations.size(), 4U); // no more than one whole iteration is lost
      for (std::size_t i = 1; i < m.iterations.size(); ++i)
        EXPECT_EQ(m.iterations[i] - m.iterations[i - 1], 2 * body.size());
      EXPECT_LE(m.iterations.back(), m.timeline->events.size());
    }
  }
}

TEST(aligned_iterations, are_those_before_where_all_begin_with_the_same_call) {
  std::mt19937 engine(1);
  const auto body = random_body(engine);
  std::vector<Measurement> all;
  for (int rank = 0; rank < 4; ++rank)
    all.push_back(telling(rank, body, body.size() * 4 + 1, 1));
  const auto before = all;
  align_iterations(all);
  for (std::size_t r = 0; r < all.size(); ++r)
    EXPECT_EQ(all[r].iterations, before[r].iterations);
}

TEST(aligned_iterations, have_the_length_of_most_where_one_began_a_call_late) {
  const std::vector<std::uint64_t> body{1, 2, 4, 1024};
  std::vector<Measurement> all;
  for (int rank = 0; rank < 4; ++rank)
    all.push_back(telling(rank, body, 24, 0));
  ++++all[2].iterations[3]; // by a call, which is two events
  align_iterations(all);
  EXPECT_EQ(all[2].iterations, all[0].iterations);
}

TEST(aligned_iterations, stay_where_ranks_do_something_else_or_have_told_nothing) {
  const std::vector<std::uint64_t> body{1, 2, 4, 1024};
  const std::vector<std::uint64_t> other{1, 1024, 2, 4};
  const std::vector<std::uint64_t> longer{1, 2, 4, 1024, 2};
  std::vector<Measurement> all{telling(0, body, 20, 0), telling(1, body, 20, 0),
                               telling(2, other, 20, 2), telling(3, longer, 20, 3),
                               telling(4, body, 20, 2), telling(5, body, 20, 2)};
  all[4].timeline.reset();
  all[5].iterations = {4}; // and no second one
  const auto before = all;
  align_iterations(all);
  for (std::size_t r = 0; r < all.size(); ++r)
    EXPECT_EQ(all[r].iterations, before[r].iterations) << "rank " << r;
}

TEST(aligned_iterations, are_nearest_in_time_to_those_of_most_where_several_look_the_same) {
  // The same twice, and then something else that only the finder of loops saw.
  const std::vector<std::uint64_t> body{1, 1024, 1, 1024};
  std::vector<Measurement> all{telling(0, body, 24, 0), telling(1, body, 24, 0),
                               telling(2, body, 24, 3)};
  align_iterations(all);
  EXPECT_EQ(all[2].iterations.front() % 8, 0U);
}

} // namespace
} // namespace hypermile::runtime
