#include "support/random_timeline.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace hypermile::test {
namespace {

using model::Action;
using model::Event;
using model::Operation;
using model::Shape;

double message_cost(std::uint64_t bytes) {
  return static_cast<double>(16 + bytes / 512) / (1 << 18); // 69 us to 1 ms
}

double collective_cost(Shape shape) {
  return static_cast<double>(16 * static_cast<int>(shape)) / (1 << 18);
}

using Moment = std::optional<double>;

/// What both sides of a message, or the members of a collective operation, have reached.
struct Link {
  Moment sent;
  Moment posted;
  bool blocking = false;                 ///< one side at least
  Moment sender_completes;               ///< it has come to wait for the end
  Moment receiver_completes;             ///< likewise
  std::map<std::size_t, double> arrived; ///< by rank
};

class Simulation {
public:
  Simulation(const Program& program, const std::vector<double>& scales)
      : program_(program), scales_(scales) {
    for (std::size_t r = 0; r < program.timeline.ranks.size(); ++r)
      ranks_.push_back({.clock = program.timeline.ranks[r].begin.value()});
    for (std::size_t r = 0; r < ranks_.size(); ++r)
      ranks_[r].link_of.resize(program.timeline.ranks[r].events.size());
  }

  Run go() {
    Run result{.timeline = program_.timeline, .time = {}};
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t r = 0; r < ranks_.size(); ++r)
        while (call(r, result.timeline.ranks[r]))
          moved = true;
    }
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      auto& rank = result.timeline.ranks[r];
      rank.scale = scales_[r];
      rank.computation_after = rank.computation_after * scales_[r];
      result.time = std::max(result.time, Seconds{ranks_[r].clock} + rank.computation_after);
    }
    return result;
  }

private:
  struct Rank {
    double clock = 0;
    std::size_t event = 0; ///< the first of its next call
    bool entered = false;  ///< that call
    double at = 0;         ///< when
    std::map<std::pair<std::int32_t, bool>, std::size_t> counts{};
    std::size_t collectives = 0;
    std::vector<Link*> link_of{}; ///< by event
  };

  [[nodiscard]] const Operation& operation(std::size_t r, std::size_t e) const {
    const auto& rank = program_.timeline.ranks[r];
    return rank.operations[rank.events[e].operation];
  }

  /// Whether the rank could do its next call.
  bool call(std::size_t r, model::RankTimeline& timeline) {
    Rank& rank = ranks_[r];
    if (rank.event == timeline.events.size())
      return false;
    std::size_t end = rank.event;
    while (timeline.events[end].ends_call == 0)
      ++end;
    ++end;
    if (!rank.entered)
      enter(r, end, timeline);
    double left = rank.at;
    for (std::size_t e = rank.event; e < end; ++e)
      if (operation(r, e).action == Action::complete) {
        const Moment moment = done(r, e - timeline.events[e].started);
        if (!moment)
          return false;
        left = std::max(left, *moment);
      }
    left += program_.overhead;
    timeline.events[end - 1].duration = static_cast<float>(left - rank.at);
    rank.clock = left;
    rank.event = end;
    rank.entered = false;
    return true;
  }

  void enter(std::size_t r, std::size_t end, model::RankTimeline& timeline) {
    Rank& rank = ranks_[r];
    Event& first = timeline.events[rank.event];
    const double computation = static_cast<double>(first.computation) * scales_[r];
    rank.at = rank.clock + computation;
    first.computation = static_cast<float>(computation);
    rank.entered = true;
    const bool waits = std::any_of(
        timeline.events.begin() + static_cast<std::ptrdiff_t>(rank.event),
        timeline.events.begin() + static_cast<std::ptrdiff_t>(end), [&](const Event& event) {
          return program_.timeline.ranks[r].operations[event.operation].action == Action::complete;
        });
    for (std::size_t e = rank.event; e < end; ++e)
      if (operation(r, e).action != Action::complete)
        start(r, e, waits);
      else
        come(r, e - timeline.events[e].started);
  }

  /// The rank has come to complete what it started there.
  void come(std::size_t r, std::size_t started) {
    const Operation& o = operation(r, started);
    Link& link = *ranks_[r].link_of[started];
    if (o.action != Action::arrive)
      (o.action == Action::send ? link.sender_completes : link.receiver_completes) = ranks_[r].at;
  }

  /// `waits`: in the same call, for its end.
  void start(std::size_t r, std::size_t e, bool waits) {
    Rank& rank = ranks_[r];
    const Operation& o = operation(r, e);
    if (o.action == Action::arrive) {
      rank.link_of[e] = &collectives_[rank.collectives++];
      rank.link_of[e]->arrived[r] = rank.at;
      return;
    }
    const bool sends = o.action == Action::send;
    const auto self = static_cast<std::int32_t>(r);
    const std::size_t number = rank.counts[{o.partner, sends}]++;
    Link& link = messages_[{sends ? self : o.partner, sends ? o.partner : self, number}];
    (sends ? link.sent : link.posted) = rank.at;
    link.blocking = link.blocking || waits;
    rank.link_of[e] = &link;
  }

  /// When what this event started is over for its rank.
  [[nodiscard]] Moment done(std::size_t r, std::size_t started) const {
    const Operation& o = operation(r, started);
    const Link& link = *ranks_[r].link_of[started];
    if (o.action == Action::arrive)
      return leaves(r, o, link);
    if (program_.protocol.moves_in_calls && !link.blocking) {
      if (!link.sender_completes || !link.receiver_completes)
        return std::nullopt;
      return std::max(*link.sender_completes, *link.receiver_completes) +
             message_cost(o.bytes) / 8; // as in shared memory
    }
    const bool synchronous = o.bytes >= program_.protocol.synchronous_from;
    if (o.action == Action::send && !synchronous)
      return link.sent;
    if (!link.sent)
      return std::nullopt;
    if (!synchronous && !program_.protocol.starts_at_receive)
      return *link.sent + message_cost(o.bytes);
    if (!link.posted)
      return std::nullopt;
    return std::max(*link.sent, *link.posted) + message_cost(o.bytes);
  }

  [[nodiscard]] Moment leaves(std::size_t r, const Operation& o, const Link& link) const {
    const auto root = static_cast<std::size_t>(o.partner);
    if ((o.shape == Shape::from_root && r == root) || (o.shape == Shape::to_root && r != root))
      return link.arrived.at(r);
    if (o.shape == Shape::from_root)
      return is_handed(r, root, o, link);
    double last = link.arrived.at(r);
    for (std::size_t other = 0; other < ranks_.size(); ++other) {
      if (o.shape == Shape::scan && other > r)
        continue;
      const auto found = link.arrived.find(other);
      if (found == link.arrived.end())
        return std::nullopt;
      last = std::max(last, found->second);
    }
    return last + collective_cost(o.shape);
  }

  /// When the rank has got what the root gives, along a binomial tree.
  [[nodiscard]] Moment is_handed(std::size_t r, std::size_t root, const Operation& o,
                                 const Link& link) const {
    const std::size_t from_root = (r + ranks_.size() - root) % ranks_.size();
    const std::size_t parent = (root + (from_root & (from_root - 1))) % ranks_.size();
    if (!link.arrived.contains(parent))
      return std::nullopt;
    const Moment handed = leaves(parent, o, link);
    return handed ? Moment(std::max(link.arrived.at(r), *handed) + collective_cost(o.shape))
                  : std::nullopt;
  }

  const Program& program_;
  const std::vector<double>& scales_;
  std::vector<Rank> ranks_;
  std::map<std::tuple<std::int32_t, std::int32_t, std::size_t>, Link> messages_;
  std::map<std::size_t, Link> collectives_;
};

} // namespace

Run run(const Program& program, const std::vector<double>& scales) {
  return Simulation(program, scales).go();
}

} // namespace hypermile::test
