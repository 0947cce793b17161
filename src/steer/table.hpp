#pragma once

#include "steer/goal.hpp"
#include "steer/space.hpp"

#include <string>
#include <vector>

namespace hypermile::steer {

/// A program measured in all configurations of a space.
struct Table {
  std::string name;
  Space space;
  std::vector<Performance> performance; ///< one per configuration, as it is under full load
};

/// The best configuration of all; where none keeps the bounds, that which misses them least.
struct Optimum {
  std::size_t configuration;
  bool keeps_bounds;
};
Optimum optimum(const Table& table, const Goal& goal);

} // namespace hypermile::steer
