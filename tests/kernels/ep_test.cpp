#include "kernels/ep.hpp"

#include <gtest/gtest.h>

namespace {

using hypermile::kernels::ep_batch;
using hypermile::kernels::EpTally;

TEST(EpKernel, sums_of_class_s_are_the_published_ones) {
  EpTally tally;
  for (std::uint64_t batch = 0; batch < 256; ++batch) // 2^24 pairs
    tally += ep_batch(batch);
  EXPECT_NEAR(tally.sum_x, -3.247834652034740e3, 1e-8 * 3.25e3);
  EXPECT_NEAR(tally.sum_y, -6.958407078382297e3, 1e-8 * 6.96e3);
  EXPECT_EQ(tally.accepted(), 13176389);
}

TEST(EpKernel, a_batch_is_the_same_whatever_was_drawn_before) {
  const EpTally first = ep_batch(7);
  ep_batch(3);
  const EpTally again = ep_batch(7);
  EXPECT_EQ(first.sum_x, again.sum_x);
  EXPECT_EQ(first.annuli, again.annuli);
}

} // namespace
