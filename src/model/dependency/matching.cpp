#include "model/dependency/matching.hpp"

#include <algorithm>
#include <unordered_map>

namespace hypermile::model::dependency {
namespace {

/// Messages on a channel do not overtake each other.
struct Channel {
  std::uint64_t communicator;
  std::int32_t from;
  std::int32_t to;
  std::int32_t tag;
  bool operator==(const Channel&) const = default;
};

struct ChannelHash {
  std::size_t operator()(const Channel& c) const {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15U;
    std::uint64_t hash = c.communicator;
    for (const std::int32_t part : {c.from, c.to, c.tag}) {
      hash = (hash ^ static_cast<std::uint32_t>(part)) * factor;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

/// One side of a channel: the first of the events is the side's message number `before`.
struct Side {
  std::uint64_t before = 0;
  std::vector<EventIndex> events;
};

struct Sides {
  Side sends;
  Side receives;
};

Channel channel_of(std::size_t rank, const Operation& operation) {
  const auto self = static_cast<std::int32_t>(rank);
  return operation.action == Action::send
             ? Channel{operation.communicator, self, operation.partner, operation.tag}
             : Channel{operation.communicator, operation.partner, self, operation.tag};
}

using Channels = std::unordered_map<Channel, Sides, ChannelHash>;

/// The how-many-th collective operation on a communicator.
struct Instance {
  std::uint64_t communicator;
  std::uint64_t number;
  bool operator==(const Instance&) const = default;
};

struct InstanceHash {
  std::size_t operator()(const Instance& i) const {
    return static_cast<std::size_t>((i.communicator ^ i.number) * 0x9e3779b97f4a7c15U);
  }
};

std::uint64_t count_before(const RankTimeline& rank, std::size_t operation) {
  return rank.before.empty() ? 0 : rank.before[operation];
}

/// Adds what the rank, whose first event is this one, sent and received.
void add_sides(std::size_t r, const RankTimeline& rank, EventIndex first, Channels& channels) {
  std::vector<Side*> side_of(rank.operations.size(), nullptr);
  for (std::size_t o = 0; o < rank.operations.size(); ++o) {
    const Operation& operation = rank.operations[o];
    if (operation.action != Action::send && operation.action != Action::receive)
      continue;
    Sides& sides = channels[channel_of(r, operation)];
    side_of[o] = operation.action == Action::send ? &sides.sends : &sides.receives;
    side_of[o]->before += count_before(rank, o);
  }
  for (std::size_t e = 0; e < rank.events.size(); ++e)
    if (Side* side = side_of[rank.events[e].operation])
      side->events.push_back(static_cast<EventIndex>(first + e));
}

/// By communicator: how many operations the rank had joined before its first event.
std::unordered_map<std::uint64_t, std::uint64_t> joined_before(const RankTimeline& rank) {
  std::unordered_map<std::uint64_t, std::uint64_t> joined;
  for (std::size_t o = 0; o < rank.operations.size(); ++o)
    if (rank.operations[o].action == Action::arrive)
      joined[rank.operations[o].communicator] += count_before(rank, o);
  return joined;
}

} // namespace

Matching::Matching(const Timeline& timeline) : timeline_(timeline) {
  for (std::size_t r = 0; r < timeline.ranks.size(); ++r) {
    first_.push_back(static_cast<EventIndex>(rank_of_.size()));
    rank_of_.insert(rank_of_.end(), timeline.ranks[r].events.size(), static_cast<std::uint32_t>(r));
  }
  links_.assign(rank_of_.size(), nothing);
  find_completions();
  match_messages();
  match_probes();
  match_collectives();
}

void Matching::find_completions() {
  completions_.assign(rank_of_.size(), nothing);
  for (EventIndex e = 0; e < completions_.size(); ++e)
    if (operation(e).action == Action::complete)
      completions_[start(e)] = e;
}

void Matching::match_messages() {
  Channels channels;
  for (std::size_t r = 0; r < timeline_.ranks.size(); ++r)
    add_sides(r, timeline_.ranks[r], first_[r], channels);
  for (const auto& [channel, sides] : channels) {
    const auto& [sends, receives] = sides;
    const std::uint64_t begin = std::max(sends.before, receives.before);
    const std::uint64_t end =
        std::min(sends.before + sends.events.size(), receives.before + receives.events.size());
    for (std::uint64_t number = begin; number < end; ++number) {
      const Message message{sends.events[number - sends.before],
                            receives.events[number - receives.before]};
      links_[message.send] = links_[message.receive] = static_cast<LinkIndex>(messages_.size());
      messages_.push_back(message);
    }
  }
}

/// A probe sees the message that the rank's next receive on the same channel gets.
void Matching::match_probes() {
  for (std::size_t r = 0; r < timeline_.ranks.size(); ++r) {
    const RankTimeline& rank = timeline_.ranks[r];
    std::unordered_map<Channel, LinkIndex, ChannelHash> next;
    for (std::size_t e = rank.events.size(); e-- > 0;) {
      const Operation& operation = rank.operations[rank.events[e].operation];
      const auto index = static_cast<EventIndex>(first_[r] + e);
      if (operation.action == Action::receive)
        next[channel_of(r, operation)] = links_[index];
      if (operation.action != Action::probe)
        continue;
      const auto found = next.find(channel_of(r, operation));
      links_[index] = found == next.end() ? nothing : found->second;
    }
  }
}

void Matching::match_collectives() {
  std::unordered_map<Instance, LinkIndex, InstanceHash> instances;
  for (std::size_t r = 0; r < timeline_.ranks.size(); ++r) {
    const RankTimeline& rank = timeline_.ranks[r];
    auto joined = joined_before(rank);
    for (std::size_t e = 0; e < rank.events.size(); ++e) {
      const Operation& operation = rank.operations[rank.events[e].operation];
      if (operation.action != Action::arrive)
        continue;
      const Instance instance{operation.communicator, joined[operation.communicator]++};
      const auto [found, is_new] =
          instances.try_emplace(instance, static_cast<LinkIndex>(collectives_.size()));
      if (is_new)
        collectives_.emplace_back();
      join(static_cast<EventIndex>(first_[r] + e), found->second);
    }
  }
  unlink_incomplete();
}

void Matching::join(EventIndex arrival, LinkIndex index) {
  Collective& collective = collectives_[index];
  collective.arrivals.push_back(arrival);
  if (operation(arrival).partner == static_cast<std::int32_t>(rank(arrival)))
    collective.root = arrival;
  links_[arrival] = index;
}

/// Operations that some of the members joined outside of the timeline.
void Matching::unlink_incomplete() {
  for (const Collective& collective : collectives_)
    if (collective.arrivals.size() != operation(collective.arrivals.front()).members)
      for (const EventIndex arrival : collective.arrivals)
        links_[arrival] = nothing;
}

} // namespace hypermile::model::dependency
