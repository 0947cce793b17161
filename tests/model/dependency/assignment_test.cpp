#include "model/dependency/assignment.hpp"

#include <gtest/gtest.h>

namespace hypermile::model::dependency {
namespace {

/// A rank that takes so many messages from each of some senders.
RankTimeline takes(const std::vector<std::size_t>& from, bool from_any,
                   Action action = Action::receive) {
  RankTimeline rank;
  for (std::uint32_t sender = 0; sender < from.size(); ++sender) {
    rank.operations.push_back({.action = action,
                               .partner = static_cast<std::int32_t>(sender) + 1,
                               .communicator = 1,
                               .from_any = from_any});
    for (std::size_t i = 0; i < from[sender]; ++i)
      rank.events.push_back({.operation = sender});
  }
  return rank;
}

TEST(assigns_work, a_master_whose_workers_differ) {
  EXPECT_TRUE(assigns_work(takes({100, 60, 30}, true)));
  EXPECT_TRUE(assigns_work(takes({100, 60, 30}, true, Action::probe)));
}

TEST(assigns_work, nobody_who_says_whom_to_hear) {
  EXPECT_FALSE(assigns_work(takes({100, 60, 30}, false)));
}

TEST(assigns_work, nobody_who_hears_all_equally_often) {
  EXPECT_FALSE(assigns_work(takes({100, 100, 100}, true)));
  EXPECT_FALSE(assigns_work(takes({100, 98, 95}, true)));
  EXPECT_FALSE(assigns_work(takes({3, 1, 1}, true))); // cut off in the middle of a round
  EXPECT_FALSE(assigns_work(takes({50}, true)));
  EXPECT_FALSE(assigns_work({}));
}

TEST(assigns_work, is_not_confused_by_messages_of_different_communicators) {
  RankTimeline rank = takes({100}, true);
  rank.operations.push_back(
      {.action = Action::receive, .partner = 5, .communicator = 2, .from_any = true});
  rank.events.push_back({.operation = 1});
  EXPECT_FALSE(assigns_work(rank));
}

} // namespace
} // namespace hypermile::model::dependency
