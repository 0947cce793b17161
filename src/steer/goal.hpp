#pragma once

#include "units/quantity.hpp"

#include <optional>
#include <string>

namespace hypermile::steer {

/// What a configuration was seen to do.
struct Measurement {
  Rate capacity;   ///< items that it could finish per second, were there always work to do: mu
  Watts power;     ///< of the node
  double load = 1; ///< utilisation rho in (0, 1] while `power` was measured
  double relative_error = 0; ///< standard error of both, as a share of them
  double granted = 1;        ///< of the time it wanted its cores; see granted(Sample)
};

enum class Objective {
  most_throughput,
  least_power,
  least_energy ///< per item
};

/// What a user wants: the bounds first, then the best of what keeps them.
struct Goal {
  Objective objective = Objective::least_power;
  std::optional<Rate> least_throughput{}; ///< that a configuration must be able to keep up with
  std::optional<Watts> most_power{};
  std::optional<Joules> most_energy_per_item{};
  /// How much work arrives, lambda; none: there is always work to do. Throughput is what arrives
  /// or what the configuration can do, whichever is less: B = min(lambda, mu). [N16] Table II
  std::optional<Rate> arrivals{};

  bool operator==(const Goal&) const = default;
};

/// What a configuration would do under this goal, with the load that it would have.
struct Performance {
  Rate capacity;
  Watts power;
};

/// B = min(lambda, mu)
Rate throughput(const Goal& goal, Rate capacity);
/// rho = lambda / mu, at most 1
double load(const Goal& goal, Rate capacity);

/// By how much the worst kept bound is missed, as a share of the bound; 0 or less: all are kept.
double excess(const Goal& goal, const Performance& performance);

/// Larger is better; only ratios of two of them have a meaning. Positive.
double worth(const Goal& goal, const Performance& performance);

/// "at least 200 items/s, at most 90 W; least power"
std::string describe(const Goal& goal);

// Whether what is asked for has changed by so much that another choice is due: a bound should be
// kept, so little more is enough; a chance to save may wait.

/// `noise`: relative deviation of `now`, which is no change.
bool asks_for_more_or_less(std::optional<Rate> now, std::optional<Rate> then, double noise = 0);
/// Likewise an energy per item: what is left of a budget.
bool leaves_less_or_more(std::optional<Joules> now, std::optional<Joules> then);

} // namespace hypermile::steer
