#pragma once

#include "model/problem.hpp"
#include "select/methods.hpp"
#include "select/objectives.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace hypermile::select {

/// Bounds on one iteration. A plan keeps all that are set, up to a relative 1e-12.
struct Constraints {
  std::optional<double> max_slowdown = std::nullopt;     ///< T_new <= (1 + x) * T_old, x >= 0
  std::optional<Joules> energy_budget = std::nullopt;    ///< E_new
  std::optional<Watts> average_power_cap = std::nullopt; ///< E_new / T_new
  std::optional<Watts> peak_power_cap = std::nullopt;    ///< sum of the active powers of all units
  [[nodiscard]] bool none() const {
    return !max_slowdown && !energy_budget && !average_power_cap && !peak_power_cap;
  }
};

enum class Bound { slowdown, energy, average_power, peak_power };

/// A bound that a plan does not keep.
struct Violation {
  Bound bound;
  double limit;   ///< as asked for: a ratio for `slowdown`, joules, or watts
  double reached; ///< what the plan has, in the same unit
};

/// What is known about the distance of a plan from the optimum of the same request.
struct Certificate {
  enum class Kind {
    exact, ///< no plan is better
    bound  ///< no plan is better by more than `gap`, where `gap` is known
  };
  Kind kind = Kind::bound;
  /// In the unit of the objective (points of distance / 100, joule seconds, joules, seconds).
  /// Nothing: not known, because the method proves nothing and no reference was asked for.
  std::optional<double> gap = std::nullopt;
  /// The theorem of docs/selection.md that proves it; empty without a proof.
  std::string_view theorem = {};
};

/// Frequencies that differ from task to task although one scaling factor was chosen.
/// [F16] Eq. 2.2, 2.9; only the methods of chapter 2 have them.
struct TaskScaling {
  double optimal_scale = 1;       ///< what the method's formula gives
  double scale = 1;               ///< the same within [1, F_max / F_min]
  std::vector<double> scales;     ///< S_i per node
  std::vector<model::Gear> gears; ///< slowest gear of each node that is at least F_max / S_i
};

/// A choice of gears with what is predicted of it.
struct Plan {
  Method method = Method::exact;
  Objective objective = Objective::maxdist;
  std::vector<model::Gear> gears; ///< one per unit of the problem
  model::Prediction prediction;
  Certificate certificate;
  /// Empty: the plan keeps every bound. Otherwise a method that keeps bounds has found that no plan
  /// does, and this is the one whose worst violation, relative to its bound, is the least; of the
  /// other methods only this plan breaks them.
  std::vector<Violation> violations;
  std::optional<TaskScaling> tasks;

  [[nodiscard]] bool feasible() const { return violations.empty(); }
};

/// A point of the Pareto front of time against energy: no gear vector is at least as good in
/// both and better in one.
struct FrontPoint {
  model::Prediction prediction;
  std::vector<model::Gear> gears; ///< one per unit; empty where they are left out
};

/// Fronts with more gears than this, all points together, are without them.
inline constexpr std::size_t most_front_gears = 10'000'000;

struct Front {
  std::vector<FrontPoint> points; ///< by ascending time
  /// `exact`: all of the front. `bound`: only its convex lower-left hull (the front itself is
  /// too large); `gap` has then no value.
  Certificate certificate;
};

} // namespace hypermile::select
