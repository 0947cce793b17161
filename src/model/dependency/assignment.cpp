#include "model/dependency/assignment.hpp"

#include <algorithm>

namespace hypermile::model::dependency {
namespace {

/// A timeline may begin and end in the middle of a round.
constexpr std::size_t one_round = 2;
/// Rounds in which everybody sends the same make no larger difference.
constexpr double equal = 0.1;

} // namespace

std::map<FromAny, CountBySender> taken_from_any(const RankTimeline& rank) {
  std::map<FromAny, CountBySender> messages;
  for (const Event& event : rank.events) {
    const Operation& operation = rank.operations[event.operation];
    if (operation.from_any)
      ++messages[{operation.communicator, operation.action}][operation.partner];
  }
  return messages;
}

std::size_t most(const CountBySender& messages) {
  std::size_t most = 0;
  for (const auto& [sender, count] : messages)
    most = std::max(most, count);
  return most;
}

bool assign_work(const CountBySender& messages) {
  const std::size_t largest = most(messages);
  std::size_t least = largest;
  for (const auto& [sender, count] : messages)
    least = std::min(least, count);
  return static_cast<double>(largest - least) >
         std::max(static_cast<double>(one_round), equal * static_cast<double>(largest));
}

bool assigns_work(const RankTimeline& rank) {
  return std::ranges::any_of(taken_from_any(rank),
                             [](const auto& entry) { return assign_work(entry.second); });
}

} // namespace hypermile::model::dependency
