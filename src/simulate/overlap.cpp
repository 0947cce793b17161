#include "simulate/overlap.hpp"

#include <algorithm>

namespace hypermile::simulate {

void Overlap::add(std::size_t link, Seconds begin, Seconds end) {
  carried_[link].push_back({begin.value(), end.value()});
}

/// What all take one after the other, less the time in which there is any.
double Overlap::overlap_of(std::vector<Interval> carried) {
  std::ranges::sort(carried, {}, &Interval::begin);
  double overlap = 0;
  double busy_until = 0;
  for (const auto& [begin, end] : carried) {
    overlap += std::max(0.0, std::min(end, busy_until) - begin);
    busy_until = std::max(busy_until, end);
  }
  return overlap;
}

Seconds Overlap::largest() const {
  double largest = 0;
  for (const auto& carried : carried_)
    largest = std::max(largest, overlap_of(carried));
  return Seconds{largest};
}

} // namespace hypermile::simulate
