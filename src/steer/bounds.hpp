#pragma once

#include "steer/goal.hpp"

#include <optional>
#include <string>

namespace hypermile::steer {

/// What a user asks for, over the whole run.
struct Bounds {
  std::optional<Watts> power{};
  std::optional<Rate> throughput{};
  /// The largest share of its capacity that a program may be asked for, in (0, 1]. [N16] Table II
  std::optional<double> utilisation{};
  std::optional<Seconds> deadline{};    ///< for `items`, since the begin
  std::optional<Joules> energy{};       ///< for `items`
  std::optional<double> items{};        ///< that the program has to do in all
  std::optional<Objective> objective{}; ///< none: what suits the bounds, see objective_of()

  bool operator==(const Bounds&) const = default;
};

/// Empty if they can be used together; else what is wrong, as a user reads it.
std::string check(const Bounds& bounds);

/// With a bound on how much gets done (throughput, utilisation) the least power; with a deadline
/// the least energy per item; with one on power or energy alone the most throughput.
Objective objective_of(const Bounds& bounds);

/// What a bound depends on while the program runs.
struct Situation {
  Seconds time;                   ///< since the begin
  double items = 0;               ///< done so far
  Joules energy;                  ///< spent so far
  std::optional<Rate> arrivals{}; ///< none: the program does not report them
  double granted = 1;             ///< share of the time it wants its cores that it has them
};

/// What the bounds ask of a configuration at this moment. A deadline becomes a throughput, an
/// energy budget an energy per item, both of what is left, until all items are done; utilisation a
/// capacity. A program that reports what arrives needs no more capacity than for that: under a
/// bound on power alone it gets the least power that serves its arrivals at `comfortable`
/// utilisation. [N16] 3.1 Where other programs take a part of its cores' time, it needs a capacity
/// that is larger by as much.
Goal goal_of(const Bounds& bounds, const Situation& situation);

/// Without what only arrivals ask for: as much as the other bounds allow. None: there is no such
/// difference.
std::optional<Goal> goal_of_overloaded(const Bounds& bounds, const Situation& situation);

constexpr double comfortable = 0.9;

} // namespace hypermile::steer
