#include "govern/expected_waits.hpp"

#include <algorithm>
#include <span>

namespace hypermile::govern {
namespace {

/// The k-th call of a place, of any other one another number as good as always.
std::uint64_t number_of(CallSite place, std::uint64_t k) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
  const std::uint64_t mixed = (place ^ (k * golden)) * golden;
  return mixed ^ (mixed >> 32U);
}

} // namespace

std::optional<Seconds> ExpectedWaits::enter(const Entry& entry, Seconds now) {
  under_way_ = nullptr;
  if (entry.iteration == 0 || (places_.size() == most_calls && !places_.contains(entry.call)))
    return std::nullopt;
  Place& place = places_[entry.call];
  if (place.iteration != entry.iteration)
    place = {.iteration = entry.iteration};
  const std::uint64_t number = number_of(entry.call, ++place.calls);
  if (calls_.size() == most_calls && !calls_.contains(number))
    return std::nullopt;
  under_way_ = &calls_[number];
  entered_ = now;
  if (under_way_->times < needed)
    return std::nullopt;
  return std::ranges::min(std::span(under_way_->took).first(std::min(under_way_->times, memory)));
}

void ExpectedWaits::leave(Seconds now) {
  if (under_way_ == nullptr)
    return;
  under_way_->took[under_way_->times++ % memory] = now - entered_;
  under_way_ = nullptr;
}

} // namespace hypermile::govern
