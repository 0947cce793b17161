#include "network/exchange_steps.hpp"

namespace hypermile::network {
namespace {

Step step_of(Step::Kind kind, std::uint32_t rank, Traffic::Slot slot) {
  return {.computation = 0, .cost = 0, .kind = kind, .rank = rank, .a = slot, .b = slot};
}

} // namespace

ExchangeSteps::ExchangeSteps(const Exchange& exchange, std::span<const std::uint32_t> nodes,
                             const Protocol& protocol, Traffic& traffic)
    : exchange_(&exchange), first_(traffic.add_slots(3 * exchange.messages.size())) {
  for (std::uint32_t m = 0; m < exchange.messages.size(); ++m) {
    const Exchange::Message& message = exchange.messages[m];
    traffic.add_message({nodes[message.from], nodes[message.to]}, message.bytes,
                        protocol.needs_both(message.bytes), slots(m));
  }
}

void ExchangeSteps::add_member(std::uint32_t member, std::uint32_t rank, EventIndex event,
                               const Protocol& protocol, Traffic& traffic) const {
  const auto add = [&](Step::Kind kind, Traffic::Slot slot) {
    traffic.add_step(step_of(kind, rank, slot), event);
  };
  for (const Exchange::Round& round : exchange_->rounds[member]) {
    for (const std::uint32_t m : round.receives)
      add(Step::Kind::store, slots(m).posted);
    for (const std::uint32_t m : round.sends)
      add(Step::Kind::store, slots(m).sent);
    for (const std::uint32_t m : round.receives)
      add(Step::Kind::wait, slots(m).arrived);
    for (const std::uint32_t m : round.sends)
      if (exchange_->messages[m].bytes >= protocol.synchronous_from)
        add(Step::Kind::wait, slots(m).arrived);
  }
}

} // namespace hypermile::network
