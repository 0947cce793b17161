#pragma once

#include "units/quantity.hpp"

#include <optional>

namespace hypermile::steer {

/// What a program did for a while in one configuration.
struct Sample {
  Seconds time;                     ///< of its end, since the begin of steering
  Seconds length;                   ///< positive
  double items = 0;                 ///< finished in it
  std::optional<double> arrivals{}; ///< in it; none: the program does not report them
  double busy = 1;                  ///< share of the time of its cores that it used, in [0, 1]
  /// Time that it waited for its cores while other programs used them, as a share of its cores'
  /// time, in [0, 1 - busy]
  double contended = 0;
  Watts power; ///< mean
  double items_so_far = 0;
  Joules energy_so_far;
};

/// Two samples of one configuration, the second right after the first, as one.
Sample joined(const Sample& first, const Sample& second);

/// The share of the time it wanted its cores that a program had them, in (0, 1]: less than 1 where
/// other programs use them, too.
double granted(const Sample& sample);

/// A program without arrivals always has work to do; else it has as much as it uses of its cores,
/// but for a little, which no program gets to. [N16] Table II
double load_of(const Sample& sample);

/// What it could finish per second were there always work to do, and its cores its own: mu = B /
/// rho, with B as if it had had its cores whenever it wanted them. None: it did too little to tell.
std::optional<Rate> capacity_of(const Sample& sample);

} // namespace hypermile::steer
