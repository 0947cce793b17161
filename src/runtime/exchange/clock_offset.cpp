#include "runtime/exchange/clock_offset.hpp"

#include <cmath>

namespace hypermile::runtime {
namespace {

bool makes_sense(const RoundTrip& trip) {
  return std::isfinite(trip.asked.value()) && std::isfinite(trip.other.value()) &&
         std::isfinite(trip.answered.value()) && trip.answered >= trip.asked;
}

} // namespace

std::optional<ClockOffset> estimate_offset(std::span<const RoundTrip> trips) {
  const RoundTrip* shortest = nullptr;
  for (const RoundTrip& trip : trips)
    if (makes_sense(trip) &&
        (shortest == nullptr || trip.answered - trip.asked < shortest->answered - shortest->asked))
      shortest = &trip;
  if (shortest == nullptr)
    return std::nullopt;
  const Seconds half = (shortest->answered - shortest->asked) / 2;
  return ClockOffset{.offset = shortest->other - (shortest->asked + half), .error = half};
}

ClockOffset compose(const ClockOffset& to_next, const ClockOffset& beyond) {
  return {.offset = to_next.offset + beyond.offset, .error = to_next.error + beyond.error};
}

Seconds on_other_clock(const ClockOffset& offset, Seconds own) { return own + offset.offset; }

} // namespace hypermile::runtime
