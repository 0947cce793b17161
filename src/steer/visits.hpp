#pragma once

#include "steer/goal.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace hypermile::steer {

/// A configuration that was visited, all its measurements put together.
struct Visit {
  std::size_t configuration;
  Measurement mean; ///< with the error of the mean
  std::size_t times = 1;
};

/// What was seen so far, in the order of the first visits.
class Visits {
public:
  void add(std::size_t configuration, const Measurement& measured);
  /// Forgets what was measured there before.
  void replace(std::size_t configuration, const Measurement& measured);
  void clear() { visits_.clear(); }

  [[nodiscard]] const std::vector<Visit>& all() const { return visits_; }
  [[nodiscard]] bool empty() const { return visits_.empty(); }
  [[nodiscard]] std::size_t size() const { return visits_.size(); }
  /// Null: it has not been visited.
  [[nodiscard]] const Visit* find(std::size_t configuration) const;

private:
  std::vector<Visit> visits_;
};

/// What was seen of a configuration; none: it has not been visited.
std::optional<Performance> seen_of(const Visits& visits, std::size_t configuration);

struct Pick {
  std::size_t configuration;
  bool keeps_bounds;
};
/// Of those that keep the bounds the one of most worth; else the one that misses them least. At
/// least one visit.
Pick best_visited(const Visits& visits, const Goal& goal);

} // namespace hypermile::steer
