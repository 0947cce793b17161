#include "runtime/apply/program.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime {
namespace {

std::vector<RankSetup> two_ranks(bool idle, bool wait) {
  return {{.computation = 1, .idles = idle, .waits_for_first = wait},
          {.node = 1, .computation = 2, .idles = idle, .waits_for_first = wait}};
}

/// Nobody else runs meanwhile, so that the order never comes: the wait ends by itself, and is not
/// repeated.
TEST(the_first_choice, is_waited_for_once_and_for_a_limited_time) {
  Program brief(two_ranks(true, false), select::Request{});
  Program sync(two_ranks(true, true), select::Request{});
  for (Program* program : {&brief, &sync})
    program->iterate(100);
  const Seconds iteration{2.25};
  EXPECT_LT(brief.ranks[1]->idled, iteration * 0.5);
  EXPECT_GT(sync.ranks[1]->idled, iteration * 19);
  EXPECT_LT(sync.ranks[1]->idled, iteration * 22);
  EXPECT_EQ(sync.gears(), brief.gears());
  sync.finish();
  brief.finish();
}

TEST(the_first_choice, is_not_waited_for_by_a_rank_that_cannot_idle) {
  Program program(two_ranks(false, true), select::Request{});
  program.iterate(100);
  EXPECT_EQ(program.gears(), (std::vector<std::size_t>{1, 0}));
  program.finish();
}

} // namespace
} // namespace hypermile::runtime
