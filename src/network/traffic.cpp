#include "network/traffic.hpp"

namespace hypermile::network {

Traffic::Traffic(const Interconnect& network, std::vector<double> begins)
    : network_(&network), routes_(network), begins_(std::move(begins)), steps_(begins_.size()),
      events_(begins_.size()) {}

Traffic::Slot Traffic::add_slots(std::size_t count) {
  const auto first = static_cast<Slot>(stores_.size());
  stores_.resize(stores_.size() + count, 0);
  message_of_.resize(stores_.size(), nothing);
  return first;
}

std::uint32_t Traffic::path(Ends ends) {
  const std::pair key(ends.from, ends.to);
  auto found = paths_.find(key);
  if (found == paths_.end())
    found = paths_.emplace(key, routes_.add(*network_, ends.from, ends.to)).first;
  return found->second;
}

void Traffic::add_message(Ends ends, std::uint64_t bytes, bool needs_both, const Slots& slots) {
  const std::uint32_t route = path(ends);
  const double all = static_cast<double>(bytes) + network_->envelope.value();
  stores_[slots.arrived] = 1;
  for (const Slot slot : {slots.sent, slots.posted, slots.arrived})
    message_of_[slot] = static_cast<LinkIndex>(messages_.size());
  messages_.push_back(
      {.size = all / factor_for(network_->bandwidth_factors, all),
       .latency = routes_.path(route).latency * factor_for(network_->latency_factors, all),
       .path = route,
       .needs_both = needs_both,
       .slots = slots});
}

void Traffic::add_step(const Step& step, EventIndex event) {
  if (step.kind == Step::Kind::store || step.kind == Step::Kind::store_max)
    ++stores_[step.a];
  steps_[step.rank].push_back(step);
  events_[step.rank].push_back(event);
}

} // namespace hypermile::network
