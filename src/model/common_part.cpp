#include "model/common_part.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

namespace hypermile::model {
namespace {

/// How often a rank has done something since the program began.
class Counts {
public:
  explicit Counts(const RankTimeline& rank) {
    std::vector<std::uint64_t> of_operation = rank.before;
    of_operation.resize(rank.operations.size(), 0);
    for (const Event& event : rank.events)
      ++of_operation[event.operation];
    for (std::size_t o = 0; o < rank.operations.size(); ++o) {
      const Operation& operation = rank.operations[o];
      if (operation.action == Action::arrive)
        joined_[operation.communicator] += of_operation[o];
      else if (operation.action == Action::send || operation.action == Action::receive)
        messages_[key(operation)] += of_operation[o];
    }
  }

  [[nodiscard]] std::uint64_t joined(std::uint64_t communicator) const {
    const auto found = joined_.find(communicator);
    return found == joined_.end() ? 0 : found->second;
  }
  [[nodiscard]] std::uint64_t messages(const Operation& operation) const {
    const auto found = messages_.find(key(operation));
    return found == messages_.end() ? 0 : found->second;
  }

private:
  using Key = std::tuple<Action, std::uint64_t, std::int32_t, std::int32_t>;
  static Key key(const Operation& operation) {
    return {operation.action, operation.communicator, operation.partner, operation.tag};
  }

  std::map<std::uint64_t, std::uint64_t> joined_; ///< by communicator
  std::map<Key, std::uint64_t> messages_;
};

/// Of a rank's last call: whether all that it waited for is there.
bool is_whole(const std::vector<Counts>& counts, std::size_t rank, const RankTimeline& timeline,
              std::size_t first) {
  for (std::size_t e = first; e < timeline.events.size(); ++e) {
    const Event& event = timeline.events[e];
    Operation waited_for = timeline.operations[event.operation];
    if (waited_for.action == Action::complete)
      waited_for = timeline.operations[timeline.events[e - event.started].operation];
    if (waited_for.action == Action::arrive) {
      const std::uint64_t number = counts[rank].joined(waited_for.communicator);
      const auto members = std::ranges::count_if(
          counts, [&](const Counts& c) { return c.joined(waited_for.communicator) >= number; });
      if (static_cast<std::size_t>(members) < waited_for.members)
        return false;
    } else if (waited_for.action == Action::receive) {
      Operation sent = waited_for;
      sent.action = Action::send;
      sent.partner = static_cast<std::int32_t>(rank);
      if (waited_for.partner < 0 ||
          static_cast<std::size_t>(waited_for.partner) >= counts.size() ||
          counts[static_cast<std::size_t>(waited_for.partner)].messages(sent) <
              counts[rank].messages(waited_for))
        return false;
    } else if (waited_for.action != Action::send)
      return false;
  }
  return true;
}

} // namespace

std::vector<RankTimeline> common_part(const std::vector<const RankTimeline*>& ranks, Seconds from,
                                      Seconds to) {
  std::vector<RankTimeline> part;
  std::vector<std::size_t> ended; // so many events were over
  std::vector<Counts> counts;
  for (const RankTimeline* rank : ranks) {
    ended.push_back(cut(*rank, from, to).events.size());
    part.push_back(cut_after_call(*rank, from, to));
    counts.emplace_back(part.back());
  }
  // What one rank has not entered others cannot have left.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t r = 0; r < ranks.size(); ++r)
      if (part[r].events.size() > ended[r] && !is_whole(counts, r, part[r], ended[r])) {
        part[r] = cut(*ranks[r], from, to);
        counts[r] = Counts(part[r]);
        changed = true;
      }
  }
  return part;
}

} // namespace hypermile::model
