#pragma once

#include "backend/cpufreq/machine.hpp"
#include "control/lease.hpp"
#include "control/owner.hpp"
#include "control/place.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hypermile::cpufreq {

/// The frequencies of this node, and the right to set them.
struct Taken {
  Machine machine;
  std::unique_ptr<control::Lease> lease; ///< null: `machine` has an obstacle
};

/// Takes the node for `owner`, where it has frequencies that can be set; what somebody left behind
/// is restored first. `cpus`: as for inspect(). Throws as control::Lease::acquire().
Taken take(const control::Place& place, const std::vector<int>& cpus, const std::string& guard,
           const control::Owner& owner);

} // namespace hypermile::cpufreq
