#include "model/interconnect.hpp"

#include <algorithm>
#include <utility>

namespace hypermile::model {

double factor_for(std::span<const SizeFactor> factors, double bytes) {
  double factor = 1;
  for (const SizeFactor& f : factors)
    if (bytes > static_cast<double>(f.above))
      factor = f.factor;
  return factor;
}

const Interconnect::Route* Interconnect::route(std::uint32_t from, std::uint32_t to) const {
  const auto ends = [](const Route& r) { return std::pair(r.from, r.to); };
  const auto found = std::ranges::lower_bound(routes, std::pair(from, to), {}, ends);
  return found == routes.end() || ends(*found) != std::pair(from, to) ? nullptr : &*found;
}

} // namespace hypermile::model
