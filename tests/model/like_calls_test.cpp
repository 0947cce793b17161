#include "model/like_calls.hpp"

#include <gtest/gtest.h>

namespace hypermile::model {
namespace {

TEST(like_calls, have_the_mean_computation_between_the_same_two_calls) {
  const std::vector<RecordedCall> recorded = {{1, Work{100}}, {2, Work{10}}, {1, Work{3}},
                                              {2, Work{21}},  {3, Work{7}},  {2, Work{50}}};
  const LikeCalls like(recorded);
  EXPECT_EQ(like.between(1, 2), Work{16}); // (10 + 21) / 2, a whole number
  EXPECT_EQ(like.between(2, 1), Work{3});
  EXPECT_EQ(like.between(3, 2), Work{50});
}

TEST(like_calls, have_the_mean_of_all_where_the_two_never_followed_each_other) {
  const std::vector<RecordedCall> recorded = {{1, Work{100}}, {2, Work{10}}, {1, Work{300}}};
  EXPECT_EQ(LikeCalls(recorded).between(1, 1), Work{200});
  EXPECT_EQ(LikeCalls(recorded).between(3, 2), Work{10});
}

TEST(like_calls, know_nothing_of_calls_that_there_were_not) {
  const std::vector<RecordedCall> recorded = {{1, Work{100}}};
  EXPECT_EQ(LikeCalls(recorded).between(1, 2), std::nullopt);
  EXPECT_EQ(LikeCalls({}).between(1, 2), std::nullopt);
}

} // namespace
} // namespace hypermile::model
