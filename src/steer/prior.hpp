#pragma once

#include "steer/table.hpp"

#include <Eigen/Dense>

#include <array>
#include <cstddef>
#include <vector>

namespace hypermile::steer {

/// By what the throughput of a program deviates from perfect scaling.
enum Effect : std::size_t {
  unit,              ///< items are anything
  scaling,           ///< per doubling of cores: more or less than perfect
  bend,              ///< per doubling: where scaling changes
  gear,              ///< per doubling of the frequency
  gear_bend,         ///< likewise, where that changes
  gear_with_cores,   ///< per doubling of both: memory becomes the limit
  more_sockets,      ///< a step where another socket begins
  all_cores,         ///< no core is left for the system
  interleaved,       ///< a step
  interleaved_cores, ///< per doubling of cores
  per_core_count,    ///< work that does not divide evenly
  per_configuration, ///< whatever else
  effects
};

/// Standard deviations of the logarithm of the throughput, each over all programs.
using ThroughputPrior = std::array<double, effects>;

/// Of the power of a node, as shares of the power of the first configuration visited: see
/// PowerModel.
struct PowerPrior {
  static constexpr Eigen::Index terms = 6;
  using Terms = Eigen::Matrix<double, terms, 1>;
  Terms mean;
  Terms deviation;
  double own; ///< what a configuration deviates from the terms, as a share of its power
};

/// What is assumed of any program before something of it is measured.
struct Prior {
  ThroughputPrior throughput;
  PowerPrior power;
};

/// The one that is used. docs/steer.md says where each number comes from.
const Prior& default_prior();

/// Fits what can be fitted to programs that were measured in all configurations, at least one; the
/// rest is as in default_prior(). The deviations of the throughput are the most probable ones,
/// found by the MM algorithm for variance components (Zhou et al. 2019), with one more program
/// assumed that deviates by 5 % in each way. The terms of the power are those of least squares, on
/// average over the programs.
Prior fit_prior(const std::vector<Table>& tables);

} // namespace hypermile::steer
