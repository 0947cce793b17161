#pragma once

#include "estimate/least_squares.hpp"
#include "units/quantity.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <vector>

/// What nodes of one type draw in each gear while they compute and while they wait, from what their
/// meters counted while a program ran.
namespace hypermile::estimate {

/// What is believed of the type before its nodes were measured. One entry per gear each.
struct PowerPrior {
  std::vector<double> scales;   ///< S >= 1, ascending
  std::vector<Watts> computing; ///< all cores; more than 0
  std::vector<Watts> waiting;
  /// The watts mean nothing, and their ratios are a rough guide. False: they are from a table.
  bool assumed = false;
};

/// What a node's meter counted in one gear, summed up: all that a regression needs of it, however
/// long the program ran.
struct GearSums {
  double count = 0;   ///< of the intervals
  double seconds = 0; ///< of all of them
  // Of the shares of an interval in which cores computed (c) and waited (w), and of its power (p),
  // in W: sums of products, by the seconds of the interval.
  double cc = 0;
  double cw = 0;
  double ww = 0;
  double cp = 0;
  double wp = 0;
  double pp = 0;

  /// One more interval: more than 0 s, in which all cores together computed for `computing` times
  /// the number of cores.
  void add(Seconds interval, Seconds computing, Joules energy);
  GearSums& operator+=(const GearSums& other);
  /// As if so much of each interval had been counted.
  [[nodiscard]] GearSums times(double factor) const;
  bool operator==(const GearSums&) const = default;
};

/// By gear, those that the node was in.
using NodeSums = std::map<std::size_t, GearSums>;

struct PowerFit {
  // In W, by gear, each with its 95 % interval. They never fall below 0; a slower gear draws no
  // more, and a node that waits no more than one that computes.
  std::vector<Estimate> computing{};
  std::vector<Estimate> waiting{};
  // The same by the data alone: a slower gear may draw more.
  std::vector<Estimate> computing_as_seen{};
  std::vector<Estimate> waiting_as_seen{};
  double noise = 0; ///< standard deviation of the power of one second, relative to it
  /// By node: what it draws, relative to what the others of the type do.
  std::vector<double> node_ratio{};
};

/// What is not to be had of any platform is not what is believed of this one: `computing` and
/// `waiting` become what was seen, as nearly as the rules allow. `left_out`: by gear; of these only
/// what is said of a single gear holds.
void put_in_order(PowerFit& fit, const std::vector<bool>& left_out);

/// A Bayesian linear regression of each interval's energy on its time computing and its time
/// waiting in the gear that the node was in. Computing and waiting power of all gears have a normal
/// prior in common: the table as a whole may be larger or smaller, and so may what does not depend
/// on the gear, what depends on it as 1/S and as 1/S^3 ([F16] Eq. 1.14), and a smooth rest. So
/// gears that no node was in move with those that some were in. The noise, how unlike nodes of the
/// type are, and how far the prior is off, are estimated from the same data. Where the prior is an
/// assumption, its watts are scaled to what was measured first.
///
/// Successive intervals are taken to deviate independently of each other.
/// `nodes`: one entry per node, with gears of the prior only. Some interval must have been counted.
[[nodiscard]] PowerFit fit_power(const PowerPrior& prior, std::span<const NodeSums> nodes);

} // namespace hypermile::estimate
