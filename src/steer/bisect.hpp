#pragma once

#include "steer/search.hpp"

#include <vector>

namespace hypermile::steer {

/// Race to wide: of all configurations only those in the lowest gear, then those with all cores,
/// count; from one core in the lowest gear to all cores in the highest both throughput and power
/// rise. Bisects for the first that keeps a bound on throughput, or the last that keeps one on
/// power. What it settles in has been visited.
class BisectSearch final : public Search {
public:
  BisectSearch(const Space& space, const Goal& goal);

  Step next() override;
  void aim(const Goal& goal) override;

private:
  /// Whether the answer is at or before this one (throughput), or at or after it (power).
  [[nodiscard]] bool keeps(const Visit& visit) const;
  [[nodiscard]] std::size_t middle() const;

  std::vector<std::size_t> path_; ///< configurations, from the slowest to the fastest
  std::size_t corner_ = 0;        ///< all cores, lowest gear: place in `path_`
};

} // namespace hypermile::steer
