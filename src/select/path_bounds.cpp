#include "select/path_bounds.hpp"

#include <algorithm>

namespace hypermile::select {

void PathBounds::add(Seconds constant, std::span<const Seconds> slopes) {
  constants_.push_back(constant);
  slopes_.insert(slopes_.end(), slopes.begin(), slopes.end());
}

Seconds PathBounds::at(std::size_t path, std::span<const double> scales) const {
  Seconds time = constants_[path];
  const auto slope = slopes(path);
  for (std::size_t n = 0; n < nodes_; ++n)
    time += slope[n] * scales[n];
  return time;
}

Seconds PathBounds::at(std::span<const double> scales) const {
  Seconds latest;
  for (std::size_t path = 0; path < size(); ++path)
    latest = std::max(latest, at(path, scales));
  return latest;
}

} // namespace hypermile::select
