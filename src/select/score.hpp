#pragma once

#include "select/selector.hpp"

#include <algorithm>
#include <limits>

namespace hypermile::select {

/// Relative slack of every bound, so that a plan that meets it exactly is not lost to rounding.
inline constexpr double bound_tolerance = 1e-12;
inline constexpr double unreachable = std::numeric_limits<double>::infinity();

/// The objective as a number to minimise, and the bounds. All but the peak-power bound are pure
/// functions of one iteration's time and energy.
///
/// The score never falls when time or energy grow (docs/selection.md, "Objectives"): every proof
/// of optimality rests on that.
class Score {
public:
  /// `base`: what P_norm, E_norm and the slowdown refer to. Throws Error{config} for a weight or
  /// bound outside its range.
  Score(const model::Baseline& base, const Request& request);

  [[nodiscard]] double operator()(Seconds time, Joules energy) const {
    return relative_to_bounds_ ? worst_ratio(time, energy)
                               : score_of(objective_, reference_, time, energy);
  }

  [[nodiscard]] bool feasible(Seconds time, Joules energy) const {
    return relative_to_bounds_ ||
           (time <= time_limit_ && energy <= energy_limit_ && energy <= average_limit_ * time);
  }
  /// The score, or `unreachable` where a bound is not kept.
  [[nodiscard]] double feasible_score(Seconds time, Joules energy) const {
    return feasible(time, energy) ? (*this)(time, energy) : unreachable;
  }
  /// The same with the peak-power bound.
  [[nodiscard]] double feasible_score(Seconds time, Joules energy, Watts peak) const {
    if (relative_to_bounds_)
      return worst_ratio(time, energy, peak);
    return peak <= peak_limit_ ? feasible_score(time, energy) : unreachable;
  }
  /// The largest time / energy / average power, each relative to its bound.
  [[nodiscard]] double worst_ratio(Seconds time, Joules energy) const;

  /// The largest of worst_ratio() and the peak power relative to its cap.
  [[nodiscard]] double worst_ratio(Seconds time, Joules energy, Watts peak) const {
    return caps_peak_power() ? std::max(worst_ratio(time, energy), peak / peak_limit_)
                             : worst_ratio(time, energy);
  }

  /// What a second is worth at this point: -dE/dT along the line of equal score, to a relative
  /// 1e-6; `unreachable` where energy does not count.
  [[nodiscard]] Watts price_of_time(Seconds time, Joules energy) const;
  /// Whether the score is all there is to judge by.
  [[nodiscard]] bool bounded() const {
    return time_limit_.value() < unreachable || energy_limit_.value() < unreachable ||
           caps_average_power() || caps_peak_power();
  }

  [[nodiscard]] const ObjectiveRow& objective() const { return row_of(objective_); }
  [[nodiscard]] Seconds time_limit() const { return time_limit_; }
  [[nodiscard]] Joules energy_limit() const { return energy_limit_; }
  [[nodiscard]] bool caps_average_power() const { return average_limit_.value() < unreachable; }
  [[nodiscard]] Watts average_limit() const { return average_limit_; }
  [[nodiscard]] bool caps_peak_power() const { return peak_limit_.value() < unreachable; }
  [[nodiscard]] Watts peak_limit() const { return peak_limit_; }

  /// The same bounds with "how far beyond the bounds" for the objective: what is minimised when
  /// nothing meets them. Every point is then feasible.
  [[nodiscard]] Score violation() const;
  /// The same without the cap on average power, the only bound that a longer time can help to
  /// keep: what remains never gets better when time or energy grow.
  [[nodiscard]] Score monotone() const;
  /// The same with another bound on time.
  [[nodiscard]] Score with_time_limit(Seconds limit) const;

private:
  ScoreReference reference_;
  Objective objective_;
  Seconds time_limit_{unreachable};
  Joules energy_limit_{unreachable};
  Watts average_limit_{unreachable};
  Watts peak_limit_{unreachable};
  bool relative_to_bounds_ = false;
};

/// What all units draw while they compute.
[[nodiscard]] Watts peak_power(const model::Problem& problem, std::span<const model::Gear> gears);

/// The bounds that this plan does not keep, with what it reaches instead. `peak`: of its gears.
void find_violations(const model::Baseline& base, Watts peak, const Constraints& constraints,
                     Plan& plan);

} // namespace hypermile::select
