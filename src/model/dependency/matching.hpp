#pragma once

#include "model/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace hypermile::model::dependency {

/// An event of any rank: the rank's first event comes right after the last one of the rank before.
using EventIndex = std::uint32_t;
/// A message or a collective operation.
using LinkIndex = std::uint32_t;
inline constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

struct Message {
  EventIndex send = nothing;
  EventIndex receive = nothing;
};

struct Collective {
  std::vector<EventIndex> arrivals; ///< by rank
  EventIndex root = nothing;        ///< its arrival, where the operation has a root
};

/// Which events of different ranks belong together. Messages are matched in the order in which
/// they were sent and their receives posted per communicator, partners and tag; collective
/// operations in their order on the communicator.
class Matching {
public:
  /// Keeps a reference to the timeline. What has no counterpart there (the begin or the end of a
  /// part of a program) stays without a link.
  explicit Matching(const Timeline& timeline);

  [[nodiscard]] const Timeline& timeline() const { return timeline_; }
  [[nodiscard]] std::size_t event_count() const { return rank_of_.size(); }
  [[nodiscard]] std::uint32_t rank(EventIndex event) const { return rank_of_[event]; }
  [[nodiscard]] EventIndex first_event(std::size_t rank) const { return first_[rank]; }
  [[nodiscard]] const Event& event(EventIndex index) const {
    const std::uint32_t rank = rank_of_[index];
    return timeline_.ranks[rank].events[index - first_[rank]];
  }
  [[nodiscard]] const Operation& operation(EventIndex index) const {
    return timeline_.ranks[rank_of_[index]].operations[event(index).operation];
  }

  /// The send, receive or arrive that this completes; and the complete of such a start, `nothing`
  /// where it is cut off.
  [[nodiscard]] EventIndex start(EventIndex complete) const {
    return complete - event(complete).started;
  }
  [[nodiscard]] EventIndex completion(EventIndex start) const { return completions_[start]; }

  [[nodiscard]] std::span<const Message> messages() const { return messages_; }
  [[nodiscard]] std::span<const Collective> collectives() const { return collectives_; }
  /// send, receive, probe: into messages(); arrive: into collectives(); or `nothing`.
  [[nodiscard]] LinkIndex link(EventIndex event) const { return links_[event]; }
  /// The same of a send or receive; of anything else `nothing`.
  [[nodiscard]] LinkIndex message(EventIndex start) const {
    const Action action = operation(start).action;
    return action == Action::send || action == Action::receive ? link(start) : nothing;
  }

private:
  void find_completions();
  void match_messages();
  void match_probes();
  void match_collectives();
  void join(EventIndex arrival, LinkIndex collective);
  void unlink_incomplete();

  const Timeline& timeline_;
  std::vector<EventIndex> first_;
  std::vector<std::uint32_t> rank_of_;
  std::vector<EventIndex> completions_;
  std::vector<LinkIndex> links_;
  std::vector<Message> messages_;
  std::vector<Collective> collectives_;
};

} // namespace hypermile::model::dependency
