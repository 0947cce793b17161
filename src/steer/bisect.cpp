#include "steer/bisect.hpp"

#include <algorithm>

namespace hypermile::steer {

BisectSearch::BisectSearch(const Space& space, const Goal& goal) : Search(space, goal) {
  const Configuration corner = space[wide_and_slow(space)];
  for (std::size_t index = 0; index < space.size(); ++index) {
    const Configuration& one = space[index];
    if (one.placement == corner.placement && (one.gear == corner.gear || one.cores == corner.cores))
      path_.push_back(index);
  }
  std::ranges::sort(path_, [&](std::size_t a, std::size_t b) {
    return space[a].cores != space[b].cores ? space[a].cores < space[b].cores
                                            : space[a].gear > space[b].gear;
  });
  corner_ =
      static_cast<std::size_t>(std::ranges::find(path_, wide_and_slow(space)) - path_.begin());
}

void BisectSearch::aim(const Goal& goal) {
  goal_ = goal;
  visits_.clear();
}

bool BisectSearch::keeps(const Visit& visit) const {
  return excess(goal_, {visit.mean.capacity, visit.mean.power}) <= 0;
}

/// What is left to search is between the last that is known to be too slow (or cheap enough) and
/// the first that is known to be fast enough (or too expensive); its middle, or path_.size().
std::size_t BisectSearch::middle() const {
  if (visits_.empty())
    return corner_;
  const bool first_that_keeps = goal_.least_throughput.has_value();
  std::size_t begin = 0;
  std::size_t end = path_.size();
  for (const Visit& visit : visits_.all()) {
    const auto place =
        static_cast<std::size_t>(std::ranges::find(path_, visit.configuration) - path_.begin());
    if (keeps(visit) == first_that_keeps)
      end = std::min(end, place);
    else
      begin = std::max(begin, place + 1);
  }
  return begin < end ? (begin + end) / 2 : path_.size();
}

Step BisectSearch::next() {
  const std::size_t place = middle();
  if (place < path_.size())
    return {Step::What::visit, path_[place], true, "halves what is left"};
  const Pick best = best_visited(visits_, goal_);
  return {Step::What::settle, best.configuration, best.keeps_bounds, "nothing is left to halve"};
}

} // namespace hypermile::steer
