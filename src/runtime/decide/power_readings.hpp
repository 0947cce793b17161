#pragma once

#include "estimate/gear_power.hpp"
#include "runtime/exchange/run_report.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace hypermile::runtime {

/// What the ranks of one node with a meter tell while the program runs, in whatever order, summed
/// up by gear. What is told once needs no more memory, however long the program runs.
class PowerReadings {
public:
  PowerReadings(std::size_t cores, std::size_t gears) : cores_(cores), gears_(gears) {}

  /// What a rank has told. Points that make no sense teach nothing.
  void add(int rank, const std::vector<PowerPoint>& points);
  /// What the meter has said, and will say, is wrong.
  void drop();
  [[nodiscard]] bool dropped() const { return dropped_; }

  /// The intervals between two readings that all ranks of the node have told of.
  void sum_up();
  /// As of the last sum_up().
  [[nodiscard]] const estimate::NodeSums& sums() const { return sums_; }

private:
  std::size_t cores_;
  std::size_t gears_;
  std::map<int, std::vector<PowerPoint>> points_; ///< by rank: those that are not summed up yet
  std::optional<int> metered_;                    ///< the rank that has the meter
  estimate::NodeSums sums_;
  bool dropped_ = false;
};

} // namespace hypermile::runtime
