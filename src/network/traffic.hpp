#pragma once

#include "model/dependency/matching.hpp"
#include "model/dependency/step.hpp"
#include "network/fair_shares.hpp"

#include <map>
#include <utility>
#include <vector>

namespace hypermile::network {

// The vocabulary of timelines and their dependencies.
using namespace model;
using namespace model::dependency;

/// What ranks do, step by step, and the messages that start and are waited for in these steps. A
/// TrafficPass tells when.
class Traffic {
public:
  using Slot = std::uint32_t; ///< holds a moment

  /// When a message was sent, when its receive was posted, and when it has arrived.
  struct Slots {
    Slot sent = 0;
    Slot posted = 0;
    Slot arrived = 0;
  };
  struct Ends { ///< nodes
    std::uint32_t from;
    std::uint32_t to;
  };

  /// `begins`: by rank, s. The network must stay until all messages are there.
  Traffic(const Interconnect& network, std::vector<double> begins);

  /// So many new slots; returns the first.
  Slot add_slots(std::size_t count);
  /// Travels when the slots of its sides, which belong to no other message, have got their moments:
  /// `needs_both`, or the sender's alone. Throws Error{model} where no route is known.
  void add_message(Ends ends, std::uint64_t bytes, bool needs_both, const Slots& slots);
  /// The next step of its rank. `event`: of the rank; where scales may change.
  void add_step(const Step& step, EventIndex event);

  [[nodiscard]] std::size_t message_count() const { return messages_.size(); }

private:
  friend class TrafficPass;
  struct Message {
    double size = 0;    ///< B, as if the rate were that of the links
    double latency = 0; ///< s
    std::uint32_t path = 0;
    bool needs_both = false;
    Slots slots;
  };
  [[nodiscard]] std::uint32_t path(Ends ends);

  const Interconnect* network_;
  RouteTable routes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> paths_;
  std::vector<double> begins_;
  std::vector<Message> messages_;
  std::vector<std::vector<Step>> steps_;        ///< by rank
  std::vector<std::vector<EventIndex>> events_; ///< by rank, by step
  std::vector<std::uint32_t> stores_;           ///< by slot: how many moments it gets
  std::vector<LinkIndex> message_of_;           ///< by slot: whose begin or arrival it is; nothing
};

} // namespace hypermile::network
