#pragma once

#include "steer/search.hpp"
#include "steer/table.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hypermile::steer {

/// One measurement of a configuration.
struct Observation {
  std::size_t configuration;
  Measurement seen;
  std::string reason;
};

/// A search over a table from its begin to where it settled.
struct Replay {
  std::vector<Observation> observations;
  Step settled;
  /// Different configurations, that which it settled in included.
  std::size_t visits = 0;
  /// By how much a configuration missed the worst bound, what it settled in not included; at
  /// least 0.
  double worst_excess = 0;
};

/// How the measurements of a replay deviate from the table: normally, by a share of both figures.
struct Noise {
  double deviation = 0; ///< in [0, 1)
  std::uint64_t seed = 1;
};

/// Runs a search that has not begun over a table.
Replay replay(const Table& table, Search& search, const Goal& goal, const Noise& noise);
/// Runs `method`, which supports the goal, over a table. Throws as make_search().
Replay replay(const Table& table, const std::string& method, const Goal& goal, const Noise& noise);

} // namespace hypermile::steer
