#pragma once

#include "steer/search.hpp"

#include <optional>
#include <vector>

namespace hypermile::steer {

/// The heuristic of Li and Martinez (HPCA 2006) as [N16] compares with it: the least power under a
/// bound on throughput, by a binary search over the number of cores and hill climbing over the
/// gears of each. The gear to begin with is that which would do were throughput proportional to
/// frequency. Begins with all cores; halves them while that saves power, then halves its step and
/// turns round.
class LiMartinezSearch final : public Search {
public:
  LiMartinezSearch(const Space& space, const Goal& goal);

  Step next() override;
  void aim(const Goal& goal) override;

private:
  /// What hill climbing over the gears of some cores has come to.
  struct Gears {
    std::optional<std::size_t> to_visit; ///< none: it is finished
    std::optional<Visit> cheapest;       ///< that keeps the bounds; none: no gear does
  };
  [[nodiscard]] Gears gears_of(std::size_t cores) const;
  /// The slowest gear that would keep the bound, by the last visit before with as many cores, else
  /// by any; a place in configurations_of().
  [[nodiscard]] std::size_t first_guess(const std::vector<std::size_t>& gears) const;
  [[nodiscard]] std::vector<std::size_t> configurations_of(std::size_t cores) const;
  [[nodiscard]] std::size_t nearest_core_count(double cores) const;

  std::vector<std::size_t> core_counts_; ///< ascending
};

} // namespace hypermile::steer
