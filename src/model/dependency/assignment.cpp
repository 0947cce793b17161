#include "model/dependency/assignment.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace hypermile::model::dependency {
namespace {

/// A timeline may begin and end in the middle of a round.
constexpr std::size_t one_round = 2;
/// Rounds in which everybody sends the same make no larger difference.
constexpr double equal = 0.1;

using Counts = std::map<std::int32_t, std::size_t>; // by sender

bool differ(const Counts& counts) {
  std::size_t least = counts.begin()->second;
  std::size_t most = least;
  for (const auto& [sender, count] : counts) {
    least = std::min(least, count);
    most = std::max(most, count);
  }
  return static_cast<double>(most - least) >
         std::max(static_cast<double>(one_round), equal * static_cast<double>(most));
}

/// What came from any source, by communicator.
std::map<std::pair<std::uint64_t, Action>, Counts> from_any(const RankTimeline& rank) {
  std::map<std::pair<std::uint64_t, Action>, Counts> communicators;
  for (const Event& event : rank.events) {
    const Operation& operation = rank.operations[event.operation];
    if (operation.from_any)
      ++communicators[{operation.communicator, operation.action}][operation.partner];
  }
  return communicators;
}

} // namespace

bool assigns_work(const RankTimeline& rank) {
  return std::ranges::any_of(from_any(rank),
                             [](const auto& entry) { return differ(entry.second); });
}

bool may_assign_work(const RankTimeline& rank) {
  constexpr std::size_t few = 4 * one_round;
  return std::ranges::any_of(from_any(rank), [](const auto& entry) {
    const Counts& counts = entry.second;
    return counts.size() > 1 &&
           std::ranges::all_of(counts, [](const auto& sender) { return sender.second < few; });
  });
}

} // namespace hypermile::model::dependency
