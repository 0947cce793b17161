#pragma once

#include "select/score.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace hypermile::select {

/// What is predicted of some gears.
struct Figures {
  model::Prediction prediction;
  Watts peak; ///< while all nodes compute; 0 where no bound is on it
};
/// The present gears with this unit in that gear.
using EvaluateWith = std::function<Figures(std::size_t unit, model::Gear gear)>;

/// One unit in the next gear, all others as they are. Changes are against the present gears.
struct Neighbour {
  model::Gear gear = 0;
  model::Prediction prediction{};
  double time_change = 0;     ///< as a share
  double energy_change = 0;   ///< as a share
  double distance_change = 0; ///< of P_norm - E_norm
  /// By how much the objective is better (negative: worse), in its unit: distance, J s, J s^2, the
  /// score of [F16] Eq. 4.8, J or s.
  double gain = 0;
  bool keeps_bounds = true;
  /// Than the present gears: it keeps the bounds and has the better objective; or it keeps them,
  /// or goes beyond them by less, where the present gears do not keep them.
  bool better = false;
};

struct Neighbours {
  std::optional<Neighbour> faster; ///< one gear up; none in gear 0
  std::optional<Neighbour> slower; ///< one gear down; none in the last gear
};

/// Gears, and all that differ from them by one gear of one unit.
struct Neighbourhood {
  Figures present;
  double score = 0; ///< of the present gears; less is better
  bool keeps_bounds = true;
  std::vector<Neighbours> units;
};

/// `gears`: the present ones, one per unit. `gear_counts`: of every unit.
[[nodiscard]] Neighbourhood neighbourhood(std::span<const model::Gear> gears,
                                          std::span<const std::size_t> gear_counts,
                                          const Figures& present, const EvaluateWith& evaluate,
                                          const Score& score);

/// The best of those that are better than the present gears.
struct BestNeighbour {
  std::size_t unit;
  Neighbour neighbour;
};
[[nodiscard]] std::optional<BestNeighbour> best(const Neighbourhood& neighbourhood);

} // namespace hypermile::select
