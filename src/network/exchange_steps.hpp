#pragma once

#include "model/dependency/protocol.hpp"
#include "network/algorithms.hpp"
#include "network/traffic.hpp"

#include <span>

namespace hypermile::network {

// The vocabulary of timelines and their dependencies.
using namespace model;
using namespace model::dependency;

/// One exchange in a traffic.
class ExchangeSteps {
public:
  /// Adds the messages. `nodes`: by member. Throws Error{model} where no route is known.
  ExchangeSteps(const Exchange& exchange, std::span<const std::uint32_t> nodes,
                const Protocol& protocol, Traffic& traffic);

  /// Adds what the member does, as the next steps of the rank, all belonging to the event.
  void add_member(std::uint32_t member, std::uint32_t rank, EventIndex event,
                  const Protocol& protocol, Traffic& traffic) const;

private:
  [[nodiscard]] Traffic::Slots slots(std::uint32_t message) const {
    return {.sent = first_ + 3 * message,
            .posted = first_ + 3 * message + 1,
            .arrived = first_ + 3 * message + 2};
  }

  const Exchange* exchange_;
  Traffic::Slot first_;
};

} // namespace hypermile::network
