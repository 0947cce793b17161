#pragma once

#include "estimate/gear_power.hpp"

#include <span>
#include <vector>

namespace hypermile::estimate {

/// Whose meters are wrong, of equal nodes.
struct UnlikeMeters {
  std::vector<bool> wrong; ///< by node
  /// There is no majority that agrees: which of the wrong ones are right nobody can say.
  bool undecided = false;
};

/// Equal nodes do not differ by nearly a factor of two, whatever their silicon: a meter is wrong
/// then. Only like is compared with like: what two nodes drew in the same gear, while they computed
/// for the same share of the time. Where they never did, so much is allowed for as the power of a
/// node may change from one share to the other: it rises with the share, but no more than in
/// proportion to it.
///
/// One after the other the meter is wrong that disagrees with most; once half of them would be,
/// all are.
[[nodiscard]] UnlikeMeters unlike_meters(std::span<const NodeSums> nodes);

} // namespace hypermile::estimate
